/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include "data/store/error.h"
#include "data/store/flush.h"

/* What a reader remembers of the flush log.  Rows are read once, by flush_id; rows that were sealed
 * and deleted before they were seen leave a gap, and the tail starts anew behind it: what is
 * missing lies in chunks by then. */

#define TAIL_POINTS 2048 /* beyond this, what is sealed is dropped */

void
ts_tail_free (gpointer data)
{
  TsTail *tail = data;

  g_array_unref (tail->points);
  g_free (tail);
}

TsTail *
ts_tails_lookup (TsReader *reader, gint64 series_id)
{
  return g_hash_table_lookup (reader->tails, &series_id);
}

typedef struct {
  TsReader *reader;
  gint64 attempt_id;
} Row;

static TsTail *
get_tail (TsReader *reader, gint64 series_id, gint64 seq)
{
  TsTail *tail = ts_tails_lookup (reader, series_id);

  if (!tail) {
    tail = g_new0 (TsTail, 1);
    tail->series_id = series_id;
    tail->seq0 = seq;
    tail->points = g_array_new (FALSE, FALSE, sizeof (TsTailPoint));
    g_hash_table_insert (reader->tails, &tail->series_id, tail);
  }
  return tail;
}

static gboolean
trim (TsReader *reader, TsTail *tail, GError **error)
{
  gint64 next_seq = 0;

  if (tail->points->len <= TAIL_POINTS)
    return TRUE;
  if (!ts_sql_get (reader->sql, &next_seq, error,
                   "SELECT next_seq FROM series WHERE series_id = ?1", "i", tail->series_id))
    return FALSE;
  gint64 n = CLAMP (next_seq - tail->seq0, 0, (gint64) tail->points->len);
  g_array_remove_range (tail->points, 0, (guint) n);
  tail->seq0 += n;
  return TRUE;
}

static gboolean
take_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
            gpointer data, GError **error)
{
  Row *row = data;
  TsTail *tail = get_tail (row->reader, series_id, seq);
  gint64 end = tail->seq0 + tail->points->len;

  if (seq < end)
    return ts_reader_corrupt (row->reader, error,
                              "the flush log repeats point %" G_GINT64_FORMAT
                              " of series %" G_GINT64_FORMAT,
                              seq, series_id);
  if (seq > end) {
    g_array_set_size (tail->points, 0);
    tail->seq0 = seq;
  }
  for (guint i = 0; i < n; i++) {
    TsTailPoint point = {points[i], row->attempt_id, wall};
    g_array_append_val (tail->points, point);
  }
  return trim (row->reader, tail, error);
}

gboolean
ts_tails_update (TsReader *reader, GError **error)
{
  TsSql *sql = reader->sql;
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      sql, error,
      "SELECT flush_id, attempt_id, crc, data FROM flush_log WHERE flush_id > ?1 ORDER BY flush_id",
      "i", reader->last_flush_id);

  while (q && (more = ts_sql_next (sql, q, error)) == 1) {
    Row row = {reader, sqlite3_column_int64 (q, 1)};
    if (!ts_flush_decode (sqlite3_column_blob (q, 3), (gsize) sqlite3_column_bytes (q, 3),
                          (guint32) sqlite3_column_int64 (q, 2), take_group, &row, error)) {
      g_prefix_error (error, "%s: ", reader->path);
      ts_sql_reset (q);
      /* Half a row may be in; the next call reads the log from its start. */
      g_hash_table_remove_all (reader->tails);
      reader->last_flush_id = 0;
      return FALSE;
    }
    reader->last_flush_id = sqlite3_column_int64 (q, 0);
  }
  return more == 0;
}

gboolean
ts_tails_add_stats (TsReader *reader, gint64 series_id, gint64 next_seq, TsStats *stats,
                    GError **error)
{
  TsTail *tail = ts_tails_lookup (reader, series_id);

  if (!tail || tail->seq0 + tail->points->len <= next_seq)
    return TRUE;
  if (tail->seq0 > next_seq)
    return ts_reader_corrupt (reader, error,
                              "points %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                              " of series %" G_GINT64_FORMAT " are missing",
                              next_seq, tail->seq0, series_id);
  for (gint64 i = next_seq - tail->seq0; i < tail->points->len; i++) {
    const TsTailPoint *p = &g_array_index (tail->points, TsTailPoint, i);
    ts_stats_add (stats, &p->point, p->wall);
  }
  return TRUE;
}

/* --- News --- */

typedef struct {
  TsNewsFunc func;
  gpointer data;
  gint64 attempt_id;
} News;

static gboolean
tell_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
            gpointer data, GError **error)
{
  News *news = data;

  news->func (series_id, news->attempt_id, seq, wall, points, n, news->data);
  return TRUE;
}

gboolean
ts_reader_read_news (TsReader *reader, TsNewsFunc func, gpointer user_data, GError **error)
{
  News news = {func, user_data, 0};
  TsSql *sql = reader->sql;
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      sql, error,
      "SELECT flush_id, attempt_id, crc, data FROM flush_log WHERE flush_id > ?1 ORDER BY flush_id",
      "i", reader->news_flush_id);

  /* One statement is a snapshot of its own. */
  while (q && (more = ts_sql_next (sql, q, error)) == 1) {
    news.attempt_id = sqlite3_column_int64 (q, 1);
    if (!ts_flush_decode (sqlite3_column_blob (q, 3), (gsize) sqlite3_column_bytes (q, 3),
                          (guint32) sqlite3_column_int64 (q, 2), tell_group, &news, error)) {
      g_prefix_error (error, "%s: ", reader->path);
      ts_sql_reset (q);
      return FALSE;
    }
    reader->news_flush_id = sqlite3_column_int64 (q, 0);
  }
  return more == 0;
}
