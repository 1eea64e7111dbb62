/* SPDX-License-Identifier: MIT */
#include <glib-unix.h>
#include <stdio.h>

#include "app/cli.h"
#include "data/events/follow.h"
#include "data/events/record.h"
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

/* Before a workspace is made for it. */
static gboolean
check_path (const char *path, GError **error)
{
  g_autoptr (TsRecordReader) reader = NULL;
  const guint8 *data;
  gsize size;
  gint64 offset;

  if (!*path || !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no folder or file '%s'", path);
    return FALSE;
  }
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  reader = ts_record_reader_open (path, 0, NULL, error);
  if (!reader)
    return FALSE;
  if (ts_record_reader_next (reader, &data, &size, &offset, NULL) != 0 ||
      ts_record_reader_get_tail (reader) != TS_TAIL_UNKNOWN)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "%s is no event file: there is no record in it%s", path,
               ts_cli_is_database (path) ? "; 'trainscope merge' takes in runs of a workspace"
                                         : "");
  return FALSE;
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

typedef struct {
  const char *path;
  gboolean failed; /* the last pass; the following thread's until it has been joined */
} Followed;

static void
tell_pass (const TsLogdirReport *report, const GError *error, gpointer data)
{
  Followed *followed = data;

  followed->failed = error != NULL;
  if (error)
    g_printerr ("trainscope: %s\n", error->message);
  else if (report->files_read)
    print_report (followed->path, report);
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
  Followed followed = {path, FALSE};
  TsFollow *follow = ts_follow_start (path, workspace, tell_pass, &followed, &error);

  if (!follow)
    return ts_cli_fail (error);
  g_unix_signal_add (SIGINT, quit, loop);
  g_unix_signal_add (SIGTERM, quit, loop);
  g_main_loop_run (loop);
  if (!ts_follow_stop (follow, &error))
    return ts_cli_fail (error);
  return followed.failed ? TS_EXIT_FAILED : TS_EXIT_DONE;
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
  for (guint i = 0; operands[i]; i++)
    if (!check_path (operands[i], &error))
      return ts_cli_fail (error);
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
    .usage = "LOGDIR… [-w WORKSPACE] [--name NAME] [--json], or LOGDIR [-w WORKSPACE] --follow",
    .summary = "take TensorBoard event files into a workspace; again: only what is new",
    .run = run_import,
};
