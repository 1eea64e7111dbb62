/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "app/cli.h"
#include "app/templates.h"
#include "app/window-loader.h"

static void
print_help (void)
{
  g_print ("usage: trainscope [WORKSPACE|LOGDIR] [--train TEMPLATE]    opens the window\n"
           "       trainscope COMMAND …\n\n");
  for (guint i = 0; ts_command_table[i]; i++)
    g_print ("  %-10s %s\n", ts_command_table[i]->name, ts_command_table[i]->summary);
  g_print ("\n'trainscope COMMAND --help' tells more about each.\n");
}

/* Does the word name a workspace rather than a subcommand? */
static gboolean
is_path (const char *word)
{
  return strchr (word, '/') || g_str_has_suffix (word, ".trainscope") ||
         g_file_test (word, G_FILE_TEST_EXISTS);
}

/* "[WORKSPACE] [--train TEMPLATE]"; FALSE: it is something else. */
static gboolean
parse_window (int argc, char **argv, const char **path, const char **train)
{
  for (int i = 1; i < argc; i++) {
    if (strcmp (argv[i], "--train") == 0 && !*train && i + 1 < argc)
      *train = argv[++i];
    else if (!*path && is_path (argv[i]))
      *path = argv[i];
    else
      return FALSE;
  }
  return TRUE;
}

static int
open_window (const char *program, const char *path, const char *train)
{
  if (train && !g_strv_contains (ts_template_names (), train)) {
    g_printerr ("trainscope: there is no template '%s'; 'trainscope models' lists them\n", train);
    return TS_EXIT_USAGE;
  }
  if (ts_window_loader_can_open ())
    return ts_window_loader_run (program, path, train);
  if (train)
    g_printerr ("trainscope: no display to open a window on; 'trainscope train %s' trains without "
                "one\n",
                train);
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    g_printerr (
        "trainscope: no display to open a window on; 'trainscope import %s' takes its event "
        "files into a workspace\n",
        path);
  else
    g_printerr ("trainscope: no display to open a window on; 'trainscope runs %s' lists the runs\n",
                path);
  return TS_EXIT_USAGE;
}

/* A full disk behind '>' is a failure, too. */
static int
check_output (int status)
{
  gboolean failed = fflush (stdout) != 0;

  if (!failed && !ferror (stdout))
    return status;
  g_printerr ("trainscope: cannot write to the standard output: %s\n",
              failed ? g_strerror (errno) : "an earlier write failed");
  return status ? status : TS_EXIT_FAILED;
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : NULL, *path = NULL, *train = NULL;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* numbers read and print alike everywhere */
  if (!word && ts_window_loader_can_open ())
    return ts_window_loader_run (argv[0], NULL, NULL);
  if (!word || strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0 ||
      strcmp (word, "help") == 0) {
    print_help ();
    return word ? TS_EXIT_DONE : TS_EXIT_USAGE;
  }
  if (strcmp (word, "--version") == 0) {
    g_print ("trainscope %s\n", TS_VERSION);
    return TS_EXIT_DONE;
  }
  for (guint i = 0; ts_command_table[i]; i++)
    if (strcmp (ts_command_table[i]->name, word) == 0)
      return check_output (ts_command_table[i]->run (argc - 1, argv + 1));
  if (parse_window (argc, argv, &path, &train))
    return open_window (argv[0], path, train);
  g_printerr ("trainscope: unknown command '%s'\n", word);
  print_help ();
  return TS_EXIT_USAGE;
}
