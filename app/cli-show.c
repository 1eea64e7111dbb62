/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/cli.h"
#include "app/run-json.h"
#include "engine/base/param.h"

static void
print_hparams (const TsRun *run)
{
  for (guint i = 0; i < run->n_hparams; i++) {
    const TsHparam *h = &run->hparams[i];
    g_autofree char *number = h->kind == TS_HPARAM_INT ? g_strdup_printf ("%" G_GINT64_FORMAT, h->i)
                              : h->kind == TS_HPARAM_BOOL ? g_strdup (h->i ? "true" : "false")
                              : h->kind == TS_HPARAM_REAL ? ts_number_dup_text (h->r)
                                                          : g_strdup (h->t ? h->t : "");
    g_print ("  %-20s %s\n", h->key, number);
  }
}

static void
print_time (const char *what, gint64 us)
{
  g_autoptr (GDateTime) time = us ? g_date_time_new_from_unix_local (us / G_USEC_PER_SEC) : NULL;
  g_autofree char *text = time ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;

  if (text)
    g_print ("%s%s", what, text);
}

/* When, by whom or from where, and what was said meanwhile. */
static gboolean
print_history (TsReader *reader, const TsRun *run, GError **error)
{
  g_autoptr (GArray) attempts = ts_reader_list_attempts (reader, run->run_id, error);
  g_autoptr (GArray) notes = attempts ? ts_reader_list_notes (reader, run->run_id, error) : NULL;
  g_autoptr (GArray) points = notes ? ts_reader_list_checkpoints (reader, run->run_id, error) : NULL;

  if (!points)
    return FALSE;
  print_time ("created: ", run->created_us);
  print_time (", ended: ", run->ended_us);
  g_print ("\n");
  for (guint i = 0; i < attempts->len; i++) {
    const TsAttemptInfo *a = &g_array_index (attempts, TsAttemptInfo, i);
    print_time (i ? "         " : "sessions: ", a->started_us);
    if (a->resumed)
      g_print (", from step %" G_GINT64_FORMAT, a->resume_step);
    if (a->origin)
      g_print (", of %s", a->origin);
    g_print ("\n");
  }
  if (points->len)
    g_print ("checkpoints: %u, the last at step %" G_GINT64_FORMAT "\n", points->len,
             g_array_index (points, TsCheckpointInfo, points->len - 1).step);
  for (guint i = 0; i < notes->len; i++)
    g_print ("note: %s\n", g_array_index (notes, TsNoteInfo, i).text);
  return TRUE;
}

static int
tag_width (const GPtrArray *tags)
{
  glong width = 28;

  for (guint i = 0; i < tags->len; i++)
    width = MAX (width, g_utf8_strlen (((const TsTagInfo *) tags->pdata[i])->tag, -1));
  return (int) MIN (width, 60);
}

static gboolean
print_run (TsReader *reader, const TsRun *run, gboolean latest, GError **error)
{
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, error);

  if (!tags)
    return FALSE;
  g_print ("%s  %s  (%s)\n", run->name, ts_run_state_name (run->state), run->uuid);
  if (run->message)
    g_print ("error: %s\n", run->message);
  if (run->data_name)
    g_print ("data: %s, %s\n", run->data_name, run->data_split ? run->data_split : "");
  if (!print_history (reader, run, error))
    return FALSE;
  if (run->n_hparams)
    g_print ("settings:\n");
  print_hparams (run);
  int width = tag_width (tags);
  g_print ("tags:\n  %-*s %9s %10s %12s %12s %12s\n", width, "", "points", "last step", "last",
           "min", "max");
  for (guint i = 0; i < tags->len; i++) {
    const TsTagInfo *info = tags->pdata[i];
    TsStats stats = info->stats;
    if (latest && !ts_reader_visible_stats (reader, info->series_id, info->kind, &stats, error))
      return FALSE;
    g_print ("  %-*s %9" G_GINT64_FORMAT " %10" G_GINT64_FORMAT, width, info->tag, stats.count,
             stats.last_step);
    if (info->kind == TS_SERIES_SCALAR && stats.count) {
      g_autofree char *last = ts_cli_dup_number (ts_unbits (stats.last_bits));
      g_autofree char *min = stats.finite ? ts_cli_dup_number (stats.min) : g_strdup ("-");
      g_autofree char *max = stats.finite ? ts_cli_dup_number (stats.max) : g_strdup ("-");
      g_print (" %12s %12s %12s", last, min, max);
      if (stats.nan + stats.pos_inf + stats.neg_inf)
        g_print ("  %" G_GINT64_FORMAT " non-finite", stats.nan + stats.pos_inf + stats.neg_inf);
    } else {
      g_print (" %12s", ts_series_kind_name (info->kind));
    }
    g_print ("\n");
  }
  return TRUE;
}

extern const TsCommand ts_command_show;

static int
run_show (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  g_autofree char *view = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "all of it as JSON", NULL},
      {"view", 0, 0, G_OPTION_ARG_STRING, &view, "all stored points, or only those not overtaken",
       "all|latest"},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_show, argc, argv, entries, 2, 2, &operands, &status))
    return status;
  gboolean latest = g_strcmp0 (view, "latest") == 0;
  if (view && !latest && strcmp (view, "all") != 0)
    return ts_cli_usage_error (&ts_command_show, "--view is all or latest, not '%s'", view);
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  g_autoptr (TsRun) run = reader ? ts_reader_find_run (reader, operands[1], &error) : NULL;
  if (!run)
    return ts_cli_fail (error);
  if (!json)
    return print_run (reader, run, latest, &error) ? TS_EXIT_DONE : ts_cli_fail (error);
  g_autoptr (JsonBuilder) b = json_builder_new ();
  if (!ts_run_json_full (b, reader, run, latest, &error))
    return ts_cli_fail (error);
  ts_cli_json_print (b, TRUE);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_show = {
    .name = "show",
    .usage = "WORKSPACE RUN [--view all|latest] [--json]",
    .summary = "everything about one run",
    .run = run_show,
};
