/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/bucket.h"

G_BEGIN_DECLS

/* The levels of detail of a series (docs/run-file.md, "Levels of detail"): level 1, 2, … has buckets
 * of 64, 1024, … points, by seq, and the table `lod` rows of 64 whole buckets each. */

#define TS_LOD_LEVELS  7
#define TS_LOD_BUCKETS 64 /* in a row */

/* Points in a bucket of @level, and in a row of them. */
static inline gint64
ts_lod_width (guint level)
{
  return (gint64) 64 << 4 * (level - 1);
}

static inline gint64
ts_lod_row_width (guint level)
{
  return ts_lod_width (level) * TS_LOD_BUCKETS;
}

/* The codec of lod.data.  Appends a row. */
void ts_lod_encode (GByteArray *out, guint level, const TsBucket *buckets);

/* Fills TS_LOD_BUCKETS @buckets from a row.  @n: the row's column.  Never reads past the end,
 * whatever the bytes. Errors: TS_STORE_ERROR_CORRUPT. */
gboolean ts_lod_decode (const guint8 *data, gsize size, guint32 crc, guint level, gint64 n,
                        TsBucket *buckets, GError **error);

G_END_DECLS
