/* SPDX-License-Identifier: MIT */
#include <glib-unix.h>
#include <stdio.h>

#include "app/cli.h"
#include "data/events/follow.h"
#include "data/store/writer.h"

extern const TsCommand ts_command_import;

static void
add_report (JsonBuilder *b, const char *path, const TsLogdirReport *report)
{
  json_builder_begin_object (b);
  ts_cli_json_text (b, "path", path);
  ts_cli_json_int (b, "runs", report->runs);
  ts_cli_json_int (b, "files", report->files);
  ts_cli_json_int (b, "files_read", report->files_read);
  ts_cli_json_int (b, "records", (gint64) report->records);
  ts_cli_json_int (b, "damaged", (gint64) report->damaged);
  json_builder_set_member_name (b, "problems");
  json_builder_begin_array (b);
  for (guint i = 0; i < report->problems->len; i++) {
    g_autofree char *valid = g_utf8_make_valid (report->problems->pdata[i], -1);
    json_builder_add_string_value (b, valid);
  }
  json_builder_end_array (b);
  json_builder_end_object (b);
}

static void
print_report (const char *path, const TsLogdirReport *report)
{
  for (guint i = 0; i < report->problems->len; i++)
    g_printerr ("trainscope: %s\n", (const char *) report->problems->pdata[i]);
  g_print ("%s: %u runs, %u files, %u of them with something new; %" G_GUINT64_FORMAT " records\n",
           path, report->runs, report->files, report->files_read, report->records);
}

static gboolean
import_path (TsImport *import, const char *path, const char *name, JsonBuilder *b, GError **error)
{
  g_autoptr (TsLogdir) logdir = ts_logdir_new (import, path, name, error);
  g_auto (TsLogdirReport) report = {0};

  if (!logdir)
    return FALSE;
  ts_logdir_set_once (logdir);
  if (!ts_logdir_scan (logdir, &report, error))
    return FALSE;
  if (!report.files) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 "there is no event file in %s: no name there contains 'tfevents'", path);
    return FALSE;
  }
  if (b)
    add_report (b, path, &report);
  else
    print_report (path, &report);
  return TRUE;
}

static gboolean
import_all (TsWriter *writer, char **paths, const char *name, JsonBuilder *b, GError **error)
{
  g_autoptr (TsImport) import = ts_import_new (writer, error);
  gboolean ok = import != NULL;

  if (b)
    json_builder_begin_array (b);
  for (guint i = 0; ok && paths[i]; i++)
    ok = import_path (import, paths[i], name, b, error);
  if (b)
    json_builder_end_array (b);
  return ok;
}

/* --- Following --- */

static void
tell_pass (const TsLogdirReport *report, const GError *error, gpointer path)
{
  if (error)
    g_printerr ("trainscope: %s\n", error->message);
  else if (report->files_read)
    print_report (path, report);
  fflush (stdout);
}

static gboolean
quit (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

/* Until SIGINT or SIGTERM. */
static int
follow_path (const char *path, const char *workspace)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  TsFollow *follow = ts_follow_start (path, workspace, tell_pass, (gpointer) path, &error);

  if (!follow)
    return ts_cli_fail (error);
  g_unix_signal_add (SIGINT, quit, loop);
  g_unix_signal_add (SIGTERM, quit, loop);
  g_main_loop_run (loop);
  return ts_follow_stop (follow, &error) ? TS_EXIT_DONE : ts_cli_fail (error);
}

static int
run_import (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  g_autofree char *workspace = NULL, *name = NULL;
  gboolean json = FALSE, follow = FALSE;
  const GOptionEntry entries[] = {
      {"workspace", 'w', 0, G_OPTION_ARG_FILENAME, &workspace, "where to [runs.trainscope]",
       "FILE"},
      {"name", 0, 0, G_OPTION_ARG_STRING, &name,
       "of the run whose files lie in the folder itself [the folder's]", "NAME"},
      {"follow", 0, 0, G_OPTION_ARG_NONE, &follow, "go on reading what is written, until Ctrl-C",
       NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "what was read, as JSON", NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_import, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  if (follow && (json || name || operands[1]))
    return ts_cli_usage_error (&ts_command_import,
                               "--follow takes one LOGDIR and neither --name nor --json");
  if (follow)
    return follow_path (operands[0], workspace ? workspace : "runs.trainscope");
  TsWriter *writer = ts_writer_open (workspace ? workspace : "runs.trainscope", &error);
  if (!writer)
    return ts_cli_fail (error);
  g_autoptr (JsonBuilder) b = json ? json_builder_new () : NULL;
  gboolean ok = import_all (writer, operands, name, b, &error);
  if (!ts_writer_close (writer, ok ? &error : NULL) || !ok)
    return ts_cli_fail (error);
  if (b)
    ts_cli_json_print (b, TRUE);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_import = {
    .name = "import",
    .usage = "LOGDIR… [-w WORKSPACE] [--name NAME] [--follow] [--json]",
    .summary = "take TensorBoard event files into a workspace; again: only what is new",
    .run = run_import,
};
