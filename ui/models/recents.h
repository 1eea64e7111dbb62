/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The workspaces that were opened lately, latest first, kept in
 * $XDG_STATE_HOME/trainscope/recent, a path a line.  The file is read and written by a worker;
 * those that are gone from disk are left out, not forgotten.  Main thread.
 *
 * Signal "changed": the list is another one. */
#define TS_TYPE_RECENTS (ts_recents_get_type ())
G_DECLARE_FINAL_TYPE (TsRecents, ts_recents, TS, RECENTS, GObject)

#define TS_RECENTS_MAX 12

typedef struct {
  char *path; /* absolute */
  gint64 modified_us, size_bytes;
} TsRecent;

/* Begins to read. */
TsRecents *ts_recents_new (void);

/* Puts @path first and writes the file.  It is listed when its file is there. */
void ts_recents_add (TsRecents *recents, const char *path);

/* Looks anew. */
void ts_recents_refresh (TsRecents *recents);

guint ts_recents_get_n (TsRecents *recents);
const TsRecent *ts_recents_get (TsRecents *recents, guint index);

G_END_DECLS
