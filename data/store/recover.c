/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include "data/store/error.h"
#include "data/store/flush.h"

/* What a writer does when it opens a file: learn the ids in use, and seal what the one before it
 * did not live to seal. */

gboolean
ts_recover_ids (TsWriter *writer, GError **error)
{
  TsSql *sql = writer->sql;
  int more;

  if (!ts_sql_get (sql, &writer->next_tag_id, error, "SELECT max(tag_id) + 1 FROM tag", "") ||
      !ts_sql_get (sql, &writer->next_series_id, error, "SELECT max(series_id) + 1 FROM series",
                   "") ||
      !ts_sql_get (sql, &writer->last_flush_id, error,
                   "SELECT seq FROM sqlite_sequence WHERE name = 'flush_log'", ""))
    return FALSE;
  writer->next_tag_id = MAX (writer->next_tag_id, 1);
  writer->next_series_id = MAX (writer->next_series_id, 1);
  writer->tags_in_file = writer->next_tag_id;
  sqlite3_stmt *q = ts_sql_query (sql, error, "SELECT tag_id, name FROM tag", "");
  if (!q)
    return FALSE;
  while ((more = ts_sql_next (sql, q, error)) == 1) {
    const char *name = sqlite3_column_blob (q, 1);
    g_autofree char *copy = g_strndup (name ? name : "", (gsize) sqlite3_column_bytes (q, 1));
    /* A tag with a zero byte inside can only have been imported; no C string is equal to it. */
    if (strlen (copy) != (gsize) sqlite3_column_bytes (q, 1))
      continue;
    TsTag *tag = g_new0 (TsTag, 1);
    tag->tag_id = sqlite3_column_int64 (q, 0);
    tag->name = g_intern_string (copy);
    g_hash_table_insert (writer->tags, (gpointer) tag->name, tag);
  }
  return more == 0;
}

gboolean
ts_recover_head (TsWriter *writer, gint64 series_id, gint64 *next_seq, TsStats *s, GError **error)
{
  TsSql *sql = writer->sql;
  sqlite3_stmt *q = ts_sql_query (
      sql, error,
      "SELECT next_seq, flags, n, first_step, last_step, min_step, max_step, last_us, first_bits,"
      " last_bits, min_bits, max_bits, sum_bits, finite, nan, pos_inf, neg_inf"
      " FROM series WHERE series_id = ?1",
      "i", series_id);
  int more = q ? ts_sql_next (sql, q, error) : -1;

  if (more == 0)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "%s is damaged: the flush log names series %" G_GINT64_FORMAT
                 ", which is not there",
                 sql->path, series_id);
  if (more != 1)
    return FALSE;
  *next_seq = sqlite3_column_int64 (q, 0);
  *s = (TsStats){
      .unordered = (sqlite3_column_int64 (q, 1) & 1) != 0,
      .count = sqlite3_column_int64 (q, 2),
      .first_step = sqlite3_column_int64 (q, 3),
      .last_step = sqlite3_column_int64 (q, 4),
      .min_step = sqlite3_column_int64 (q, 5),
      .max_step = sqlite3_column_int64 (q, 6),
      .last_us = sqlite3_column_int64 (q, 7),
      .first_bits = (guint64) sqlite3_column_int64 (q, 8),
      .last_bits = (guint64) sqlite3_column_int64 (q, 9),
      .min = ts_unbits ((guint64) sqlite3_column_int64 (q, 10)),
      .max = ts_unbits ((guint64) sqlite3_column_int64 (q, 11)),
      .sum = ts_unbits ((guint64) sqlite3_column_int64 (q, 12)),
      .finite = sqlite3_column_int64 (q, 13),
      .nan = sqlite3_column_int64 (q, 14),
      .pos_inf = sqlite3_column_int64 (q, 15),
      .neg_inf = sqlite3_column_int64 (q, 16),
  };
  ts_sql_reset (q);
  return TRUE;
}

typedef struct {
  TsWriter *writer;
  TsAttempt *attempt; /* of the row being read */
  GHashTable *by_id;  /* series_id → TsSeries, of that attempt */
} Recovery;

static TsSeries *
find_series (Recovery *r, gint64 series_id, GError **error)
{
  TsSeries *series = g_hash_table_lookup (r->by_id, &series_id);
  gint64 next_seq;
  TsStats stats;

  if (series)
    return series;
  if (!ts_recover_head (r->writer, series_id, &next_seq, &stats, error))
    return NULL;
  series = g_new0 (TsSeries, 1);
  series->attempt = r->attempt;
  series->series_id = series_id;
  series->seq0 = series->sealed = next_seq;
  series->stats = stats;
  series->points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  g_ptr_array_add (r->attempt->series, series);
  g_hash_table_insert (r->by_id, &series->series_id, series);
  return series;
}

static gboolean
take_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
            gpointer data, GError **error)
{
  Recovery *r = data;
  TsSeries *series = find_series (r, series_id, error);

  if (!series)
    return FALSE;
  gint64 end = ts_series_end (series), skip = MAX (end - seq, 0);
  if (series->points->len == 0)
    series->wall = wall;
  if (seq > end || wall != series->wall) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "%s is damaged: the flush log does not go on from point %" G_GINT64_FORMAT
                 " of series %" G_GINT64_FORMAT,
                 r->writer->path, end, series_id);
    return FALSE;
  }
  if (skip < n)
    g_array_append_vals (series->points, points + skip, n - (guint) skip);
  return TRUE;
}

static gboolean
finish_attempt (Recovery *r, GError **error)
{
  gboolean ok = !r->attempt || ts_seal_attempt (r->writer, r->attempt, error);

  g_hash_table_remove_all (r->by_id);
  g_clear_pointer (&r->attempt, ts_attempt_free);
  return ok;
}

static gboolean
take_row (Recovery *r, sqlite3_stmt *q, GError **error)
{
  gint64 attempt_id = sqlite3_column_int64 (q, 0);

  if (r->attempt && r->attempt->attempt_id != attempt_id && !finish_attempt (r, error))
    return FALSE;
  if (!r->attempt)
    r->attempt = ts_attempt_new (r->writer, 0, attempt_id);
  return ts_flush_decode (sqlite3_column_blob (q, 2), (gsize) sqlite3_column_bytes (q, 2),
                          (guint32) sqlite3_column_int64 (q, 1), take_group, r, error);
}

static gboolean
recover (TsWriter *writer, GError **error)
{
  Recovery r = {.writer = writer, .by_id = g_hash_table_new (g_int64_hash, g_int64_equal)};
  int more = -1;
  gboolean ok = TRUE;
  sqlite3_stmt *q = ts_sql_query (
      writer->sql, error,
      "SELECT attempt_id, crc, data FROM flush_log ORDER BY attempt_id, flush_id", "");

  while (ok && q && (more = ts_sql_next (writer->sql, q, error)) == 1)
    ok = take_row (&r, q, error);
  if (!ok)
    ts_sql_reset (q);
  ok = ok && more == 0 && finish_attempt (&r, error);
  g_clear_pointer (&r.attempt, ts_attempt_free);
  g_hash_table_unref (r.by_id);
  return ok && ts_sql_exec (writer->sql, "DELETE FROM flush_log", error);
}

gboolean
ts_recover (TsWriter *writer, GError **error)
{
  gint64 rows = 0;

  if (!ts_sql_get (writer->sql, &rows, error, "SELECT count(*) FROM flush_log", ""))
    return FALSE;
  writer->covered_flush_id = writer->last_flush_id;
  if (rows == 0)
    return TRUE;
  if (ts_sql_exec (writer->sql, "BEGIN IMMEDIATE", error) && recover (writer, error) &&
      ts_sql_exec (writer->sql, "COMMIT", error))
    return TRUE;
  sqlite3_exec (writer->sql->db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}
