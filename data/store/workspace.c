/* SPDX-License-Identifier: MIT */
#include "data/store/workspace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data/store/error.h"

const char *
ts_series_kind_name (TsSeriesKind kind)
{
  static const char *const names[] = {"scalar", "histogram", "image", "text", "audio", "tensor"};

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "unknown";
}

static void
set_error (const char *path, int code, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (path);

  if (code == ENOTDIR)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN,
                 "cannot open %s: a part of its path is a file, not a folder", path);
  else if (code == ENOENT)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN,
                 "cannot open %s: there is no folder %s", path, parent);
  else
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "cannot open %s: %s", path,
                 g_strerror (code));
}

char *
ts_workspace_find_path (const char *path, GError **error)
{
  struct stat st;
  char *whole = realpath (path, NULL);

  if (!*path) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "the workspace's name is empty");
    return NULL;
  }

  if (whole) {
    g_autofree char *copy = g_strdup (whole);
    free (whole);
    if (stat (copy, &st) == 0 && S_ISREG (st.st_mode))
      return g_steal_pointer (&copy);
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN,
                 "cannot open %s: it is not a regular file", path);
    return NULL;
  }
  if (errno != ENOENT) {
    set_error (path, errno, error);
    return NULL;
  }
  if (lstat (path, &st) == 0 && S_ISLNK (st.st_mode)) {
    g_autofree char *target = g_file_read_link (path, NULL);
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN,
                 "cannot open %s: it is a link to %s, which does not exist", path,
                 target ? target : "nothing");
    return NULL;
  }
  g_autofree char *parent = g_path_get_dirname (path), *name = g_path_get_basename (path);
  char *folder = realpath (parent, NULL);
  if (!folder || stat (folder, &st) != 0 || !S_ISDIR (st.st_mode)) {
    set_error (path, folder ? ENOTDIR : errno, error);
    free (folder);
    return NULL;
  }
  char *result = g_build_filename (folder, name, NULL);
  free (folder);
  return result;
}

char *
ts_workspace_dup_folder (const char *path)
{
  return g_strconcat (path, ".d", NULL);
}
