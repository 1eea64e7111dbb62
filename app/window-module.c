/* SPDX-License-Identifier: MIT */
#include "app/window-module.h"

#include "app/application.h"

int
ts_window_main (const char *program, const char *path)
{
  char *argv[] = {(char *) program, NULL};

  gtk_disable_setlocale (); /* numbers read and print alike everywhere */
  if (!gtk_init_check ()) {
    g_printerr ("trainscope: no display to open a window on; 'trainscope --help' lists what works "
                "without one\n");
    return 1;
  }
  g_autoptr (TsApplication) app = ts_application_new (path);
  return g_application_run (G_APPLICATION (app), 1, argv);
}
