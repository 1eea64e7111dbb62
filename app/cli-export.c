/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "app/cli.h"
#include "data/store/tables.h"

extern const TsCommand ts_command_export;

static gboolean
export_text (TsTables *tables, char **runs, TsRowsForm form, const char *path, GError **error)
{
  FILE *file = path ? g_fopen (path, "w") : stdout;

  if (!file) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot write %s: %s", path,
                 g_strerror (errno));
    return FALSE;
  }
  gboolean ok = ts_tables_write_points (tables, runs, form, file, error);
  gboolean wrote = ferror (file) == 0;
  if (path)
    wrote = fclose (file) == 0 && wrote;
  if (ok && path && !wrote) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot write %s: %s", path,
                 g_strerror (errno));
    ok = FALSE;
  }
  return ok;
}

/* Names for what the operands said: uuids, prefixes.  NULL: one of them is no run. */
static char **
find_names (TsReader *reader, char **what, GError **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; what[i]; i++) {
    g_autoptr (TsRun) run = ts_reader_find_run (reader, what[i], error);
    if (!run)
      return NULL;
    g_strv_builder_add (names, run->name);
  }
  return g_strv_builder_end (names);
}

static int
run_export (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  g_autofree char *to = NULL, *output = NULL;
  const GOptionEntry entries[] = {
      {"to", 0, 0, G_OPTION_ARG_STRING, &to, "what to write [csv]", "csv|json|sqlite"},
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "where [standard output]", "FILE"},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_export, argc, argv, entries, 1, -1, &operands, &status))
    return status;
  gboolean csv = !to || strcmp (to, "csv") == 0, json = g_strcmp0 (to, "json") == 0;
  if (!csv && !json && strcmp (to, "sqlite") != 0)
    return ts_cli_usage_error (&ts_command_export, "--to is csv, json or sqlite, not '%s'", to);
  if (!csv && !json && !output)
    return ts_cli_usage_error (&ts_command_export, "--to sqlite needs a file: -o FILE");
  g_autoptr (TsReader) reader = ts_reader_open (operands[0], &error);
  g_auto (GStrv) runs = reader ? find_names (reader, operands + 1, &error) : NULL;
  g_autoptr (TsTables) tables = runs ? ts_tables_open (reader, &error) : NULL;
  if (!tables)
    return ts_cli_fail (error);
  gboolean ok = csv || json
                    ? export_text (tables, runs, csv ? TS_ROWS_CSV : TS_ROWS_JSON, output, &error)
                    : ts_tables_copy (tables, runs, output, &error);
  return ok ? TS_EXIT_DONE : ts_cli_fail (error);
}

const TsCommand ts_command_export = {
    .name = "export",
    .usage = "WORKSPACE [RUN…] [--to csv|json|sqlite] [-o FILE]",
    .summary = "write all points of all runs, with every digit",
    .run = run_export,
};
