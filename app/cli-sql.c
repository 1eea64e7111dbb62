/* SPDX-License-Identifier: MIT */
#include "app/cli.h"
#include "data/store/tables.h"

extern const TsCommand ts_command_sql;

static int
run_sql (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE, csv = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "an array of objects", NULL},
      {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, "comma-separated, with the names first", NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_sql, argc, argv, entries, 2, 2, &operands, &status))
    return status;
  if (json && csv)
    return ts_cli_usage_error (&ts_command_sql, "--json or --csv, not both");
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  g_autoptr (TsTables) tables = reader ? ts_tables_open (reader, &error) : NULL;
  TsRowsForm form = json ? TS_ROWS_JSON : csv ? TS_ROWS_CSV : TS_ROWS_TABLE;
  if (!tables || !ts_tables_query (tables, operands[1], form, stdout, &error))
    return ts_cli_fail (error);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_sql = {
    .name = "sql",
    .usage = "WORKSPACE QUERY [--json|--csv]",
    .summary = "ask the tables runs, hparams, scalars, histograms, samples and pr_curves",
    .run = run_sql,
};
