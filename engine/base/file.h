/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE: @path is something else than a file (a folder, a pipe, a device), which a reader would wait
 * for or never finish.  TRUE as well when there is nothing or it cannot be looked at: opening it says
 * why.  Errors: G_FILE_ERROR, naming the path and what it is. */
gboolean ts_file_check_regular (const char *path, GError **error);

G_END_DECLS
