/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"

G_BEGIN_DECLS

/* All that a workspace holds, looked through for damage: SQLite's own structure, then each chunk, level of detail,
 * row of the flush log, sample and blob by its checksum, and whether points are missing. */

typedef struct {
  gint64 runs, trashed, series, points, chunks, items, blobs, bytes; /* bytes: of the file's pages */
  GPtrArray *problems; /* of char *: what is damaged and where, TS_CHECK_PROBLEMS at most */
  gboolean stopped;    /* before the end */
} TsCheck;

#define TS_CHECK_PROBLEMS 100

/* FALSE stops the check. */
typedef gboolean (*TsCheckGoesOn) (gpointer user_data);

/* One snapshot, minutes for gigabytes that are not in memory.  @only_structure: SQLite's own (quick_check), which
 * ends at the first problem.  @goes_on is asked many times a second and may be NULL.  FALSE: it could not be read
 * at all. */
gboolean ts_reader_check (TsReader *reader, gboolean only_structure, TsCheckGoesOn goes_on,
                          gpointer user_data, TsCheck *check, GError **error);
void ts_check_clear (TsCheck *check);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsCheck, ts_check_clear)

G_END_DECLS
