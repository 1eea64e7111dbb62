/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include <glib/gstdio.h>

#include "data/store/crc32c.h"
#include "data/store/flush.h"

#define POINT_BYTES     24
#define HISTOGRAM_BYTES 1024

void
ts_waiting_clear (gpointer data)
{
  TsWaiting *waiting = data;

  g_clear_pointer (&waiting->event, ts_event_unref);
}

static void
take_scalars (TsWriter *writer, TsAttempt *attempt, TsEvent *event)
{
  for (guint i = 0; i < event->u.scalars.n; i++) {
    TsPoint point = {event->step, event->wall_us, ts_bits (event->u.scalars.items[i].value)};
    TsSeries *series = ts_attempt_series (attempt, event->u.scalars.items[i].tag, TS_SERIES_SCALAR);
    g_array_append_val (series->points, point);
  }
  attempt->points += event->u.scalars.n;
  attempt->last_step = event->step;
  writer->waiting_bytes += event->u.scalars.n * POINT_BYTES;
  ts_event_unref (event);
}

void
ts_batch_take (TsWriter *writer, TsAttempt *attempt, TsEvent *event)
{
  if (__atomic_load_n (&attempt->over, __ATOMIC_RELAXED)) {
    /* It was pushed while the next attempt began; its seqs belong to that one now. */
    ts_event_unref (event);
    return;
  }
  if (!writer->first_us)
    writer->first_us = g_get_monotonic_time ();
  attempt->touched = TRUE;
  if (event->kind == TS_EVENT_SCALARS) {
    take_scalars (writer, attempt, event);
    return;
  }
  TsWaiting waiting = {attempt, event, NULL, 0};
  if (event->kind == TS_EVENT_HISTOGRAM) {
    waiting.series = ts_attempt_series (attempt, event->u.histogram.tag, TS_SERIES_HISTOGRAM);
    waiting.seq = waiting.series->next_item++;
    ts_stats_add_item (&waiting.series->item_stats, event->step, event->wall_us);
    writer->waiting_bytes += HISTOGRAM_BYTES;
  } else if (event->kind == TS_EVENT_GRAPH) {
    writer->waiting_bytes += strlen (event->u.graph.json);
  } else if (event->kind == TS_EVENT_END) {
    attempt->ending = TRUE;
  }
  g_array_append_val (writer->waiting, waiting);
}

gboolean
ts_batch_is_empty (TsWriter *writer)
{
  return writer->first_us == 0;
}

static gboolean
write_tag (TsWriter *writer, const TsTag *tag, GError **error)
{
  static const char insert[] = "INSERT INTO tag(tag_id, name) VALUES(?1, ?2)";

  if (g_utf8_validate (tag->name, -1, NULL))
    return ts_sql_do (writer->sql, error, insert, "is", tag->tag_id, tag->name);
  return ts_sql_do (writer->sql, error, insert, "ib", tag->tag_id, tag->name, strlen (tag->name));
}

gboolean
ts_batch_write_tags (TsWriter *writer, GError **error)
{
  GHashTableIter iter;
  TsTag *tag;

  if (writer->tags_in_file == writer->next_tag_id)
    return TRUE;
  g_hash_table_iter_init (&iter, writer->tags);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &tag))
    if (tag->tag_id >= writer->tags_in_file && !write_tag (writer, tag, error))
      return FALSE;
  return TRUE;
}

static gboolean
write_new_series (TsWriter *writer, TsAttempt *attempt, GError **error)
{
  for (guint i = 0; i < attempt->series->len; i++) {
    TsSeries *series = attempt->series->pdata[i];
    if (!series->in_file &&
        !ts_sql_do (writer->sql, error,
                    "INSERT INTO series(series_id, run_id, tag_id, kind) VALUES(?,?,?,?)", "iiii",
                    series->series_id, attempt->run_id, series->tag_id, (gint64) series->kind))
      return FALSE;
  }
  return TRUE;
}

/* One row with all that the attempt's scalar series gained. */
static gboolean
write_log (TsWriter *writer, TsAttempt *attempt, GError **error)
{
  GByteArray *bytes = writer->buffer;
  gint64 total = 0;
  TsFlush flush;

  g_byte_array_set_size (bytes, 0);
  ts_flush_begin (&flush, bytes);
  for (guint i = 0; i < attempt->series->len; i++) {
    TsSeries *series = attempt->series->pdata[i];
    gint64 n = ts_series_end (series) - series->committed;
    if (series->kind != TS_SERIES_SCALAR || n == 0)
      continue;
    const TsPoint *points = (const TsPoint *) series->points->data;
    ts_flush_add (&flush, series->series_id, series->committed, series->wall,
                  points + (series->committed - series->seq0), (guint) n);
    total += n;
  }
  if (total == 0)
    return TRUE;
  if (!ts_sql_do (writer->sql, error,
                  "INSERT INTO flush_log(attempt_id, us, n, crc, data) VALUES(?,?,?,?,?)", "iiiib",
                  attempt->attempt_id, g_get_real_time (), total,
                  (gint64) ts_crc32c (bytes->data, bytes->len), bytes->data, (gsize) bytes->len))
    return FALSE;
  writer->staged_flush_id = sqlite3_last_insert_rowid (writer->sql->db);
  return TRUE;
}

static gboolean
write_item_heads (TsWriter *writer, TsAttempt *attempt, GError **error)
{
  for (guint i = 0; i < attempt->series->len; i++) {
    TsSeries *series = attempt->series->pdata[i];
    if (series->kind != TS_SERIES_SCALAR && series->next_item > series->committed &&
        !ts_seal_head (writer, series, series->next_item, &series->item_stats, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_attempt (TsWriter *writer, TsAttempt *attempt, gboolean seal_all, GError **error)
{
  attempt->staged_thinned = __atomic_load_n (&attempt->thinned, __ATOMIC_RELAXED);
  if (attempt->staged_thinned != attempt->thinned_in_file &&
      !ts_sql_do (writer->sql, error, "UPDATE attempt SET thinned = ?2 WHERE attempt_id = ?1", "ii",
                  attempt->attempt_id, (gint64) attempt->staged_thinned))
    return FALSE;
  if (attempt->touched && (!write_new_series (writer, attempt, error) ||
                           (!seal_all && !write_log (writer, attempt, error)) ||
                           !write_item_heads (writer, attempt, error)))
    return FALSE;
  return !(seal_all || attempt->ending) || ts_seal_attempt (writer, attempt, error);
}

static gboolean
write_all (TsWriter *writer, gboolean seal_all, GError **error)
{
  if (!ts_batch_write_tags (writer, error))
    return FALSE;
  for (guint i = 0; i < writer->attempts->len; i++)
    if (!write_attempt (writer, writer->attempts->pdata[i], seal_all, error))
      return FALSE;
  for (guint i = 0; i < writer->waiting->len; i++)
    if (!ts_store_event (writer, &g_array_index (writer->waiting, TsWaiting, i), error))
      return FALSE;
  return ts_seal_cycle (writer, error);
}

static void
apply_attempt (TsWriter *writer, TsAttempt *attempt)
{
  for (guint i = 0; i < attempt->series->len; i++) {
    TsSeries *series = attempt->series->pdata[i];
    series->in_file = TRUE;
    series->committed = ts_series_end (series);
    if (series->kind != TS_SERIES_SCALAR)
      series->sealed = series->committed;
  }
  attempt->ending = FALSE;
  pthread_mutex_lock (&writer->lock);
  attempt->mark.generation = writer->generation;
  attempt->mark.points = attempt->points;
  attempt->mark.step = attempt->last_step;
  pthread_mutex_unlock (&writer->lock);
}

static void
apply (TsWriter *writer)
{
  writer->generation++;
  writer->tags_in_file = writer->next_tag_id;
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    attempt->thinned_in_file = attempt->staged_thinned;
    if (attempt->touched)
      apply_attempt (writer, attempt);
  }
  ts_seal_apply (writer);
  for (guint i = 0; i < writer->doomed->len; i++)
    g_unlink (writer->doomed->pdata[i]);
  g_array_set_size (writer->waiting, 0);
  writer->waiting_bytes = 0;
  writer->first_us = 0;
}

gboolean
ts_batch_commit (TsWriter *writer, gboolean seal_all, GError **error)
{
  ts_seal_discard (writer);
  g_ptr_array_set_size (writer->doomed, 0);
  if (ts_sql_exec (writer->sql, "BEGIN IMMEDIATE", error) && write_all (writer, seal_all, error) &&
      ts_sql_exec (writer->sql, "COMMIT", error)) {
    apply (writer);
    return TRUE;
  }
  /* Some failures have rolled back by themselves; then this says so and no harm is done. */
  sqlite3_exec (writer->sql->db, "ROLLBACK", NULL, NULL, NULL);
  ts_seal_discard (writer);
  g_ptr_array_set_size (writer->doomed, 0);
  return FALSE;
}
