/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include "data/store/crc32c.h"
#include "data/store/histogram.h"

/* Events other than scalars, each into the open transaction. */

#define PART_BYTES (1u << 20)

static gboolean
store_histogram (TsWriter *writer, const TsWaiting *w, GError **error)
{
  GByteArray *bytes = writer->buffer;

  g_byte_array_set_size (bytes, 0);
  ts_histogram_encode (bytes, w->event->u.histogram.data);
  return ts_sql_do (writer->sql, error,
                    "INSERT INTO item(series_id, seq, attempt_id, step, wall, codec, crc,"
                    " inline_data) VALUES(?,?,?,?,?,?,?,?)",
                    "iiiiiiib", w->series->series_id, w->seq, w->attempt->attempt_id,
                    w->event->step, w->event->wall_us, (gint64) TS_ITEM_HISTOGRAM,
                    (gint64) ts_crc32c (bytes->data, bytes->len), bytes->data, (gsize) bytes->len);
}

gboolean
ts_store_blob (TsWriter *writer, const guint8 *data, gsize size, gint64 *blob_id, GError **error)
{
  guint8 hash[32];
  gsize n_hash = sizeof hash;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gint64 parts = (gint64) ((size + PART_BYTES - 1) / PART_BYTES);

  g_checksum_update (sum, data, (gssize) size);
  g_checksum_get_digest (sum, hash, &n_hash);
  *blob_id = 0;
  if (!ts_sql_get (writer->sql, blob_id, error, "SELECT blob_id FROM blob WHERE hash = ?1", "b",
                   hash, n_hash))
    return FALSE;
  if (*blob_id)
    return TRUE;
  if (!ts_sql_do (writer->sql, error,
                  "INSERT INTO blob(hash, size, parts, codec, complete) VALUES(?, ?, ?, 0, 1)",
                  "bii", hash, n_hash, (gint64) size, parts))
    return FALSE;
  *blob_id = sqlite3_last_insert_rowid (writer->sql->db);
  for (gint64 i = 0; i < parts; i++) {
    const guint8 *part = data + i * PART_BYTES;
    gsize n = MIN (PART_BYTES, size - (gsize) i * PART_BYTES);
    if (!ts_sql_do (writer->sql, error,
                    "INSERT INTO blob_part(blob_id, idx, crc, data) VALUES(?,?,?,?)", "iiib",
                    *blob_id, i, (gint64) ts_crc32c (part, n), part, n))
      return FALSE;
  }
  return TRUE;
}

/* One that is replaced goes when nothing else refers to its bytes. */
gboolean
ts_store_graph (TsWriter *writer, gint64 run_id, const char *name, int format, const guint8 *data,
                gsize size, GError **error)
{
  gint64 blob_id, old = 0;

  return ts_sql_get (writer->sql, &old, error,
                     "SELECT blob_id FROM graph WHERE run_id = ?1 AND name = ?2", "is", run_id,
                     name) &&
         ts_store_blob (writer, data, size, &blob_id, error) &&
         ts_sql_do (writer->sql, error,
                    "INSERT INTO graph(run_id, name, format, blob_id) VALUES(?1, ?2, ?3, ?4)"
                    " ON CONFLICT(run_id, name) DO UPDATE SET format = excluded.format,"
                    " blob_id = excluded.blob_id",
                    "isii", run_id, name, (gint64) format, blob_id) &&
         (old == 0 || old == blob_id ||
          ts_sql_do (writer->sql, error,
                     "DELETE FROM blob WHERE blob_id = ?1"
                     " AND NOT EXISTS(SELECT 1 FROM graph WHERE blob_id = ?1)"
                     " AND NOT EXISTS(SELECT 1 FROM item WHERE blob_id = ?1)"
                     " AND NOT EXISTS(SELECT 1 FROM checkpoint WHERE blob_id = ?1)",
                     "i", old));
}

/* Kept are the last two, the best, the final and what is pinned; the rows of the others go now, the
 * files once that is committed (docs/run-file.md, I9). */
static gboolean
retain (TsWriter *writer, gint64 run_id, GError **error)
{
  static const char kept[] =
      "DELETE FROM checkpoint WHERE run_id = ?1 AND pinned = 0 AND checkpoint_id NOT IN ("
      " SELECT * FROM (SELECT checkpoint_id FROM checkpoint WHERE run_id = ?1"
      "  ORDER BY checkpoint_id DESC LIMIT 2)"
      " UNION SELECT max(checkpoint_id) FROM checkpoint WHERE run_id = ?1 AND is_best"
      "  HAVING max(checkpoint_id) IS NOT NULL"
      " UNION SELECT max(checkpoint_id) FROM checkpoint WHERE run_id = ?1 AND kind = 1"
      "  HAVING max(checkpoint_id) IS NOT NULL)"
      " RETURNING path";
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *q = ts_sql_query (writer->sql, error, kept, "i", run_id);
  int more = -1;

  while (q && (more = ts_sql_next (writer->sql, q, error)) == 1)
    if (sqlite3_column_type (q, 0) != SQLITE_NULL)
      g_ptr_array_add (gone, ts_sql_dup_text (q, 0));
  if (more < 0)
    return FALSE;
  for (guint i = 0; i < gone->len; i++) {
    gint64 shared = 0;
    if (!ts_sql_get (writer->sql, &shared, error, "SELECT count(*) FROM checkpoint WHERE path = ?1",
                     "s", gone->pdata[i]))
      return FALSE;
    if (shared == 0)
      g_ptr_array_add (writer->doomed, g_build_filename (writer->folder, gone->pdata[i], NULL));
  }
  return TRUE;
}

static gboolean
store_checkpoint (TsWriter *writer, const TsWaiting *w, GError **error)
{
  const TsEvent *e = w->event;
  const char *path = e->u.checkpoint.path + strlen (writer->folder) + 1;

  return ts_sql_do (writer->sql, error,
                    "INSERT INTO checkpoint(run_id, attempt_id, step, epoch, us, kind, is_best,"
                    " metric, metric_bits, size, sha256, path) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                    "iiiiiiidiibs", w->attempt->run_id, w->attempt->attempt_id, e->step,
                    e->u.checkpoint.epoch, e->wall_us, (gint64) e->u.checkpoint.kind,
                    (gint64) e->u.checkpoint.is_best, e->u.checkpoint.metric,
                    (gint64) ts_bits (e->u.checkpoint.metric), e->u.checkpoint.size_bytes,
                    e->u.checkpoint.sha256, (gsize) 32, path) &&
         retain (writer, w->attempt->run_id, error);
}

static gboolean
store_end (TsWriter *writer, const TsWaiting *w, GError **error)
{
  const TsEvent *e = w->event;

  return ts_sql_do (writer->sql, error,
                    "UPDATE run SET state = ?2, ended_us = ?3, message = ?4 WHERE run_id = ?1",
                    "iiis", w->attempt->run_id, (gint64) e->u.end.state, e->wall_us,
                    e->u.end.message) &&
         ts_sql_do (writer->sql, error, "UPDATE attempt SET ended_us = ?2 WHERE attempt_id = ?1",
                    "ii", w->attempt->attempt_id, e->wall_us);
}

gboolean
ts_store_event (TsWriter *writer, const TsWaiting *w, GError **error)
{
  const TsEvent *e = w->event;
  gint64 run = w->attempt->run_id, attempt = w->attempt->attempt_id;

  switch (e->kind) {
  case TS_EVENT_HISTOGRAM:
    return store_histogram (writer, w, error);
  case TS_EVENT_GRAPH:
    return ts_store_graph (writer, run, "main", 0, (const guint8 *) e->u.graph.json,
                           strlen (e->u.graph.json), error);
  case TS_EVENT_CHECKPOINT:
    return store_checkpoint (writer, w, error);
  case TS_EVENT_NOTE:
    return ts_sql_do (
        writer->sql, error,
        "INSERT INTO event(run_id, attempt_id, us, step, severity, text) VALUES(?,?,?,?,?,?)",
        "iiiiis", run, attempt, e->wall_us, e->step, (gint64) e->u.note.severity, e->u.note.text);
  case TS_EVENT_EDIT:
    return ts_sql_do (writer->sql, error,
                      "INSERT INTO edit(run_id, attempt_id, us, step, key, from_bits, to_bits)"
                      " VALUES(?,?,?,?,?,?,?)",
                      "iiiisii", run, attempt, e->wall_us, e->step, e->u.edit.key,
                      (gint64) ts_bits (e->u.edit.from), (gint64) ts_bits (e->u.edit.to));
  case TS_EVENT_STATE:
    return ts_sql_do (writer->sql, error, "UPDATE run SET state = ?2 WHERE run_id = ?1", "ii", run,
                      (gint64) e->u.state.state);
  case TS_EVENT_END:
    return store_end (writer, w, error);
  case TS_EVENT_SCALARS: /* never waits as an event */
    break;
  }
  return TRUE;
}
