/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "engine/base/param.h"

G_BEGIN_DECLS

/* Reader of IDX files (the format of MNIST and its relatives), plain or gzip'd: bytes 0 0, type,
 * rank, then one big-endian u32 per axis, then the elements.  Only unsigned bytes (type 8) are
 * taken.  A stream that is read once from front to back, straight into the caller's memory, so a
 * file is never held twice.  Used by one thread.
 *
 * Errors: TS_SETS_ERROR_MISSING, _IO, _FORMAT (magic, type, truncated, damaged, too long), _LIMIT;
 * each names the file. */

#define TS_IDX_MAX_AXIS  100000000u          /* entries along one axis */
#define TS_IDX_MAX_BYTES ((guint64) 1 << 31) /* elements of one file */

typedef struct TsIdx TsIdx;

/* Opens @path and reads the header.  @rank: what the caller can use, counting the first axis. */
TsIdx *ts_idx_open (const char *path, guint rank, GError **error);
void ts_idx_close (TsIdx *idx);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsIdx, ts_idx_close)

/* Entries along the first axis, and bytes of each. */
gsize ts_idx_get_count (const TsIdx *idx);
gsize ts_idx_get_entry_bytes (const TsIdx *idx);

/* The size of axis @axis, 0 being the first. */
gsize ts_idx_get_axis (const TsIdx *idx, guint axis);

/* Reads the next @n entries into @out, or past them when @out is NULL. */
gboolean ts_idx_read (TsIdx *idx, gsize n, guint8 *out, GError **error);

/* Reads past what is left and checks that the file ends exactly where its header says (for gzip:
 * with the right checksum). */
gboolean ts_idx_finish (TsIdx *idx, GError **error);

G_END_DECLS
