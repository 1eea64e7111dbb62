/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include "data/store/chunk.h"
#include "data/store/error.h"

/* The lowest step that the series has in the attempt; FALSE: none, or an error. */
static gboolean
lowest_step (TsReader *reader, gint64 series_id, gint64 attempt_id, gint64 *step, GError **error)
{
  sqlite3_stmt *q = ts_sql_query (
      reader->sql, error,
      "SELECT min(step_min) FROM chunk WHERE series_id = ?1 AND attempt_id = ?2"
      " UNION ALL SELECT min(step) FROM item WHERE series_id = ?1 AND attempt_id = ?2",
      "ii", series_id, attempt_id);
  gboolean any = FALSE;

  while (q && ts_sql_next (reader->sql, q, error) == 1)
    if (sqlite3_column_type (q, 0) != SQLITE_NULL) {
      *step = sqlite3_column_int64 (q, 0);
      any = TRUE;
    }
  return any;
}

#define ORDINAL_MAX (1 << 20)

GArray *
ts_reader_attempt_views (TsReader *reader, gint64 run_id, gint64 series_id, GError **error)
{
  g_autoptr (GArray) views = g_array_new (FALSE, TRUE, sizeof (TsAttemptView));
  gint64 hide_from = 0, step;
  gboolean hides = FALSE;
  GError *trouble = NULL;
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (reader->sql, error,
                                  "SELECT attempt_id, ordinal, resume_step, by_series FROM attempt"
                                  " WHERE run_id = ?1 ORDER BY ordinal DESC",
                                  "i", run_id);

  /* From the last attempt to the first: each is hidden by the lowest resume step after it. */
  while (q && (more = ts_sql_next (reader->sql, q, error)) == 1) {
    TsAttemptView view = {sqlite3_column_int64 (q, 0), hide_from, sqlite3_column_int (q, 1), hides};
    gboolean own = sqlite3_column_type (q, 2) != SQLITE_NULL;
    step = sqlite3_column_int64 (q, 2);
    if (view.ordinal < 0 || view.ordinal > ORDINAL_MAX) {
      ts_sql_reset (q);
      ts_reader_corrupt (reader, error, "attempt %" G_GINT64_FORMAT " has the number %d",
                         view.attempt_id, view.ordinal);
      return NULL;
    }
    if (!own && series_id && sqlite3_column_int (q, 3))
      own = lowest_step (reader, series_id, view.attempt_id, &step, &trouble);
    if (trouble) {
      ts_sql_reset (q);
      g_propagate_error (error, trouble);
      return NULL;
    }
    g_array_append_val (views, view);
    if (own) {
      hide_from = hides ? MIN (hide_from, step) : step;
      hides = TRUE;
    }
  }
  return more == 0 ? g_steal_pointer (&views) : NULL;
}

const TsAttemptView *
ts_attempt_views_find (TsReader *reader, const GArray *views, gint64 attempt_id, GError **error)
{
  for (guint i = 0; i < views->len; i++) {
    const TsAttemptView *view = &g_array_index (views, TsAttemptView, i);
    if (view->attempt_id == attempt_id)
      return view;
  }
  ts_reader_corrupt (reader, error, "attempt %" G_GINT64_FORMAT " is not one of the run's",
                     attempt_id);
  return NULL;
}

typedef struct {
  TsReader *reader;
  gint64 series_id, from; /* the next seq wanted */
  gint64 next_seq;        /* of the series: everything before it is in chunks */
  guint left;
  GArray *views, *points;
} Query;

static void
append (Query *query, const TsPoint *point, TsWallKind wall, const TsAttemptView *view)
{
  TsStoredPoint out = {.seq = query->from++,
                       .step = point->step,
                       .wall_us = ts_wall_us (point->wall, wall),
                       .wall = point->wall,
                       .wall_kind = wall,
                       .bits = point->bits,
                       .attempt = view->ordinal,
                       .hidden = ts_attempt_view_hides (view, point->step)};

  g_array_append_val (query->points, out);
  query->left--;
}

static gboolean
read_chunk (Query *query, sqlite3_stmt *q, GArray *points, GError **error)
{
  gint64 seq = sqlite3_column_int64 (q, 0), n = sqlite3_column_int64 (q, 2);
  const TsAttemptView *view =
      ts_attempt_views_find (query->reader, query->views, sqlite3_column_int64 (q, 1), error);
  TsWallKind wall;

  if (!view)
    return FALSE;
  if (seq > query->from || n > query->next_seq - seq || seq + n <= query->from)
    return ts_reader_corrupt (query->reader, error,
                              "point %" G_GINT64_FORMAT " of series %" G_GINT64_FORMAT
                              " is missing",
                              query->from, query->series_id);
  g_array_set_size (points, 0);
  if (!ts_chunk_decode (sqlite3_column_blob (q, 5), (gsize) sqlite3_column_bytes (q, 5),
                        (guint32) sqlite3_column_int64 (q, 4), sqlite3_column_int64 (q, 3), n,
                        points, &wall, error)) {
    g_prefix_error (error, "%s: ", query->reader->path);
    return FALSE;
  }
  for (gint64 i = query->from - seq; i < n && query->left; i++)
    append (query, &g_array_index (points, TsPoint, i), wall, view);
  return TRUE;
}

static gboolean
read_chunks (Query *query, GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      query->reader->sql, error,
      "SELECT seq, attempt_id, n, codec, crc, data FROM chunk WHERE series_id = ?1 AND seq >="
      " coalesce((SELECT max(seq) FROM chunk WHERE series_id = ?1 AND seq <= ?2), ?2)"
      " ORDER BY seq",
      "ii", query->series_id, query->from);

  while (q && query->left && (more = ts_sql_next (query->reader->sql, q, error)) == 1)
    if (!read_chunk (query, q, points, error)) {
      ts_sql_reset (q);
      return FALSE;
    }
  if (!q || more < 0)
    return FALSE;
  ts_sql_reset (q);
  if (query->left && query->from != query->next_seq)
    return ts_reader_corrupt (query->reader, error,
                              "series %" G_GINT64_FORMAT " ends at point %" G_GINT64_FORMAT
                              " of %" G_GINT64_FORMAT,
                              query->series_id, query->from, query->next_seq);
  return TRUE;
}

static gboolean
read_tail (Query *query, const TsTail *tail, GError **error)
{
  const TsAttemptView *view = NULL;

  while (query->left && query->from < tail->seq0 + tail->points->len) {
    const TsTailPoint *p = &g_array_index (tail->points, TsTailPoint, query->from - tail->seq0);
    if (!view || view->attempt_id != p->attempt_id)
      view = ts_attempt_views_find (query->reader, query->views, p->attempt_id, error);
    if (!view)
      return FALSE;
    append (query, &p->point, p->wall, view);
  }
  return TRUE;
}

gboolean
ts_reader_find_series (TsReader *reader, gint64 series_id, gint64 *run_id, gint64 *next_seq,
                       GError **error)
{
  sqlite3_stmt *q =
      ts_sql_query (reader->sql, error, "SELECT run_id, next_seq FROM series WHERE series_id = ?1",
                    "i", series_id);
  int more = q ? ts_sql_next (reader->sql, q, error) : -1;

  if (more == 1) {
    *run_id = sqlite3_column_int64 (q, 0);
    *next_seq = sqlite3_column_int64 (q, 1);
    ts_sql_reset (q);
  } else if (more == 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
                 "%s has no series %" G_GINT64_FORMAT, reader->path, series_id);
  }
  return more == 1;
}

static gboolean
read_points (Query *query, GError **error)
{
  gint64 run_id;

  if (!ts_reader_find_series (query->reader, query->series_id, &run_id, &query->next_seq, error))
    return FALSE;
  const TsTail *tail = ts_tails_lookup (query->reader, query->series_id);
  gint64 end = tail ? tail->seq0 + tail->points->len : 0;
  if (query->from >= MAX (end, query->next_seq))
    return TRUE;
  if (tail && tail->seq0 > query->next_seq)
    return ts_reader_corrupt (query->reader, error,
                              "points %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                              " of series %" G_GINT64_FORMAT " are missing",
                              query->next_seq, tail->seq0, query->series_id);
  query->views = ts_reader_attempt_views (query->reader, run_id, query->series_id, error);
  if (!query->views)
    return FALSE;
  /* A live view finds what it wants in the tail, even what has been sealed meanwhile. */
  if ((!tail || query->from < tail->seq0 || end < query->next_seq) &&
      query->from < query->next_seq && !read_chunks (query, error))
    return FALSE;
  return !tail || query->from < tail->seq0 || read_tail (query, tail, error);
}

gboolean
ts_reader_read_points (TsReader *reader, gint64 series_id, gint64 from_seq, guint max,
                       GArray *points, GError **error)
{
  Query query = {.reader = reader,
                 .series_id = series_id,
                 .from = MAX (from_seq, 0),
                 .left = max,
                 .points = points};

  if (!ts_reader_begin (reader, error))
    return FALSE;
  gboolean ok = read_points (&query, error);
  ts_reader_end (reader);
  g_clear_pointer (&query.views, g_array_unref);
  return ok;
}
