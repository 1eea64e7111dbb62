/* SPDX-License-Identifier: MIT */
#include "app/window-loader.h"

#include "app/module-loader.h"

gboolean
ts_window_loader_can_open (void)
{
  static const char *const displays[] = {"DISPLAY", "WAYLAND_DISPLAY", "BROADWAY_DISPLAY"};

  for (guint i = 0; i < G_N_ELEMENTS (displays); i++) {
    const char *value = g_getenv (displays[i]);
    if (value && *value)
      return TS_HAVE_WINDOW;
  }
  return FALSE;
}

int
ts_window_loader_run (const char *program, const char *path, const char *train)
{
  g_autofree char *message = NULL;
  int (*run) (const char *program, const char *path, const char *train) = NULL;

  *(void **) &run = ts_module_find ("trainscope-window.so", "ts_window_main", &message);
  if (!run) {
    g_printerr ("trainscope: the window cannot be loaded: %s\n", message);
    return 1;
  }
  return run (program, path, train);
}
