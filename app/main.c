/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>

#include "app/cli.h"

static void
print_help (void)
{
  g_print ("usage: trainscope COMMAND …\n\n");
  for (guint i = 0; ts_command_table[i]; i++)
    g_print ("  %-10s %s\n", ts_command_table[i]->name, ts_command_table[i]->summary);
  g_print ("\n'trainscope COMMAND --help' tells more about each.\n");
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : NULL;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* numbers read and print alike everywhere */
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
  g_printerr ("trainscope: unknown command '%s'\n", word);
  print_help ();
  return TS_EXIT_USAGE;
}
