/* SPDX-License-Identifier: MIT */
#include "engine/base/file.h"

#include <sys/stat.h>

gboolean
ts_file_check_regular (const char *path, GError **error)
{
  struct stat info;

  if (stat (path, &info) != 0 || S_ISREG (info.st_mode))
    return TRUE;
  g_set_error (error, G_FILE_ERROR,
               S_ISDIR (info.st_mode) ? G_FILE_ERROR_ISDIR : G_FILE_ERROR_INVAL,
               "%s is %s, not a file", path,
               S_ISDIR (info.st_mode)    ? "a folder"
               : S_ISFIFO (info.st_mode) ? "a pipe"
                                         : "a device");
  return FALSE;
}
