/* SPDX-License-Identifier: MIT */
#include "app/module-loader.h"

#include <dlfcn.h>

void *
ts_module_find (const char *file, const char *symbol, char **message)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname (program) : g_strdup (".");
  g_autofree char *beside = g_build_filename (folder, file, NULL);
  g_autofree char *moved = g_build_filename (folder, "..", TS_MODULE_SUBDIR, file, NULL);
  g_autofree char *installed = g_build_filename (TS_PREFIX, TS_MODULE_SUBDIR, file, NULL);
  const char *path = g_file_test (beside, G_FILE_TEST_EXISTS)  ? beside
                     : g_file_test (moved, G_FILE_TEST_EXISTS) ? moved
                                                               : installed;
  /* never closed: the types of GTK cannot be unloaded */
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  void *found = module ? dlsym (module, symbol) : NULL;

  if (!found)
    *message = g_strdup (dlerror ());
  return found;
}
