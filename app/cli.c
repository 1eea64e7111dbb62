/* SPDX-License-Identifier: MIT */
#include "app/cli.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/store/error.h"
#include "engine/base/error.h"

/* GOption leaves the "--" in, before which options end. */
static void
drop_dashes (char **args)
{
  for (; *args; args++)
    if (strcmp (*args, "--") == 0) {
      g_free (*args);
      for (; *args; args++)
        args[0] = args[1];
      return;
    }
}

gboolean
ts_cli_parse (const TsCommand *command, int argc, char **argv, const GOptionEntry *entries, int min,
              int max, char ***operands, int *status)
{
  g_autofree char *usage = g_strdup_printf ("%s", command->usage);
  g_autoptr (GOptionContext) context = g_option_context_new (usage);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) args = g_new0 (char *, argc + 2);

  /* GOption takes argv[0] for the program's name */
  args[0] = g_strdup_printf ("trainscope %s", command->name);
  for (int i = 1; i < argc; i++)
    args[i] = g_strdup (argv[i]);
  g_set_prgname (args[0]);
  g_option_context_set_summary (context, command->summary);
  if (entries)
    g_option_context_add_main_entries (context, entries, NULL);
  *status = TS_EXIT_USAGE;
  if (!g_option_context_parse_strv (context, &args, &error)) {
    ts_cli_usage_error (command, "%s", error->message);
    return FALSE;
  }
  drop_dashes (args);
  int n = (int) g_strv_length (args) - 1;
  if (n < min || (max >= 0 && n > max)) {
    ts_cli_usage_error (command,
                        n < min ? "'%s' is missing an argument" : "'%s' is one too many",
                        n < min ? command->name : args[1 + max]);
    return FALSE;
  }
  *operands = g_strdupv (args + 1);
  *status = TS_EXIT_DONE;
  return TRUE;
}

static void
print_error (const char *message)
{
  g_auto (GStrv) lines = g_strsplit (message, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    g_printerr (i ? "  %s\n" : "trainscope: %s\n", lines[i]);
}

int
ts_cli_fail (const GError *error)
{
  print_error (error->message);
  if (g_error_matches (error, TS_STORE_ERROR, TS_STORE_ERROR_AMBIGUOUS) ||
      g_error_matches (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND) ||
      g_error_matches (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME))
    return TS_EXIT_USAGE;
  return TS_EXIT_FAILED;
}

int
ts_cli_usage_error (const TsCommand *command, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  print_error (message);
  g_printerr ("usage: trainscope %s %s\n", command->name, command->usage);
  return TS_EXIT_USAGE;
}

void
ts_cli_json_number (JsonBuilder *b, const char *key, double value)
{
  if (key)
    json_builder_set_member_name (b, key);
  if (isnan (value))
    json_builder_add_string_value (b, "NaN");
  else if (isinf (value))
    json_builder_add_string_value (b, value > 0 ? "Infinity" : "-Infinity");
  else
    json_builder_add_double_value (b, value);
}

void
ts_cli_json_text (JsonBuilder *b, const char *key, const char *value)
{
  g_autofree char *valid = value ? g_utf8_make_valid (value, -1) : NULL;

  if (key)
    json_builder_set_member_name (b, key);
  if (valid)
    json_builder_add_string_value (b, valid);
  else
    json_builder_add_null_value (b);
}

void
ts_cli_json_int (JsonBuilder *b, const char *key, gint64 value)
{
  if (key)
    json_builder_set_member_name (b, key);
  json_builder_add_int_value (b, value);
}

/* json-glib 1.6 writes 1e-300 as "1e-300.0", which is no JSON: takes the ".0" away. */
static void
mend_exponents (char *text)
{
  gboolean quoted = FALSE, exponent = FALSE;
  char *to = text;

  for (const char *p = text; *p; p++) {
    if (*p == '"')
      quoted = !quoted;
    if (quoted && *p == '\\')
      *to++ = *p++;
    if (exponent && p[0] == '.' && p[1] == '0') {
      p++;
      continue;
    }
    exponent =
        !quoted && (*p == 'e' || (exponent && (g_ascii_isdigit (*p) || *p == '-' || *p == '+')));
    *to++ = *p;
  }
  *to = 0;
}

void
ts_cli_json_print (JsonBuilder *b, gboolean pretty)
{
  g_autoptr (JsonNode) root = json_builder_get_root (b);
  g_autofree char *text = json_to_string (root, pretty);
  mend_exponents (text);
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  fputs (line, stdout); /* in one: other threads print lines, too */
  fflush (stdout);
}

char *
ts_cli_dup_number (double value)
{
  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "-∞");
  return g_strdup_printf ("%.6g", value);
}

gboolean
ts_cli_is_database (const char *path)
{
  static const char magic[16] = "SQLite format 3";
  char head[sizeof magic];
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "rbe") : NULL;
  gboolean is = file && fread (head, sizeof head, 1, file) == 1 &&
                memcmp (head, magic, sizeof head) == 0;

  if (file)
    fclose (file);
  return is;
}

gboolean
ts_cli_check_output (const char *path, gboolean replace, GError **error)
{
  gboolean database = ts_cli_is_database (path);

  if (!g_file_test (path, G_FILE_TEST_EXISTS) || (replace && !database))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               "%s exists already%s and is not overwritten: give another name, or remove it first",
               path, database ? ", a database," : "");
  return FALSE;
}

TsRun *
ts_cli_find_live_run (TsReader *reader, const char *what, GError **error)
{
  g_autoptr (TsRun) run = ts_reader_find_run (reader, what, error);

  if (!run || !run->trashed_us)
    return g_steal_pointer (&run);
  g_autofree char *quoted = g_shell_quote (what),
                  *workspace = g_shell_quote (ts_reader_get_path (reader));
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
               "the run '%s' is in the trash; take it out: trainscope trash %s %s --undo", what,
               workspace, quoted);
  return NULL;
}
