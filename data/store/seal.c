/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include <math.h>

#include "data/store/bucket.h"
#include "data/store/chunk.h"
#include "data/store/crc32c.h"

/* Moving points from the flush log into chunks and levels of detail.  Sealing a series and
 * raising its next_seq are one transaction, and a row of the log goes only when every series in
 * it has been sealed beyond it, so no point is ever in neither place (docs/run-file.md, I4). */

#define CYCLE_BYTES (32u << 20) /* a cycle ends after so many bytes at the latest */

gint64
ts_series_end (const TsSeries *series)
{
  return series->kind == TS_SERIES_SCALAR ? series->seq0 + series->points->len : series->next_item;
}

static gboolean
is_unsealed (const TsSeries *series)
{
  return series->kind == TS_SERIES_SCALAR &&
         ts_series_end (series) > (series->staged ? series->staged_sealed : series->sealed);
}

gboolean
ts_batch_has_unsealed (TsWriter *writer)
{
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    for (guint k = 0; k < attempt->series->len; k++)
      if (is_unsealed (attempt->series->pdata[k]))
        return TRUE;
  }
  return FALSE;
}

static gboolean
insert_chunk (TsWriter *writer, const TsSeries *series, gint64 seq, const TsReadyChunk *chunk,
              GError **error)
{
  const TsBucket *s = &chunk->bucket;
  gint64 finite = ts_bucket_finite (s);

  return ts_sql_do (
      writer->sql, error,
      "INSERT INTO chunk(series_id, seq, attempt_id, n, step_min, step_max, us_min, us_max, vmin,"
      " vmax, nonfinite, codec, crc, data) VALUES(?1, ?2, ?3, ?4, ?5, ?6, iif(?15, ?7, NULL),"
      " iif(?15, ?8, NULL), ?9, ?10, ?11, ?12, ?13, ?14)"
      " ON CONFLICT(series_id, seq) DO UPDATE SET n = excluded.n, step_min = excluded.step_min,"
      " step_max = excluded.step_max, us_min = excluded.us_min, us_max = excluded.us_max,"
      " vmin = excluded.vmin, vmax = excluded.vmax, nonfinite = excluded.nonfinite,"
      " codec = excluded.codec, crc = excluded.crc, data = excluded.data",
      "iiiiiiiiddiiibi", series->series_id, seq, series->attempt->attempt_id, (gint64) chunk->n,
      s->step_min, s->step_max, s->us_min, s->us_max, finite ? s->min : NAN, finite ? s->max : NAN,
      s->count - finite, (gint64) chunk->codec, (gint64) ts_crc32c (chunk->data, chunk->size),
      chunk->data, chunk->size, (gint64) (s->us_min <= s->us_max));
}

/* As many as fill the chunk, and puts their number into @n. */
static gboolean
write_chunk (TsWriter *writer, const TsSeries *series, gint64 seq, const TsPoint *points, guint *n,
             GError **error)
{
  GByteArray *bytes = writer->buffer;
  TsReadyChunk chunk = {0};

  g_byte_array_set_size (bytes, 0);
  if (*n < TS_CHUNK_POINTS)
    chunk.codec = ts_chunk_encode (bytes, series->wall, points, *n);
  else
    *n = ts_chunk_encode_full (bytes, series->wall, points, &writer->chunk_guess, &chunk.codec);
  chunk.data = bytes->data;
  chunk.size = bytes->len;
  chunk.n = *n;
  ts_bucket_add (&chunk.bucket, points, *n, series->wall, series->attempt->attempt_id);
  return insert_chunk (writer, series, seq, &chunk, error);
}

static gboolean
seal_ready (TsWriter *writer, TsSeries *series, GError **error)
{
  const TsReadyChunk *chunk = series->ready;

  series->staged_stats = chunk->stats;
  series->staged_seq0 = 0;
  series->staged_sealed = chunk->n;
  series->staged = TRUE;
  return ts_seal_head (writer, series, chunk->n, &chunk->stats, error) &&
         ts_lod_seal (writer, series, error) && insert_chunk (writer, series, 0, chunk, error);
}

#define HEAD_COLUMNS                                                                               \
  "next_seq, flags, n, first_step, last_step, min_step, max_step, last_us, first_bits, last_bits," \
  " min_bits, max_bits, sum_bits, finite, nan, pos_inf, neg_inf, last_value, min_value, max_value"
#define HEAD_VALUES                                                                                \
  "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21"

gboolean
ts_seal_head (TsWriter *writer, const TsSeries *series, gint64 next_seq, const TsStats *s,
              GError **error)
{
  static const char update[] =
      "UPDATE series SET (" HEAD_COLUMNS ") = (" HEAD_VALUES ") WHERE series_id = ?1";
  static const char insert[] = "INSERT INTO series(series_id, " HEAD_COLUMNS
                               ", run_id, tag_id, kind, meta) VALUES(?1, " HEAD_VALUES
                               ", ?22, ?23, ?24, ?25)";
  gint64 bad = s->nan + s->pos_inf + s->neg_inf;
  gint64 flags = (s->unordered ? 1 : 0) | (bad ? 2 : 0);

  return ts_sql_do (
      writer->sql, error, series->is_new ? insert : update,
      series->is_new ? "iiiiiiiiiiiiiiiiiidddiiis" : "iiiiiiiiiiiiiiiiiiddd", series->series_id,
      next_seq, flags, s->count, s->first_step, s->last_step, s->min_step, s->max_step, s->last_us,
      (gint64) s->first_bits, (gint64) s->last_bits, (gint64) ts_bits (s->min),
      (gint64) ts_bits (s->max), (gint64) ts_bits (s->sum), s->finite, s->nan, s->pos_inf,
      s->neg_inf, ts_unbits (s->last_bits), s->finite ? s->min : NAN, s->finite ? s->max : NAN,
      series->attempt->run_id, series->tag_id, (gint64) series->kind, series->meta);
}

gboolean
ts_seal_series (TsWriter *writer, TsSeries *series, GError **error)
{
  if (!is_unsealed (series))
    return TRUE;

  const TsPoint *points = (const TsPoint *) series->points->data;
  gint64 end = ts_series_end (series), seq = series->seq0;
  if (series->ready && series->sealed == 0 && end == series->ready->n)
    return seal_ready (writer, series, error);
  series->staged_stats = series->stats;
  ts_stats_add_points (&series->staged_stats, points + (series->sealed - seq),
                       (gsize) (end - series->sealed), series->wall);
  series->staged_seq0 = end;
  if (!ts_seal_head (writer, series, end, &series->staged_stats, error) ||
      !ts_lod_seal (writer, series, error))
    return FALSE;
  while (seq < end) {
    guint n = (guint) MIN (TS_CHUNK_POINTS, end - seq);
    gboolean open = n < TS_CHUNK_POINTS;
    if (!write_chunk (writer, series, seq, points + (seq - series->seq0), &n, error))
      return FALSE;
    if (open)
      series->staged_seq0 = seq;
    seq += n;
  }
  series->staged_sealed = end;
  series->staged = TRUE;
  return TRUE;
}

gboolean
ts_seal_attempt (TsWriter *writer, TsAttempt *attempt, GError **error)
{
  for (guint i = 0; i < attempt->series->len; i++)
    if (!ts_seal_series (writer, attempt->series->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
delete_log (TsWriter *writer, gint64 up_to, GError **error)
{
  if (up_to <= writer->staged_covered)
    return TRUE;
  writer->staged_covered = up_to;
  return ts_sql_do (writer->sql, error, "DELETE FROM flush_log WHERE flush_id <= ?1", "i", up_to);
}

/* Series whose open chunk is full do not wait for their turn. */
static gboolean
seal_full (TsWriter *writer, GError **error)
{
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    for (guint k = 0; attempt->touched && k < attempt->series->len; k++) {
      TsSeries *series = attempt->series->pdata[k];
      if (series->points && series->points->len >= TS_CHUNK_POINTS &&
          !ts_seal_series (writer, series, error))
        return FALSE;
    }
  }
  return TRUE;
}

gboolean
ts_seal_cycle (TsWriter *writer, GError **error)
{
  guint n = writer->cycle->len;

  if (!seal_full (writer, error))
    return FALSE;
  if (!ts_batch_has_unsealed (writer)) {
    writer->staged_cycle_at = n;
    return delete_log (writer, writer->staged_flush_id, error);
  }
  guint64 by_time = (guint64) n * (writer->cycle_commits + 1) / writer->options.cycle_commits;
  guint64 by_size = (guint64) n * (writer->cycle_bytes + writer->waiting_bytes) / CYCLE_BYTES;
  guint target = (guint) MIN (n, MAX (by_time, by_size));
  for (writer->staged_cycle_at = writer->cycle_at; writer->staged_cycle_at < target;
       writer->staged_cycle_at++)
    if (!ts_seal_series (writer, writer->cycle->pdata[writer->staged_cycle_at], error))
      return FALSE;
  return writer->staged_cycle_at < n || delete_log (writer, writer->cycle_flush_id, error);
}

static void
apply_series (TsSeries *series)
{
  series->staged = FALSE;
  series->sealed = series->staged_sealed;
  series->stats = series->staged_stats;
  ts_lod_free (series->lod);
  series->lod = g_steal_pointer (&series->staged_lod);
  g_array_remove_range (series->points, 0, (guint) (series->staged_seq0 - series->seq0));
  series->seq0 = series->staged_seq0;
}

/* Every series with an unsealed point; whatever lies in the log now is theirs. */
static void
start_cycle (TsWriter *writer)
{
  g_ptr_array_set_size (writer->cycle, 0);
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    for (guint k = 0; k < attempt->series->len; k++)
      if (is_unsealed (attempt->series->pdata[k]))
        g_ptr_array_add (writer->cycle, attempt->series->pdata[k]);
  }
  writer->cycle_at = writer->cycle_commits = 0;
  writer->cycle_bytes = 0;
  writer->cycle_flush_id = writer->last_flush_id;
}

/* After COMMIT, before the batch is emptied. */
void
ts_seal_apply (TsWriter *writer)
{
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    for (guint k = 0; k < attempt->series->len; k++) {
      TsSeries *series = attempt->series->pdata[k];
      if (series->staged)
        apply_series (series);
    }
  }
  writer->last_flush_id = writer->staged_flush_id;
  writer->covered_flush_id = writer->staged_covered;
  writer->cycle_at = writer->staged_cycle_at;
  writer->cycle_commits++;
  writer->cycle_bytes += writer->waiting_bytes;
  if (writer->cycle_at >= writer->cycle->len)
    start_cycle (writer);
}

/* Before a transaction and after one that failed. */
void
ts_seal_discard (TsWriter *writer)
{
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    for (guint k = 0; k < attempt->series->len; k++) {
      TsSeries *series = attempt->series->pdata[k];
      series->staged = FALSE;
      g_clear_pointer (&series->staged_lod, ts_lod_free);
    }
  }
  writer->staged_flush_id = writer->last_flush_id;
  writer->staged_covered = writer->covered_flush_id;
  writer->staged_cycle_at = writer->cycle_at;
}
