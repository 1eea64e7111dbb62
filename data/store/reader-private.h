/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"
#include "data/store/sql-private.h"

G_BEGIN_DECLS

/* A point of the flush log. */
typedef struct {
  TsPoint point;
  gint64 attempt_id;
  TsWallKind wall;
} TsTailPoint;

/* The last points of a series, as the flush log gave them: seq0, seq0 + 1, …  They cover all that
 * is unsealed, and may reach back into what has been sealed since. */
typedef struct {
  gint64 series_id;
  gint64 seq0;
  GArray *points; /* of TsTailPoint */
} TsTail;

struct TsReader {
  TsSql *sql;
  char *path, *folder;
  char *copy; /* the temporary folder, or NULL */
  gint64 data_version;
  GHashTable *tails; /* series_id → TsTail */
  gint64 last_flush_id;
  gint64 news_flush_id; /* the last row that ts_reader_read_news gave */
};

/* A snapshot.  Begin also brings the tails up to date with it. */
gboolean ts_reader_begin (TsReader *reader, GError **error);
void ts_reader_end (TsReader *reader);

/* tail.c */
gboolean ts_tails_update (TsReader *reader, GError **error);
TsTail *ts_tails_lookup (TsReader *reader, gint64 series_id);
void ts_tail_free (gpointer tail);
/* Adds to @stats, which covers the points before @next_seq, those after.  FALSE: a gap. */
gboolean ts_tails_add_stats (TsReader *reader, gint64 series_id, gint64 next_seq, TsStats *stats,
                             GError **error);

/* Which attempts a run has, and what they hide. */
typedef struct {
  gint64 attempt_id, hide_from; /* steps >= hide_from are hidden, if hides */
  gint32 ordinal;
  gboolean hides;
} TsAttemptView;

/* By ordinal; a GArray of TsAttemptView.  NULL on failure.  @series_id: whose points or items are looked at
 * (attempts may hide series by series), or 0. */
GArray *ts_reader_attempt_views (TsReader *reader, gint64 run_id, gint64 series_id, GError **error);
gboolean ts_reader_find_series (TsReader *reader, gint64 series_id, gint64 *run_id,
                                gint64 *next_seq, GError **error);
/* All of a blob, checked. */
GBytes *ts_reader_dup_blob (TsReader *reader, gint64 blob_id, GError **error);
/* NULL with an error when the run has no such attempt. */
const TsAttemptView *ts_attempt_views_find (TsReader *reader, const GArray *views,
                                            gint64 attempt_id, GError **error);
static inline gboolean
ts_attempt_view_hides (const TsAttemptView *view, gint64 step)
{
  return view->hides && step >= view->hide_from;
}

/* reader-tags.c: columns 0 to 17 of TS_HEAD_COLUMNS */
#define TS_HEAD_COLUMNS                                                                            \
  " series_id, kind, next_seq, flags, n, first_step, last_step, min_step, max_step, last_us,"      \
  " first_bits, last_bits, min_bits, max_bits, sum_bits, finite, nan, pos_inf, neg_inf "
/* The exact statistics of the series in the present row: the head and the tail. */
gboolean ts_reader_row_stats (TsReader *reader, sqlite3_stmt *row, TsStats *stats, GError **error);

/* The bytes of a column as a C string. */
char *ts_sql_dup_bytes (sqlite3_stmt *row, int column);

gboolean ts_reader_corrupt (TsReader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* A time in µs that a calendar has: of the years 1 to 9999. */
static inline gint64
ts_reader_time (sqlite3_stmt *q, int column)
{
  return CLAMP (sqlite3_column_int64 (q, column), -62130000000000000, 253400000000000000);
}

G_END_DECLS
