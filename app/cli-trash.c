/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/cli.h"
#include "data/store/error.h"
#include "data/store/writer.h"

extern const TsCommand ts_command_trash;

typedef enum { TO_TRASH, BACK, FOR_GOOD } What;

/* Of that name or uuid among those in the trash; 0: none, or more than one. */
static gint64
find_trashed (TsReader *reader, const char *what, GError **error)
{
  g_autoptr (GPtrArray) all = ts_reader_list_runs (reader, TRUE, error);
  g_autoptr (GString) uuids = g_string_new (NULL);
  gint64 run_id = 0;
  guint n = 0;

  for (guint i = 0; all && i < all->len; i++) {
    const TsRun *run = all->pdata[i];
    if (!run->trashed_us || strcmp (run->name, what) != 0)
      continue;
    run_id = run->run_id;
    g_string_append_printf (uuids, "%s%s", n++ ? ", " : "", run->uuid);
  }
  if (n > 1)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_AMBIGUOUS,
                 "%u runs in the trash are called '%s': say which by its uuid: %s", n, what,
                 uuids->str);
  if (n || !all)
    return n == 1 ? run_id : 0;
  g_autoptr (TsRun) run = ts_reader_find_run (reader, what, NULL);
  if (run && run->trashed_us)
    return run->run_id;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND, "no run '%s' is in the trash", what);
  return 0;
}

/* Another run may have its name by now. */
static gboolean
put_back (TsWriter *writer, TsReader *reader, gint64 run_id, GError **error)
{
  g_autoptr (GError) trouble = NULL;

  if (ts_writer_set_trashed (writer, run_id, FALSE, &trouble))
    return TRUE;
  g_autoptr (GPtrArray) all = ts_reader_list_runs (reader, TRUE, NULL);
  const TsRun *run = NULL;
  for (guint i = 0; all && i < all->len; i++)
    if (((TsRun *) all->pdata[i])->run_id == run_id)
      run = all->pdata[i];
  for (guint i = 2; run && g_error_matches (trouble, TS_STORE_ERROR, TS_STORE_ERROR_EXISTS); i++) {
    g_autofree char *name = g_strdup_printf ("%s (%u)", run->name, i);
    g_clear_error (&trouble);
    if (ts_writer_rename_run (writer, run_id, name, &trouble) &&
        ts_writer_set_trashed (writer, run_id, FALSE, &trouble)) {
      g_print ("'%s' is back as '%s': there is another '%s' now\n", run->name, name, run->name);
      return TRUE;
    }
  }
  g_propagate_error (error, g_steal_pointer (&trouble));
  return FALSE;
}

static gboolean
do_run (TsWriter *writer, TsReader *reader, const char *name, What what, GError **error)
{
  if (what == TO_TRASH) {
    g_autoptr (TsRun) run = ts_reader_find_run (reader, name, error);
    return run && ts_writer_set_trashed (writer, run->run_id, TRUE, error);
  }
  gint64 run_id = find_trashed (reader, name, error);
  if (!run_id)
    return FALSE;
  return what == BACK ? put_back (writer, reader, run_id, error)
                      : ts_writer_purge_run (writer, run_id, error);
}

/* What fails is told, and the others go on: after a purge that was broken off, the same command ends it. */
static gboolean
do_runs (TsWriter *writer, TsReader *reader, char **names, What what)
{
  gboolean ok = TRUE;

  for (guint i = 0; names[i]; i++) {
    g_autoptr (GError) error = NULL;
    if (do_run (writer, reader, names[i], what, &error))
      continue;
    g_printerr ("trainscope: %s\n", error->message);
    ok = FALSE;
  }
  return ok;
}

static gboolean
purge_all (TsWriter *writer, TsReader *reader)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = ts_reader_list_runs (reader, TRUE, &error);

  for (guint i = 0; all && !error && i < all->len; i++)
    if (((TsRun *) all->pdata[i])->trashed_us)
      ts_writer_purge_run (writer, ((TsRun *) all->pdata[i])->run_id, &error);
  if (error)
    g_printerr ("trainscope: %s\n", error->message);
  return !error;
}

static int
run_trash (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean undo = FALSE, purge = FALSE, ok;
  const GOptionEntry entries[] = {
      {"undo", 0, 0, G_OPTION_ARG_NONE, &undo, "out of the trash again", NULL},
      {"purge", 0, 0, G_OPTION_ARG_NONE, &purge,
       "what is in the trash for good, with its checkpoints; no RUN: all of it", NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_trash, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  if (!operands[1] && !purge)
    return ts_cli_usage_error (&ts_command_trash, "which runs? 'trainscope runs %s' lists them",
                               operands[0]);
  if (undo && purge)
    return ts_cli_usage_error (&ts_command_trash, "--undo or --purge, not both");
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  TsWriter *writer = reader ? ts_writer_open (operands[0], &error) : NULL;
  if (!writer)
    return ts_cli_fail (error);
  What what = purge ? FOR_GOOD : undo ? BACK : TO_TRASH;
  ok = operands[1] ? do_runs (writer, reader, operands + 1, what) : purge_all (writer, reader);
  if (!ts_writer_close (writer, &error))
    return ts_cli_fail (error);
  return ok ? TS_EXIT_DONE : TS_EXIT_FAILED;
}

const TsCommand ts_command_trash = {
    .name = "trash",
    .usage = "WORKSPACE RUN… [--undo|--purge], or WORKSPACE --purge",
    .summary = "put runs into the trash, take them out, or delete them for good",
    .run = run_trash,
};
