/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/point.h"

G_BEGIN_DECLS

/* The record codec of flush_log.data (docs/run-file.md, "A row of the flush log"): all points that
 * one attempt gained in one commit, grouped by series. */

/* A row being written; on the stack. */
typedef struct {
  GByteArray *out;
  const TsPoint *points; /* of the group before */
  guint n;
  TsWallKind wall;
} TsFlush;

/* Starts a row in the empty @out. */
void ts_flush_begin (TsFlush *flush, GByteArray *out);

/* Adds points seq, seq + 1, … of one series; n >= 1.  @points must stay until the next call: series
 * that were recorded together share their steps and times. */
void ts_flush_add (TsFlush *flush, gint64 series_id, gint64 seq, TsWallKind wall,
                   const TsPoint *points, guint n);

/* One group of a row.  @points are valid during the call only. */
typedef gboolean (*TsFlushFunc) (gint64 series_id, gint64 seq, TsWallKind wall,
                                 const TsPoint *points, guint n, gpointer data, GError **error);

/* Calls @func for each group; stops when it returns FALSE.  Never reads past the end, whatever the
 * bytes.  Errors: TS_STORE_ERROR_CORRUPT, or those of @func. */
gboolean ts_flush_decode (const guint8 *data, gsize size, guint32 crc, TsFlushFunc func,
                          gpointer user_data, GError **error);

G_END_DECLS
