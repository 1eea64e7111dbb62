/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/point.h"

G_BEGIN_DECLS

/* The codec of chunk.data (docs/run-file.md, "A chunk").  Points of one series and one attempt. */

#define TS_CHUNK_POINTS     4096  /* the most the writer puts into one */
#define TS_CHUNK_POINTS_MAX 65536 /* what a reader accepts */

/* Codecs. */
#define TS_CHUNK_PLAIN  1 /* columns of fixed width */
#define TS_CHUNK_PACKED 2 /* columns as short as they will go */

/* Appends the chunk's bytes, the shorter of the two, to @out and returns the codec for the
 * column of that name. */
int ts_chunk_encode (GByteArray *out, TsWallKind wall, const TsPoint *points, guint n);

/* The same with the first of TS_CHUNK_POINTS points, as many as fill the database's pages well.
 * Returns how many.  @guess, in and out: what to try first, at first TS_CHUNK_POINTS; the better it
 * is, the fewer attempts it takes. */
guint ts_chunk_encode_full (GByteArray *out, TsWallKind wall, const TsPoint *points, guint *guess,
                            int *codec);

/* Appends the points to @points (a GArray of TsPoint).  @n and @codec: the row's columns, which
 * must agree with the bytes.  Never reads past the end, whatever the bytes; on failure @points is
 * as before.  Errors: TS_STORE_ERROR_CORRUPT. */
gboolean ts_chunk_decode (const guint8 *data, gsize size, guint32 crc, gint64 codec, gint64 n,
                          GArray *points, TsWallKind *wall, GError **error);

G_END_DECLS
