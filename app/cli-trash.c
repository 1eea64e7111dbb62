/* SPDX-License-Identifier: MIT */
#include "app/cli.h"
#include "data/store/writer.h"

extern const TsCommand ts_command_trash;

typedef enum { TO_TRASH, BACK, FOR_GOOD } What;

static gboolean
do_run (TsWriter *writer, TsReader *reader, const char *name, What what, GError **error)
{
  g_autoptr (TsRun) run = ts_reader_find_run (reader, name, error);

  if (!run)
    return FALSE;
  if (what == FOR_GOOD)
    return ts_writer_purge_run (writer, run->run_id, error);
  return ts_writer_set_trashed (writer, run->run_id, what == TO_TRASH, error);
}

static int
run_trash (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean undo = FALSE, purge = FALSE, ok = TRUE;
  const GOptionEntry entries[] = {
      {"undo", 0, 0, G_OPTION_ARG_NONE, &undo, "out of the trash again", NULL},
      {"purge", 0, 0, G_OPTION_ARG_NONE, &purge,
       "what is in the trash for good, with its checkpoints", NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_trash, argc, argv, entries, 2, -1, &operands, &status))
    return status;
  if (undo && purge)
    return ts_cli_usage_error (&ts_command_trash, "--undo or --purge, not both");
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  TsWriter *writer = reader ? ts_writer_open (operands[0], &error) : NULL;
  if (!writer)
    return ts_cli_fail (error);
  for (guint i = 1; ok && operands[i]; i++)
    ok = do_run (writer, reader, operands[i], purge ? FOR_GOOD : undo ? BACK : TO_TRASH, &error);
  if (!ts_writer_close (writer, ok ? &error : NULL) || !ok)
    return ts_cli_fail (error);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_trash = {
    .name = "trash",
    .usage = "WORKSPACE RUN… [--undo|--purge]",
    .summary = "put runs into the trash, take them out, or delete them for good",
    .run = run_trash,
};
