/* SPDX-License-Identifier: MIT */
#include "app/window-loader.h"

#include <dlfcn.h>

#define MODULE "trainscope-window.so"

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

static void *
load (char **message)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname (program) : g_strdup (".");
  g_autofree char *beside = g_build_filename (folder, MODULE, NULL);
  g_autofree char *moved = g_build_filename (folder, "..", TS_MODULE_SUBDIR, MODULE, NULL);
  g_autofree char *installed = g_build_filename (TS_PREFIX, TS_MODULE_SUBDIR, MODULE, NULL);
  const char *path = g_file_test (beside, G_FILE_TEST_EXISTS)  ? beside
                     : g_file_test (moved, G_FILE_TEST_EXISTS) ? moved
                                                               : installed;
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);

  if (!module)
    *message = g_strdup (dlerror ());
  return module;
}

int
ts_window_loader_run (const char *program, const char *path)
{
  g_autofree char *message = NULL;
  void *module = load (&message);
  int (*run) (const char *program, const char *path) = NULL;

  if (module) {
    /* never closed: GTK's types cannot be unloaded */
    *(void **) &run = dlsym (module, "ts_window_main");
    if (!run)
      message = g_strdup (dlerror ());
  }
  if (!run) {
    g_printerr ("trainscope: the window cannot be loaded: %s\n", message);
    return 1;
  }
  return run (program, path);
}
