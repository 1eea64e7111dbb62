/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Looks at the structure of a workspace in the background: it may have come from somebody else, or from a bad
 * disk.  @damaged is called from the main loop with SQLite's words for the first problem, unless the returned
 * cancellable, which the caller unrefs, was cancelled before. */
typedef void (*TsFileDamaged) (const char *path, const char *problem, gpointer user_data);
GCancellable *ts_file_check_start (const char *path, TsFileDamaged damaged, gpointer user_data);

G_END_DECLS
