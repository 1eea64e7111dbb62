/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A folder of event files that a window shows: its index is made and kept up to date in the background.  Main
 * thread; nothing here waits. */
typedef struct TsLogFolder TsLogFolder;

/* @workspace: the index, borrowed; NULL: @error says why.  When another window follows the folder already the
 * index is shown all the same. */
typedef void (*TsLogFolderOpened) (const char *workspace, const GError *error, gpointer user_data);

/* @opened is called from the main loop, unless the folder is closed before. */
TsLogFolder *ts_log_folder_open (const char *path, TsLogFolderOpened opened, gpointer user_data);
/* Ends following; what is being read is left for the next time. */
void ts_log_folder_close (TsLogFolder *folder);

G_END_DECLS
