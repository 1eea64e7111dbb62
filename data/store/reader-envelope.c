/* SPDX-License-Identifier: MIT */
#include "data/store/chunk.h"
#include "data/store/error.h"
#include "data/store/lod.h"
#include "data/store/reader-private.h"

/* An envelope is put together in seq order: at each place the largest whole bucket that lies inside
 * the range, is in the file, and is hidden as a whole or not at all; where there is none, points. */

typedef struct {
  gint64 idx; /* -1: nothing looked up yet */
  gboolean there;
  TsBucket buckets[TS_LOD_BUCKETS];
} Row;

typedef struct {
  TsReader *reader;
  gint64 series_id, next_seq, lod_seq;
  gint64 from, at, to; /* everything before at has been taken */
  guint level;         /* the deepest that is fine enough; 0: points */
  GArray *views;
  gboolean hides; /* some attempt does, and the lowest step it hides */
  gint64 hide_from;
  TsEnvelopeColumn *columns, *column; /* those asked for, and the one that at lies in */
  guint n_columns;
  const TsTail *tail;
  gint64 chunk_seq; /* of the chunk in points */
  GArray *points;   /* of TsPoint */
  TsWallKind wall;
  const TsAttemptView *chunk_view;
  const TsAttemptView *view;  /* the one found last */
  sqlite3_stmt *scan;         /* rows of level, from the first one wanted on */
  Row row[TS_LOD_LEVELS + 1]; /* the last one of each level; [0] is not used */
} Query;

/* --- Columns --- */

static gint64
edge (const Query *q, guint i)
{
  gint64 span = q->to - q->from, n = q->n_columns;

  if (i == 0 || i == n)
    return i ? q->to : q->from;
  gint64 seq = q->from + span / n * i + span % n * i / n;
  if (q->level)
    seq -= seq % ts_lod_width (q->level);
  return MAX (seq, q->from);
}

static void
make_columns (Query *q, GArray *columns)
{
  guint base = columns->len;

  for (q->level = 0;
       q->level < TS_LOD_LEVELS &&
       ts_lod_width (q->level + 1) <= (q->to - q->from) / (2 * (gint64) q->n_columns);)
    q->level++;
  g_array_set_size (columns, base + q->n_columns);
  q->columns = q->column = &g_array_index (columns, TsEnvelopeColumn, base);
  memset (q->columns, 0, q->n_columns * sizeof *q->columns);
  for (guint i = 0; i < q->n_columns; i++) {
    q->columns[i].from_seq = edge (q, i);
    q->columns[i].to_seq = edge (q, i + 1);
  }
}

static const TsAttemptView *
find_view (Query *q, gint64 attempt_id, GError **error)
{
  if (!q->view || q->view->attempt_id != attempt_id)
    q->view = ts_attempt_views_find (q->reader, q->views, attempt_id, error);
  return q->view;
}

/* --- Buckets --- */

static gboolean
decode_row (Query *q, sqlite3_stmt *s, guint level, GError **error)
{
  Row *row = &q->row[level];

  row->there = ts_lod_decode (sqlite3_column_blob (s, 3), (gsize) sqlite3_column_bytes (s, 3),
                              (guint32) sqlite3_column_int64 (s, 2), level,
                              sqlite3_column_int64 (s, 1), row->buckets, error);
  if (!row->there)
    g_prefix_error (error, "%s: ", q->reader->path);
  return row->there;
}

/* The next rows of the level that most of the envelope is made of come in order. */
static gboolean
scan_row (Query *q, gint64 idx, GError **error)
{
  TsSql *sql = q->reader->sql;
  int more = 1;

  if (!q->scan) {
    q->scan = ts_sql_query (sql, error,
                            "SELECT idx, n, crc, data FROM lod WHERE series_id = ?1 AND level = ?2"
                            " AND idx BETWEEN ?3 AND ?4 ORDER BY idx",
                            "iiii", q->series_id, (gint64) q->level, idx,
                            q->to / ts_lod_row_width (q->level));
    if (!q->scan)
      return FALSE;
    more = ts_sql_next (sql, q->scan, error);
  }
  while (more == 1 && sqlite3_column_int64 (q->scan, 0) < idx)
    more = ts_sql_next (sql, q->scan, error);
  if (more == 1 && sqlite3_column_int64 (q->scan, 0) == idx)
    return decode_row (q, q->scan, q->level, error);
  return more >= 0;
}

static gboolean
look_up_row (Query *q, guint level, gint64 idx, GError **error)
{
  sqlite3_stmt *s = ts_sql_query (
      q->reader->sql, error,
      "SELECT idx, n, crc, data FROM lod WHERE series_id = ?1 AND level = ?2 AND idx = ?3", "iii",
      q->series_id, (gint64) level, idx);
  int more = s ? ts_sql_next (q->reader->sql, s, error) : -1;

  if (more != 1)
    return more == 0;
  gboolean ok = decode_row (q, s, level, error);
  ts_sql_reset (s);
  return ok;
}

/* NULL without an error: it is not in the file. */
static const TsBucket *
find_bucket (Query *q, guint level, GError **error)
{
  gint64 idx = q->at / ts_lod_row_width (level);
  Row *row = &q->row[level];

  if (row->idx != idx) {
    row->there = FALSE;
    if (!(level == q->level ? scan_row (q, idx, error) : look_up_row (q, level, idx, error)))
      return NULL;
    row->idx = idx;
  }
  return row->there ? &row->buckets[q->at / ts_lod_width (level) % TS_LOD_BUCKETS] : NULL;
}

/* 1: hidden, 0: visible, -1: in part. */
static int
is_hidden (Query *q, const TsBucket *b, GError **error)
{
  if (!q->hides || b->step_max < q->hide_from)
    return 0;
  const TsAttemptView *view = b->attempt_id ? find_view (q, b->attempt_id, error) : NULL;
  if (!view)
    return -1;
  if (!ts_attempt_view_hides (view, b->step_max))
    return 0;
  return ts_attempt_view_hides (view, b->step_min) ? 1 : -1;
}

/* FALSE without an error: not here, or not as a whole. */
static gboolean
take_bucket (Query *q, guint level, GError **error)
{
  gint64 width = ts_lod_width (level);

  if (q->at % width || q->to - q->at < width ||
      q->lod_seq - q->lod_seq % ts_lod_row_width (level) - q->at < width)
    return FALSE;
  const TsBucket *bucket = find_bucket (q, level, error);
  int hidden = bucket ? is_hidden (q, bucket, error) : -1;
  if (hidden < 0)
    return FALSE;
  if (hidden)
    q->column->n_hidden += width;
  else
    ts_bucket_merge (&q->column->visible, bucket);
  q->at += width;
  return TRUE;
}

/* --- Points --- */

static gboolean
missing (Query *q, GError **error)
{
  return ts_reader_corrupt (q->reader, error,
                            "point %" G_GINT64_FORMAT " of series %" G_GINT64_FORMAT " is missing",
                            q->at, q->series_id);
}

static gboolean
decode_chunk (Query *q, sqlite3_stmt *s, GError **error)
{
  gint64 seq = sqlite3_column_int64 (s, 0), n = sqlite3_column_int64 (s, 2);

  g_array_set_size (q->points, 0);
  if (seq < 0 || n < 1 || n > q->next_seq - seq || seq + n <= q->at)
    return missing (q, error);
  q->chunk_view = find_view (q, sqlite3_column_int64 (s, 1), error);
  if (!q->chunk_view)
    return FALSE;
  q->chunk_seq = seq;
  if (ts_chunk_decode (sqlite3_column_blob (s, 5), (gsize) sqlite3_column_bytes (s, 5),
                       (guint32) sqlite3_column_int64 (s, 4), sqlite3_column_int64 (s, 3), n,
                       q->points, &q->wall, error))
    return TRUE;
  g_prefix_error (error, "%s: ", q->reader->path);
  return FALSE;
}

static gboolean
find_chunk (Query *q, GError **error)
{
  if (q->at >= q->chunk_seq && q->at - q->chunk_seq < q->points->len)
    return TRUE;
  sqlite3_stmt *s =
      ts_sql_query (q->reader->sql, error,
                    "SELECT seq, attempt_id, n, codec, crc, data FROM chunk WHERE series_id = ?1"
                    " AND seq <= ?2 ORDER BY seq DESC LIMIT 1",
                    "ii", q->series_id, q->at);
  int more = s ? ts_sql_next (q->reader->sql, s, error) : -1;
  if (more != 1)
    return more == 0 ? missing (q, error) : FALSE;
  gboolean ok = decode_chunk (q, s, error);
  ts_sql_reset (s);
  return ok;
}

static void
add (Query *q, const TsAttemptView *view, const TsPoint *points, guint n, TsWallKind wall)
{
  q->at += n;
  if (!view->hides) {
    ts_bucket_add (&q->column->visible, points, n, wall, view->attempt_id);
    return;
  }
  for (guint i = 0; i < n; i++) {
    if (ts_attempt_view_hides (view, points[i].step))
      q->column->n_hidden++;
    else
      ts_bucket_add (&q->column->visible, &points[i], 1, wall, view->attempt_id);
  }
}

/* Up to the end of the column, or to where there may be a bucket again. */
static gboolean
take_points (Query *q, GError **error)
{
  gint64 end = q->column->to_seq;

  if (q->level && q->at < q->lod_seq)
    end = MIN (end, q->at - q->at % ts_lod_width (1) + ts_lod_width (1));
  if (q->tail && q->at >= q->tail->seq0) {
    for (; q->at < end;) {
      const TsTailPoint *p = &g_array_index (q->tail->points, TsTailPoint, q->at - q->tail->seq0);
      const TsAttemptView *view = find_view (q, p->attempt_id, error);
      if (!view)
        return FALSE;
      add (q, view, &p->point, 1, p->wall);
    }
    return TRUE;
  }
  if (!find_chunk (q, error))
    return FALSE;
  gint64 i = q->at - q->chunk_seq;
  add (q, q->chunk_view, &g_array_index (q->points, TsPoint, i),
       (guint) MIN (end - q->at, q->points->len - i), q->wall);
  return TRUE;
}

/* --- The whole --- */

static gboolean
take_all (Query *q, GError **error)
{
  while (q->at < q->to) {
    GError *trouble = NULL;
    guint level = q->level;
    while (q->at >= q->column->to_seq)
      q->column++;
    while (level && !trouble && !take_bucket (q, level, &trouble))
      level--;
    if (!level && !trouble)
      take_points (q, &trouble);
    if (trouble) {
      g_propagate_error (error, trouble);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
find_series (Query *q, gint64 *run_id, GError **error)
{
  sqlite3_stmt *s = ts_sql_query (q->reader->sql, error,
                                  "SELECT run_id, next_seq, lod_seq FROM series"
                                  " WHERE series_id = ?1",
                                  "i", q->series_id);
  int more = s ? ts_sql_next (q->reader->sql, s, error) : -1;

  if (more == 0)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
                 "%s has no series %" G_GINT64_FORMAT, q->reader->path, q->series_id);
  if (more != 1)
    return FALSE;
  *run_id = sqlite3_column_int64 (s, 0);
  q->next_seq = sqlite3_column_int64 (s, 1);
  q->lod_seq = CLAMP (sqlite3_column_int64 (s, 2), 0, MAX (q->next_seq, 0));
  ts_sql_reset (s);
  return TRUE;
}

static gboolean
prepare (Query *q, GError **error)
{
  gint64 run_id;

  if (!find_series (q, &run_id, error))
    return FALSE;
  q->tail = ts_tails_lookup (q->reader, q->series_id);
  gint64 end = q->tail ? q->tail->seq0 + q->tail->points->len : 0;
  if (end <= q->next_seq)
    q->tail = NULL;
  else if (q->tail->seq0 > q->next_seq)
    return ts_reader_corrupt (q->reader, error,
                              "points %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                              " of series %" G_GINT64_FORMAT " are missing",
                              q->next_seq, q->tail->seq0, q->series_id);
  q->to = MIN (q->to, MAX (end, q->next_seq));
  q->at = q->from = MIN (q->from, MAX (q->to, 0));
  q->to = MAX (q->to, q->from);
  q->views = ts_reader_attempt_views (q->reader, run_id, q->series_id, error);
  if (!q->views)
    return FALSE;
  for (guint i = 0; i < q->views->len; i++) {
    const TsAttemptView *view = &g_array_index (q->views, TsAttemptView, i);
    if (view->hides)
      q->hide_from = q->hides ? MIN (q->hide_from, view->hide_from) : view->hide_from;
    q->hides |= view->hides;
  }
  return TRUE;
}

gboolean
ts_reader_envelope (TsReader *reader, gint64 series_id, gint64 from_seq, gint64 to_seq,
                    guint n_columns, GArray *columns, GError **error)
{
  guint base = columns->len;

  g_return_val_if_fail (n_columns > 0 && n_columns <= TS_ENVELOPE_COLUMNS_MAX, FALSE);
  if (!ts_reader_begin (reader, error))
    return FALSE;
  Query *q = g_new0 (Query, 1);
  *q = (Query){.reader = reader,
               .series_id = series_id,
               .from = MAX (from_seq, 0),
               .to = to_seq,
               .n_columns = n_columns};
  for (guint i = 0; i <= TS_LOD_LEVELS; i++)
    q->row[i].idx = -1;
  q->points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  gboolean ok = prepare (q, error);
  if (ok) {
    make_columns (q, columns);
    ok = take_all (q, error);
  }
  if (!ok)
    g_array_set_size (columns, base);
  if (q->scan)
    ts_sql_reset (q->scan);
  ts_reader_end (reader);
  g_clear_pointer (&q->views, g_array_unref);
  g_array_unref (q->points);
  g_free (q);
  return ok;
}
