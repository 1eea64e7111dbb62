/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/cli.h"
#include "data/events/inspect.h"
#include "data/events/tree.h"
#include "data/store/check.h"

extern const TsCommand ts_command_inspect;

static const char *const tails[] = {
    [TS_TAIL_NONE] = "whole",
    [TS_TAIL_PARTIAL] = "ends inside a record",
    [TS_TAIL_ZEROS] = "ends with zeros",
    [TS_TAIL_UNKNOWN] = "ends with bytes that are no records",
};

static char *
dup_time (double wall)
{
  g_autoptr (GDateTime) time = isfinite (wall) && fabs (wall) < 2e11
                                   ? g_date_time_new_from_unix_utc ((gint64) floor (wall))
                                   : NULL;

  return time ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : g_strdup ("no time");
}

static void
print_tags (const TsInspect *i)
{
  if (i->tags->len)
    g_print ("  %-40s %-10s %-18s %9s  %s\n", "tag", "kind", "plugin", "values", "steps");
  for (guint k = 0; k < i->tags->len; k++) {
    const TsInspectTag *t = i->tags->pdata[k];
    g_print ("  %-40s %-10s %-18s %9" G_GUINT64_FORMAT "  %" G_GINT64_FORMAT "…%" G_GINT64_FORMAT
             "\n",
             t->tag, t->kind, t->plugin ? t->plugin : "", t->count, t->min_step, t->max_step);
  }
}

static void
print_inspect (const char *path, const TsInspect *i)
{
  g_autofree char *first = dup_time (i->first_wall), *last = dup_time (i->last_wall);

  g_print ("%s\n", path);
  if (i->lfs_pointer)
    g_print ("  a Git LFS pointer, not the file itself; fetch it with git lfs pull\n");
  g_print ("  %" G_GINT64_FORMAT " bytes, %" G_GUINT64_FORMAT " records, %s%s%s%s, %s … %s UTC\n",
           i->size, i->records, i->version ? i->version : "no version", i->writer ? " by " : "",
           i->writer ? i->writer : "", i->graphs ? ", with a graph" : "", first, last);
  for (guint k = 0; k < i->starts->len; k++)
    g_print ("  session starts at step %" G_GINT64_FORMAT "\n",
             g_array_index (i->starts, gint64, k));
  print_tags (i);
  for (guint k = 0; k < i->damage->len; k++) {
    const TsDamage *d = &g_array_index (i->damage, TsDamage, k);
    g_print ("  damage at byte %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " bytes: %s\n", d->offset,
             d->bytes, ts_damage_kind_text (d->kind));
  }
  if (i->tail != TS_TAIL_NONE)
    g_print ("  %s: %" G_GINT64_FORMAT " bytes from byte %" G_GINT64_FORMAT " on\n", tails[i->tail],
             i->size - i->end, i->end);
}

static void
add_lists (JsonBuilder *b, const TsInspect *i)
{
  json_builder_set_member_name (b, "session_starts");
  json_builder_begin_array (b);
  for (guint k = 0; k < i->starts->len; k++)
    json_builder_add_int_value (b, g_array_index (i->starts, gint64, k));
  json_builder_end_array (b);
  json_builder_set_member_name (b, "damage");
  json_builder_begin_array (b);
  for (guint k = 0; k < i->damage->len; k++) {
    const TsDamage *d = &g_array_index (i->damage, TsDamage, k);
    json_builder_begin_object (b);
    ts_cli_json_int (b, "offset", d->offset);
    ts_cli_json_int (b, "bytes", d->bytes);
    ts_cli_json_text (b, "what", ts_damage_kind_text (d->kind));
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_set_member_name (b, "tags");
  json_builder_begin_array (b);
  for (guint k = 0; k < i->tags->len; k++) {
    const TsInspectTag *t = i->tags->pdata[k];
    json_builder_begin_object (b);
    ts_cli_json_text (b, "tag", t->tag);
    ts_cli_json_text (b, "kind", t->kind);
    ts_cli_json_text (b, "plugin", t->plugin);
    ts_cli_json_int (b, "count", (gint64) t->count);
    ts_cli_json_int (b, "min_step", t->min_step);
    ts_cli_json_int (b, "max_step", t->max_step);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

static void
add_inspect (JsonBuilder *b, const char *path, const TsInspect *i)
{
  json_builder_begin_object (b);
  ts_cli_json_text (b, "path", path);
  ts_cli_json_int (b, "bytes", i->size);
  ts_cli_json_int (b, "records", (gint64) i->records);
  ts_cli_json_text (b, "version", i->version);
  ts_cli_json_text (b, "writer", i->writer);
  ts_cli_json_number (b, "first_wall", i->first_wall);
  ts_cli_json_number (b, "last_wall", i->last_wall);
  ts_cli_json_int (b, "min_step", i->min_step);
  ts_cli_json_int (b, "max_step", i->max_step);
  ts_cli_json_int (b, "values", (gint64) i->values);
  ts_cli_json_int (b, "graphs", (gint64) i->graphs);
  ts_cli_json_int (b, "run_metadata", (gint64) i->run_metadata);
  ts_cli_json_text (b, "end", tails[i->tail]);
  ts_cli_json_int (b, "end_offset", i->end);
  add_lists (b, i);
  json_builder_end_object (b);
}

/* --- Workspaces --- */

static void
print_check (const char *path, const TsCheck *check)
{
  g_print ("%s\n  a workspace: %" G_GINT64_FORMAT " bytes, %" G_GINT64_FORMAT
           " runs (%" G_GINT64_FORMAT " in the trash), %" G_GINT64_FORMAT
           " series, %" G_GINT64_FORMAT " points in %" G_GINT64_FORMAT
           " chunks, %" G_GINT64_FORMAT " samples, %" G_GINT64_FORMAT " blobs\n",
           path, check->bytes, check->runs, check->trashed, check->series, check->points,
           check->chunks, check->items, check->blobs);
  for (guint i = 0; i < check->problems->len; i++)
    g_print ("  damage: %s\n", (const char *) check->problems->pdata[i]);
  g_print ("%s", check->problems->len
                     ? "  The rest can be read; 'trainscope pack WORKSPACE RUN… -o FILE' saves runs that are whole.\n"
                     : "  nothing is damaged\n");
}

static void
add_check (JsonBuilder *b, const char *path, const TsCheck *check)
{
  json_builder_begin_object (b);
  ts_cli_json_text (b, "workspace", path);
  ts_cli_json_int (b, "bytes", check->bytes);
  ts_cli_json_int (b, "runs", check->runs);
  ts_cli_json_int (b, "trashed", check->trashed);
  ts_cli_json_int (b, "series", check->series);
  ts_cli_json_int (b, "points", check->points);
  ts_cli_json_int (b, "chunks", check->chunks);
  ts_cli_json_int (b, "samples", check->items);
  ts_cli_json_int (b, "blobs", check->blobs);
  json_builder_set_member_name (b, "damage");
  json_builder_begin_array (b);
  for (guint i = 0; i < check->problems->len; i++)
    json_builder_add_string_value (b, check->problems->pdata[i]);
  json_builder_end_array (b);
  json_builder_end_object (b);
}

/* FALSE: damaged, or it cannot be read. */
static gboolean
inspect_workspace (const char *path, JsonBuilder *b)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_auto (TsCheck) check = {0};

  if (!reader || !ts_reader_check (reader, FALSE, NULL, NULL, &check, &error)) {
    g_printerr ("trainscope: %s\n", error->message);
    return FALSE;
  }
  if (b)
    add_check (b, path, &check);
  else
    print_check (path, &check);
  if (check.problems->len)
    g_printerr ("trainscope: %s is damaged in %u places\n", path, check.problems->len);
  return check.problems->len == 0;
}

/* --- Event files --- */

/* A file that cannot be read is told and the others go on. */
static gboolean
inspect_path (const char *path, JsonBuilder *b)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) folders = ts_tree_find (path, NULL, NULL, problems);
  guint n = 0;

  for (guint i = 0; i < folders->len; i++) {
    const TsTreeFolder *folder = folders->pdata[i];
    for (guint k = 0; k < folder->files->len; k++, n++) {
      const TsTreeFile *file = folder->files->pdata[k];
      g_autoptr (GError) error = NULL;
      g_autoptr (TsInspect) inspect = ts_inspect_file (file->path, &error);
      if (!inspect)
        g_ptr_array_add (problems, g_strdup (error->message));
      else if (b)
        add_inspect (b, file->path, inspect);
      else
        print_inspect (file->path, inspect);
    }
  }
  for (guint i = 0; i < problems->len; i++)
    g_printerr ("trainscope: %s\n", (const char *) problems->pdata[i]);
  if (!n && !problems->len)
    g_printerr ("trainscope: there is no event file in %s: no name there contains 'tfevents'\n",
                path);
  return n > 0 && !problems->len;
}

static int
run_inspect (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE, ok = TRUE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "all of it as JSON", NULL},
      {NULL},
  };
  int status;

  if (!ts_cli_parse (&ts_command_inspect, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  g_autoptr (JsonBuilder) b = json ? json_builder_new () : NULL;
  if (b)
    json_builder_begin_array (b);
  for (guint i = 0; operands[i]; i++)
    ok = (ts_cli_is_database (operands[i]) ? inspect_workspace (operands[i], b)
                                    : inspect_path (operands[i], b)) &&
         ok;
  if (b) {
    json_builder_end_array (b);
    ts_cli_json_print (b, TRUE);
  }
  return ok ? TS_EXIT_DONE : TS_EXIT_FAILED;
}

const TsCommand ts_command_inspect = {
    .name = "inspect",
    .usage = "FILE|LOGDIR|WORKSPACE… [--json]",
    .summary = "what event files or a workspace hold, and where they are damaged",
    .run = run_inspect,
};
