/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>

#include "app/cli.h"
#include "app/window-loader.h"

static void
print_help (void)
{
  g_print ("usage: trainscope [WORKSPACE]    opens the window\n"
           "       trainscope COMMAND …\n\n");
  for (guint i = 0; ts_command_table[i]; i++)
    g_print ("  %-10s %s\n", ts_command_table[i]->name, ts_command_table[i]->summary);
  g_print ("\n'trainscope COMMAND --help' tells more about each.\n");
}

/* Does the word name a workspace rather than a subcommand? */
static gboolean
is_path (const char *word)
{
  return strchr (word, '/') || g_str_has_suffix (word, ".trainscope") || g_file_test (word, G_FILE_TEST_EXISTS);
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : NULL;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* numbers read and print alike everywhere */
  if (!word && ts_window_loader_can_open ())
    return ts_window_loader_run (argv[0], NULL);
  if (!word || strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0 || strcmp (word, "help") == 0) {
    print_help ();
    return word ? TS_EXIT_DONE : TS_EXIT_USAGE;
  }
  if (strcmp (word, "--version") == 0) {
    g_print ("trainscope %s\n", TS_VERSION);
    return TS_EXIT_DONE;
  }
  for (guint i = 0; ts_command_table[i]; i++)
    if (strcmp (ts_command_table[i]->name, word) == 0)
      return ts_command_table[i]->run (argc - 1, argv + 1);
  if (argc == 2 && is_path (word)) {
    if (ts_window_loader_can_open ())
      return ts_window_loader_run (argv[0], word);
    g_printerr ("trainscope: no display to open a window on; 'trainscope runs %s' lists the runs\n", word);
    return TS_EXIT_USAGE;
  }
  g_printerr ("trainscope: unknown command '%s'\n", word);
  print_help ();
  return TS_EXIT_USAGE;
}
