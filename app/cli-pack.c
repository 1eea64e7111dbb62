/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/cli.h"
#include "data/store/pack-runs.h"

extern const TsCommand ts_command_pack;

static gboolean
find_runs (TsReader *reader, char **names, GArray *ids, GError **error)
{
  for (guint i = 0; names[i]; i++) {
    g_autoptr (TsRun) run = ts_cli_find_live_run (reader, names[i], error);
    if (!run)
      return FALSE;
    g_array_append_val (ids, run->run_id);
  }
  return TRUE;
}

static int
run_pack (int argc, char **argv)
{
  static const char *const kinds[] = {"none", "best", "all"};
  g_auto (GStrv) operands = NULL;
  g_autofree char *output = NULL, *checkpoints = NULL;
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "the file to make", "FILE"},
      {"checkpoints", 0, 0, G_OPTION_ARG_STRING, &checkpoints,
       "which to put inside: the best and the final one of each run [best]", "none|best|all"},
      {NULL},
  };
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;
  int status, which;

  if (!ts_cli_parse (&ts_command_pack, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  which = checkpoints ? -1 : TS_PACK_BEST;
  for (guint i = 0; checkpoints && i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (checkpoints, kinds[i]) == 0)
      which = (int) i;
  if (which < 0)
    return ts_cli_usage_error (&ts_command_pack, "--checkpoints is none, best or all, not '%s'",
                               checkpoints);
  if (!output)
    return ts_cli_usage_error (&ts_command_pack, "which file to make? -o FILE");
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  if (!reader || !find_runs (reader, operands + 1, ids, &error) ||
      !ts_cli_check_output (output, FALSE, &error) ||
      !ts_pack (reader, (const gint64 *) ids->data, ids->len, (TsPackCheckpoints) which, output,
                &error))
    return ts_cli_fail (error);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_pack = {
    .name = "pack",
    .usage = "WORKSPACE [RUN…] -o FILE [--checkpoints none|best|all]",
    .summary = "a workspace, or runs of it, as one file to send",
    .run = run_pack,
};
