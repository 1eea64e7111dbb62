/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/logdir.h"

G_BEGIN_DECLS

/* A thread that keeps a workspace up to date with a folder of event files, until it is stopped.  It owns the
 * workspace's writer; who looks at the runs opens the workspace for reading. */
typedef struct TsFollow TsFollow;

/* After each pass, on the thread; @error: why the last one failed, or NULL. */
typedef void (*TsFollowFunc) (const TsLogdirReport *report, const GError *error,
                              gpointer user_data);

/* @workspace NULL: the folder's index in the user's cache, which is made anew when it cannot be read and
 * forgets runs whose files are gone.  Errors: those of ts_writer_open (LOCKED: somebody follows it already),
 * TS_EVENTS_ERROR. */
TsFollow *ts_follow_start (const char *logdir, const char *workspace, TsFollowFunc func,
                           gpointer user_data, GError **error);
/* Makes the thread end soon, whatever it is reading; returns at once. */
void ts_follow_cancel (TsFollow *follow);
/* Ends the thread and closes the workspace.  Errors: what could not be written last. */
gboolean ts_follow_stop (TsFollow *follow, GError **error);

/* Where the index of a folder lies: $XDG_CACHE_HOME/trainscope/, by the hash of its path. */
char *ts_follow_dup_index_path (const char *logdir);

G_END_DECLS
