/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "app/cli.h"
#include "data/events/log-export.h"
#include "data/store/tables.h"

extern const TsCommand ts_command_export;

static gboolean
fail_writing (const char *path, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot write %s: %s", path,
               g_strerror (errno));
  return FALSE;
}

/* Under another name until it is whole; devices and pipes as they are. */
static gboolean
export_text (TsTables *tables, char **runs, TsRowsForm form, const char *path, GError **error)
{
  gboolean is_device = g_file_test (path, G_FILE_TEST_EXISTS) &&
                       !g_file_test (path, G_FILE_TEST_IS_REGULAR);
  g_autofree char *part = is_device ? g_strdup (path) : g_strconcat (path, ".part", NULL);
  FILE *file = g_fopen (part, "we");

  if (!file)
    return fail_writing (path, error);
  gboolean ok = ts_tables_write_points (tables, runs, form, file, error);
  gboolean wrote = ferror (file) == 0;
  wrote = fclose (file) == 0 && wrote;
  if (ok && (!wrote || (!is_device && g_rename (part, path) != 0)))
    ok = fail_writing (path, error);
  if (!ok && !is_device)
    g_unlink (part);
  return ok;
}

/* Names for what the operands said: uuids, prefixes.  NULL: one of them is no run. */
static char **
find_names (TsReader *reader, char **what, GError **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; what[i]; i++) {
    g_autoptr (TsRun) run = ts_cli_find_live_run (reader, what[i], error);
    if (!run)
      return NULL;
    g_strv_builder_add (names, run->name);
  }
  return g_strv_builder_end (names);
}

/* Scalars are what these forms have room for. */
static void
tell_left_out (TsReader *reader, char **runs, const char *to)
{
  g_autoptr (GPtrArray) list = ts_reader_list_runs (reader, FALSE, NULL);
  gint64 n = 0;

  for (guint i = 0; list && i < list->len; i++) {
    const TsRun *run = list->pdata[i];
    if (*runs && !g_strv_contains ((const char *const *) runs, run->name))
      continue;
    g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, NULL);
    for (guint k = 0; tags && k < tags->len; k++) {
      const TsTagInfo *tag = tags->pdata[k];
      n += tag->kind == TS_SERIES_SCALAR ? 0 : tag->stats.count;
    }
  }
  if (n)
    g_printerr ("trainscope: %" G_GINT64_FORMAT " histograms, texts, images and other samples are "
                "left out of %s; --to sqlite and --to tfevents have them\n",
                n, to);
}

static gboolean
export_tables (TsReader *reader, char **runs, const char *to, const char *output, GError **error)
{
  g_autoptr (TsTables) tables = ts_tables_open (reader, error);

  if (!tables)
    return FALSE;
  if (strcmp (to, "sqlite") == 0)
    return ts_tables_copy (tables, runs, output, error);
  tell_left_out (reader, runs, to);
  TsRowsForm form = strcmp (to, "json") == 0 ? TS_ROWS_JSON : TS_ROWS_CSV;
  return output ? export_text (tables, runs, form, output, error)
                : ts_tables_write_points (tables, runs, form, stdout, error);
}

static gboolean
export_events (TsReader *reader, char **runs, const char *folder, gboolean exact, GError **error)
{
  g_auto (TsLogExportReport) report = {0};
  gboolean ok = ts_log_export (reader, runs, folder, exact, &report, error);

  for (guint i = 0; report.problems && i < report.problems->len; i++)
    g_printerr ("trainscope: %s\n", (const char *) report.problems->pdata[i]);
  if (ok)
    g_print ("%s: %u runs, %u files, %" G_GUINT64_FORMAT " values\n", folder, report.runs,
             report.files, report.values);
  return ok;
}

static int
run_export (int argc, char **argv)
{
  static const char *const forms[] = {"csv", "json", "sqlite", "tfevents", NULL};
  g_auto (GStrv) operands = NULL;
  g_autofree char *to = NULL, *output = NULL;
  gboolean exact = FALSE;
  const GOptionEntry entries[] = {
      {"to", 0, 0, G_OPTION_ARG_STRING, &to, "what to write [csv]", "csv|json|sqlite|tfevents"},
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
       "where [standard output]; a folder for tfevents", "FILE"},
      {"exact", 0, 0, G_OPTION_ARG_NONE, &exact,
       "tfevents: numbers that a float cannot hold as doubles, which TensorBoard may not show",
       NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_export, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  if (!to)
    to = g_strdup ("csv");
  if (!g_strv_contains (forms, to))
    return ts_cli_usage_error (&ts_command_export,
                               "--to is csv, json, sqlite or tfevents, not '%s'", to);
  if ((!output || strcmp (output, "-") == 0) &&
      (strcmp (to, "sqlite") == 0 || strcmp (to, "tfevents") == 0))
    return ts_cli_usage_error (&ts_command_export, "--to %s needs a place: -o %s", to,
                               strcmp (to, "sqlite") == 0 ? "FILE" : "FOLDER");
  gboolean is_folder = strcmp (to, "tfevents") == 0;
  if (g_strcmp0 (output, "-") == 0)
    g_clear_pointer (&output, g_free);
  if (output && !is_folder &&
      !ts_cli_check_output (output, strcmp (to, "sqlite") != 0, &error))
    return ts_cli_fail (error);
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  g_auto (GStrv) runs = reader ? find_names (reader, operands + 1, &error) : NULL;
  if (!runs)
    return ts_cli_fail (error);
  gboolean ok = is_folder ? export_events (reader, runs, output, exact, &error)
                          : export_tables (reader, runs, to, output, &error);
  return ok ? TS_EXIT_DONE : ts_cli_fail (error);
}

const TsCommand ts_command_export = {
    .name = "export",
    .usage = "WORKSPACE [RUN…] [--to csv|json|sqlite|tfevents] [-o FILE] [--exact]",
    .summary = "write all points of all runs, with every digit",
    .run = run_export,
};
