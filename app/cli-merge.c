/* SPDX-License-Identifier: MIT */
#include "app/cli.h"
#include "data/store/merge.h"
#include "data/store/unpack.h"

extern const TsCommand ts_command_merge;

static int
run_merge (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  g_autofree char *workspace = NULL;
  const GOptionEntry entries[] = {
      {"workspace", 'w', 0, G_OPTION_ARG_FILENAME, &workspace, "where to [runs.trainscope]",
       "FILE"},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;
  gboolean ok = TRUE;

  if (!ts_cli_parse (&ts_command_merge, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  TsWriter *writer = ts_writer_open (workspace ? workspace : "runs.trainscope", &error);
  if (!writer)
    return ts_cli_fail (error);
  for (guint i = 0; ok && operands[i]; i++) {
    TsMergeReport report;
    guint checkpoints = 0, damaged = 0;
    ok = ts_merge (writer, operands[i], &report, &error) &&
         ts_unpack (writer, NULL, &checkpoints, &damaged, &error);
    if (!ok)
      break;
    g_print ("%s: %u new runs, %u that have grown, %u known", operands[i], report.added,
             report.grown, report.known);
    if (checkpoints)
      g_print ("; %u checkpoints unpacked", checkpoints);
    g_print ("\n");
    if (damaged)
      g_printerr ("trainscope: %u packed checkpoints are damaged and stay inside\n", damaged);
  }
  if (!ts_writer_close (writer, ok ? &error : NULL) || !ok)
    return ts_cli_fail (error);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_merge = {
    .name = "merge",
    .usage = "FILE… [-w WORKSPACE]",
    .summary = "take the runs of other workspaces; again: changes nothing",
    .run = run_merge,
};
