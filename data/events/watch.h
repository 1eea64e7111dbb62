/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Waits until something changes in folders.  Where the system does not tell (too many folders, a network file
 * system), the timeout is what there is.  One thread waits; any may wake it. */
typedef struct TsWatch TsWatch;

TsWatch *ts_watch_new (void);
void ts_watch_free (TsWatch *watch);

/* The folders to look at, absolute paths; those of before are kept when they are among them. */
void ts_watch_set_folders (TsWatch *watch, GPtrArray *paths);
/* TRUE: something changed; FALSE: @timeout_ms passed, or it was woken. */
gboolean ts_watch_wait (TsWatch *watch, int timeout_ms);
/* Makes the wait return, now or the next time.  From any thread; safe in a signal handler. */
void ts_watch_wake (TsWatch *watch);

G_END_DECLS
