/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One writer per workspace: an open-file-description lock (F_OFD_SETLK) on the sibling FILE-lock.
 *
 * Why a sibling: SQLite holds POSIX record locks on FILE itself, and closing any descriptor of FILE
 * in the same process would drop them all; so nothing here ever opens FILE.  Why OFD and not
 * flock(): it can be tested (F_OFD_GETLK) without being taken, so a reader that asks "does it
 * live?" never stands in the way of a writer that is just starting.  The kernel drops it with the
 * process, however that dies.  The file says in text who holds it: "PID HOST TOKEN\n". */
typedef struct TsLock TsLock;

#define TS_LOCK_TOKEN_BYTES 16

/* @path: as ts_workspace_find_path gives it.  @token receives random bytes that name this writer;
 * every attempt it writes carries them.  Errors: LOCKED (naming process and host), READ_ONLY, OPEN.
 */
TsLock *ts_lock_acquire (const char *path, guint8 token[TS_LOCK_TOKEN_BYTES], GError **error);

/* Removes the sibling and lets go. */
void ts_lock_release (TsLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsLock, ts_lock_release)

/* TRUE when a living writer holds @path's lock; then @token is its.  Takes nothing.  Thread-safe.
 */
gboolean ts_lock_probe (const char *path, guint8 token[TS_LOCK_TOKEN_BYTES]);

G_END_DECLS
