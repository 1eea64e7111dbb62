/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "data/store/reader.h"

G_BEGIN_DECLS

/* The command line: one subcommand, one file cli-<name>.c with `const TsCommand ts_command_<name>`.
 * Exit status: 0 done, 1 the work failed, 2 wrong usage.  Results go to stdout, everything else to
 * stderr; no subcommand needs a display. */

typedef struct {
  const char *name;
  const char *usage;                  /* "WORKSPACE RUN [--json]" */
  const char *summary;                /* one line */
  int (*run) (int argc, char **argv); /* argv[0] is the subcommand */
} TsCommand;

extern const TsCommand *const ts_command_table[]; /* NULL-ended, in name order */

enum { TS_EXIT_DONE = 0, TS_EXIT_FAILED = 1, TS_EXIT_USAGE = 2 };

/* Parses @entries (may be NULL) out of @argv; what is left are operands, of which there must be
 * from @min to @max (-1: any number).  Prints help and errors itself.  FALSE: leave with *status.
 * @operands: transfer full, without the subcommand. */
gboolean ts_cli_parse (const TsCommand *command, int argc, char **argv, const GOptionEntry *entries,
                       int min, int max, char ***operands, int *status);

/* "trainscope: MESSAGE" on stderr, line breaks indented.  Returns TS_EXIT_FAILED, or TS_EXIT_USAGE
 * when the error is about usage (an unknown or ambiguous name). */
int ts_cli_fail (const GError *error);
int ts_cli_usage_error (const TsCommand *command, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A number as JSON: NaN and infinities as the strings "NaN", "Infinity", "-Infinity". */
void ts_cli_json_number (JsonBuilder *builder, const char *key, double value);
void ts_cli_json_text (JsonBuilder *builder, const char *key, const char *value); /* NULL: null */
void ts_cli_json_int (JsonBuilder *builder, const char *key, gint64 value);

/* Prints what @builder holds on one line (streams) or indented (documents) and flushes. */
void ts_cli_json_print (JsonBuilder *builder, gboolean pretty);

/* A number for people: six significant digits, "NaN", "∞". */
char *ts_cli_dup_number (double value);

/* Does the file begin as SQLite's do? */
gboolean ts_cli_is_database (const char *path);
/* FALSE with an error when a file stands there that a command must not write over: any, or with @replace only
 * a database, which may be a workspace that is open. */
gboolean ts_cli_check_output (const char *path, gboolean replace, GError **error);

/* As ts_reader_find_run, but a run in the trash is an error that says how to take it out. */
TsRun *ts_cli_find_live_run (TsReader *reader, const char *what, GError **error);

G_END_DECLS
