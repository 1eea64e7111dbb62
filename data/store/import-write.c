/* SPDX-License-Identifier: MIT */
#include "data/store/import-private.h"

#include "data/store/chunk.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"

/* One transaction on the writer's thread with all that an import has gathered. */

#define INLINE_BYTES 4096 /* longer samples go into blobs, which are stored once */

/* --- Runs and attempts --- */

static gboolean
write_hparams (TsWriter *writer, const TsImportRunWork *work, GError **error)
{
  const TsImportRun *run = work->run;

  for (guint i = 0; i < work->hparams->len; i++) {
    const TsHparam *p = &((const TsImportHparam *) work->hparams->pdata[i])->p;
    if (!ts_sql_do (writer->sql, error, "DELETE FROM hparam WHERE run_id = ?1 AND key = ?2", "is",
                    run->run_id, p->key) ||
        !ts_writer_insert_hparam (writer, run->run_id, p, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_graphs (TsWriter *writer, const TsImportRunWork *work, GError **error)
{
  for (guint i = 0; i < work->graphs->len; i++) {
    const TsImportGraph *g = &g_array_index (work->graphs, TsImportGraph, i);
    if (!ts_store_graph (writer, work->run->run_id, g->name, g->format,
                         g_bytes_get_data (g->bytes, NULL), g_bytes_get_size (g->bytes), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_run (TsWriter *writer, const TsImportRunWork *work, GError **error)
{
  TsImportRun *run = work->run;

  if (!run->in_file) {
    g_autofree char *name = ts_writer_dup_free_name (writer, run->name, error);
    if (!name || !ts_writer_insert_imported (writer, name, run->parent ? run->parent->run_id : 0,
                                             &run->run_id, error))
      return FALSE;
    run->is_ours = TRUE;
  }
  if (work->has_times &&
      !ts_sql_do (writer->sql, error,
                  "UPDATE run SET created_us = ?2, ended_us = nullif(?3, 0) WHERE run_id = ?1",
                  "iii", run->run_id, work->created_us, work->ended_us))
    return FALSE;
  if (work->gone &&
      (!ts_sql_do (writer->sql, error, "UPDATE run SET trashed_us = ?2 WHERE run_id = ?1", "ii",
                   run->run_id, g_get_real_time ()) ||
       !ts_sql_do (writer->sql, error, "DELETE FROM import_source WHERE run_id = ?1", "i",
                   run->run_id)))
    return FALSE;
  return write_hparams (writer, work, error) && write_graphs (writer, work, error);
}

static gboolean
write_attempt (TsWriter *writer, const TsImportAttemptWork *work, GError **error)
{
  TsImportAttempt *attempt = work->attempt;

  if (!attempt->in_file) {
    if (!ts_sql_do (
            writer->sql, error,
            "INSERT INTO attempt(run_id, ordinal, started_us, resume_step, by_series, origin)"
            " VALUES(?1, (SELECT count(*) FROM attempt WHERE run_id = ?1), ?2,"
            " CASE WHEN ?3 THEN ?4 END, ?5, ?6)",
            "iiiiis", attempt->run->run_id, attempt->started_us, (gint64) attempt->hides,
            attempt->resume_step, (gint64) attempt->by_series, attempt->origin))
      return FALSE;
    attempt->attempt_id = sqlite3_last_insert_rowid (writer->sql->db);
  }
  for (guint i = 0; i < work->notes->len; i++) {
    const TsImportNote *n = &g_array_index (work->notes, TsImportNote, i);
    if (!ts_sql_do (writer->sql, error,
                    "INSERT INTO event(run_id, attempt_id, us, severity, text) VALUES(?,?,?,?,?)",
                    "iiiis", attempt->run->run_id, attempt->attempt_id, g_get_real_time (),
                    (gint64) n->severity, n->text))
      return FALSE;
  }
  return TRUE;
}

/* After all attempts have their rows. */
static gboolean
write_going_on (TsWriter *writer, const TsImportBatch *batch, GError **error)
{
  for (guint i = 0; i < batch->attempts->len; i++) {
    const TsImportAttemptWork *work = batch->attempts->pdata[i];
    const TsImportAttempt *attempt = work->attempt;
    if (work->goes_on &&
        !ts_sql_do (writer->sql, error,
                    "UPDATE attempt SET by_series = 0 WHERE run_id = ?1 AND ordinal >"
                    " (SELECT ordinal FROM attempt WHERE attempt_id = ?2)",
                    "ii", attempt->run->run_id, attempt->attempt_id))
      return FALSE;
  }
  return TRUE;
}

/* --- Series --- */

static gint64 *
remember_id (TsImportBatch *batch, TsImportRun *run, TsImportKey key)
{
  TsImportId *id = g_new (TsImportId, 1);
  TsImportNewId added = {run, id};

  *id = (TsImportId){key, 0};
  g_hash_table_add (run->series_ids, id);
  g_array_append_val (batch->new_ids, added);
  return &id->series_id;
}

/* A transaction that failed has given out ids that nothing has. */
static void
forget_ids (TsImportBatch *batch)
{
  for (guint i = 0; i < batch->new_ids->len; i++) {
    const TsImportNewId *added = &g_array_index (batch->new_ids, TsImportNewId, i);
    g_hash_table_remove (added->run->series_ids, added->id);
  }
  g_array_set_size (batch->new_ids, 0);
}

/* The series of that tag and kind: where it stands, or a new one. */
static gboolean
find_series (TsImportBatch *batch, const TsImportSeries *series, TsSeries *out, GError **error)
{
  TsWriter *writer = batch->import->writer;
  TsImportRun *run = series->attempt->run;
  TsImportKey key = {series->tag, (int) series->kind};
  const TsImportId *known = g_hash_table_lookup (run->series_ids, &key);

  out->tag_id = ts_writer_tag (writer, series->tag)->tag_id;
  if (known)
    out->series_id = known->series_id;
  else if (!run->is_ours &&
           !ts_sql_get (
               writer->sql, &out->series_id, error,
               "SELECT series_id FROM series WHERE run_id = ?1 AND tag_id = ?2 AND kind = ?3",
               "iii", run->run_id, out->tag_id, (gint64) series->kind))
    return FALSE;
  if (out->series_id) {
    if (!ts_recover_head (writer, out->series_id, &out->sealed, &out->stats, error))
      return FALSE;
  } else {
    out->series_id = writer->next_series_id++;
    out->is_new = TRUE;
    out->meta = series->meta;
  }
  if (!known)
    *remember_id (batch, run, key) = out->series_id;
  out->seq0 = out->sealed;
  return TRUE;
}

/* The chunk that is not full yet, when it is of the same attempt: what follows goes into it. */
static gboolean
load_open_chunk (TsWriter *writer, TsSeries *s, GError **error)
{
  sqlite3_stmt *q =
      ts_sql_query (writer->sql, error,
                    "SELECT seq, attempt_id, n, codec, crc, data FROM chunk WHERE series_id = ?1"
                    " ORDER BY seq DESC LIMIT 1",
                    "i", s->series_id);
  int more = q ? ts_sql_next (writer->sql, q, error) : -1;
  gboolean ok = TRUE;
  TsWallKind wall;

  if (more != 1)
    return more == 0;
  gint64 seq = sqlite3_column_int64 (q, 0), n = sqlite3_column_int64 (q, 2);
  if (sqlite3_column_int64 (q, 1) == s->attempt->attempt_id && n < TS_CHUNK_POINTS) {
    ok = ts_chunk_decode (sqlite3_column_blob (q, 5), (gsize) sqlite3_column_bytes (q, 5),
                          (guint32) sqlite3_column_int64 (q, 4), sqlite3_column_int64 (q, 3), n,
                          s->points, &wall, error);
    if (ok && wall == s->wall && seq + n == s->sealed)
      s->seq0 = seq;
    else
      g_array_set_size (s->points, 0);
  }
  ts_sql_reset (q);
  return ok;
}

static gboolean
write_points (TsImportBatch *batch, const TsImportSeriesWork *work, TsAttempt *attempt,
              GError **error)
{
  TsWriter *writer = batch->import->writer;
  TsImportSeries *series = work->series;
  TsSeries s = {.attempt = attempt, .kind = TS_SERIES_SCALAR, .wall = TS_WALL_SECONDS};
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsPoint));

  s.points = points;
  if (!find_series (batch, series, &s, error) || (s.sealed && !load_open_chunk (writer, &s, error)))
    return FALSE;
  if (points->len)
    g_array_append_vals (points, work->points->data, work->points->len);
  else
    s.points = work->points;
  if (work->ready) {
    work->ready->data = batch->ready->data + work->ready_at;
    s.ready = work->ready;
  }
  /* Another attempt may have gone on with the series meanwhile. */
  if (series->lod && ts_lod_get_seq (series->lod) == s.sealed)
    s.lod = series->lod;
  gboolean ok = ts_seal_series (writer, &s, error);
  ts_lod_free (series->staged_lod);
  series->staged_lod = s.staged_lod;
  return ok;
}

static gboolean
write_item (TsWriter *writer, const TsSeries *s, const TsImportItem *item, GError **error)
{
  static const char insert[] =
      "INSERT INTO item(series_id, seq, attempt_id, step, wall, wall_kind, meta, codec, crc,"
      " inline_data, blob_id) VALUES(?,?,?,?,?,?,?,?,?,?,?)";
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);
  gint64 blob_id;

  if (size <= INLINE_BYTES)
    return ts_sql_do (writer->sql, error, insert, "iiiiiisiibn", s->series_id, s->next_item,
                      s->attempt->attempt_id, item->step, item->wall, (gint64) TS_WALL_SECONDS,
                      item->meta, (gint64) item->codec, (gint64) ts_crc32c (data, size),
                      data ? data : (const guint8 *) "", size);
  return ts_store_blob (writer, data, size, &blob_id, error) &&
         ts_sql_do (writer->sql, error, insert, "iiiiiisinni", s->series_id, s->next_item,
                    s->attempt->attempt_id, item->step, item->wall, (gint64) TS_WALL_SECONDS,
                    item->meta, (gint64) item->codec, blob_id);
}

static gboolean
write_items (TsImportBatch *batch, const TsImportSeriesWork *work, TsAttempt *attempt,
             GError **error)
{
  TsWriter *writer = batch->import->writer;
  TsSeries s = {.attempt = attempt, .kind = work->series->kind};

  if (!find_series (batch, work->series, &s, error))
    return FALSE;
  for (guint i = 0; i < work->items->len; i++) {
    const TsImportItem *item = &g_array_index (work->items, TsImportItem, i);
    ts_stats_add_item (&s.stats, item->step, ts_wall_us (item->wall, TS_WALL_SECONDS));
  }
  if (!ts_seal_head (writer, &s, s.sealed + work->items->len, &s.stats, error))
    return FALSE;
  for (guint i = 0; i < work->items->len; i++) {
    s.next_item = s.sealed + i;
    if (!write_item (writer, &s, &g_array_index (work->items, TsImportItem, i), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_series (TsWriter *writer, TsImportBatch *batch, GError **error)
{
  TsAttempt *attempt = ts_attempt_new (writer, 0, 0);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < batch->series->len; i++) {
    const TsImportSeriesWork *work = batch->series->pdata[i];
    attempt->attempt_id = work->series->attempt->attempt_id;
    attempt->run_id = work->series->attempt->run->run_id;
    ok = work->points ? write_points (batch, work, attempt, error)
                      : write_items (batch, work, attempt, error);
  }
  ts_attempt_free (attempt);
  return ok;
}

static gboolean
write_sources (TsWriter *writer, const TsImportBatch *batch, GError **error)
{
  for (guint i = 0; i < batch->sources->len; i++) {
    const TsImportSource *s = batch->sources->pdata[i];
    if (!ts_sql_do (writer->sql, error, "DELETE FROM import_source WHERE path = ?1", "s",
                    s->path) ||
        !ts_sql_do (writer->sql, error,
                    "INSERT INTO import_source(run_id, attempt_id, path, dev, inode, offset, size,"
                    " mtime_ns, head_crc, bad_records) VALUES(?,?,?,?,?,?,?,?,?,?)",
                    "iisiiiiiii", s->run->run_id, s->attempt->attempt_id, s->path, (gint64) s->dev,
                    (gint64) s->inode, s->offset, s->size, s->mtime_ns, (gint64) s->head_crc,
                    s->bad_records))
      return FALSE;
  }
  return TRUE;
}

gboolean
ts_import_write (TsWriter *writer, gpointer args, GError **error)
{
  TsImportBatch *batch = args;

  forget_ids (batch);
  for (guint i = 0; i < batch->series->len; i++)
    ts_writer_tag (writer, ((TsImportSeriesWork *) batch->series->pdata[i])->series->tag);
  if (!ts_batch_write_tags (writer, error))
    return FALSE;
  for (guint i = 0; i < batch->runs->len; i++)
    if (!write_run (writer, batch->runs->pdata[i], error))
      return FALSE;
  for (guint i = 0; i < batch->attempts->len; i++)
    if (!write_attempt (writer, batch->attempts->pdata[i], error))
      return FALSE;
  return write_going_on (writer, batch, error) && write_series (writer, batch, error) &&
         write_sources (writer, batch, error);
}

void
ts_import_written (TsWriter *writer, gpointer args)
{
  TsImportBatch *batch = args;

  writer->tags_in_file = writer->next_tag_id;
  g_array_set_size (batch->new_ids, 0);
  for (guint i = 0; i < batch->runs->len; i++)
    ((TsImportRunWork *) batch->runs->pdata[i])->run->in_file = TRUE;
  for (guint i = 0; i < batch->attempts->len; i++)
    ((TsImportAttemptWork *) batch->attempts->pdata[i])->attempt->in_file = TRUE;
  for (guint i = 0; i < batch->series->len; i++) {
    TsImportSeries *series = ((TsImportSeriesWork *) batch->series->pdata[i])->series;
    if (series->staged_lod) {
      ts_lod_free (series->lod);
      series->lod = g_steal_pointer (&series->staged_lod);
    }
  }
}

/* --- What the workspace knows --- */

typedef struct {
  GHashTable *runs, *attempts; /* id → TsImportRun, TsImportAttempt */
} Known;

static gboolean
load_runs (TsImport *import, Known *known, GError **error)
{
  TsSql *sql = import->writer->sql;
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      sql, error,
      "SELECT run_id, name, created_us, coalesce(ended_us, 0), (SELECT count(*) FROM attempt AS a"
      " WHERE a.run_id = run.run_id) FROM run"
      " WHERE run_id IN (SELECT run_id FROM import_source)",
      "");

  while (q && (more = ts_sql_next (sql, q, error)) == 1) {
    g_autofree char *name = ts_sql_dup_text (q, 1);
    TsImportRun *run = ts_import_add_run (import, name, NULL);
    run->run_id = sqlite3_column_int64 (q, 0);
    run->created_us = sqlite3_column_int64 (q, 2);
    run->ended_us = sqlite3_column_int64 (q, 3);
    run->n_attempts = (guint) sqlite3_column_int64 (q, 4);
    run->in_file = run->known = TRUE;
    g_hash_table_insert (known->runs, &run->run_id, run);
  }
  return more == 0;
}

static TsImportAttempt *
known_attempt (TsImport *import, Known *known, TsImportRun *run, gint64 attempt_id,
               const char *origin)
{
  TsImportAttempt *attempt = g_hash_table_lookup (known->attempts, &attempt_id);

  if (attempt)
    return attempt;
  attempt = ts_import_add_attempt (import, run, origin, 0, FALSE, FALSE, 0);
  run->n_attempts--; /* it has been counted */
  attempt->attempt_id = attempt_id;
  attempt->in_file = TRUE;
  attempt->work->is_new = FALSE;
  g_hash_table_insert (known->attempts, &attempt->attempt_id, attempt);
  return attempt;
}

static gboolean
load_sources (TsImport *import, Known *known, GError **error)
{
  TsSql *sql = import->writer->sql;
  int more = -1;
  sqlite3_stmt *q =
      ts_sql_query (sql, error,
                    "SELECT run_id, attempt_id, path, dev, inode, offset, size, mtime_ns,"
                    " head_crc, bad_records FROM import_source",
                    "");

  while (q && (more = ts_sql_next (sql, q, error)) == 1) {
    gint64 run_id = sqlite3_column_int64 (q, 0);
    g_autofree char *path = ts_sql_dup_text (q, 2);
    TsImportRun *run = g_hash_table_lookup (known->runs, &run_id);
    if (!run)
      continue;
    TsImportSource *source = ts_import_add_source (
        import, path, run, known_attempt (import, known, run, sqlite3_column_int64 (q, 1), path));
    source->dev = (guint64) sqlite3_column_int64 (q, 3);
    source->inode = (guint64) sqlite3_column_int64 (q, 4);
    source->offset = sqlite3_column_int64 (q, 5);
    source->size = sqlite3_column_int64 (q, 6);
    source->mtime_ns = sqlite3_column_int64 (q, 7);
    source->head_crc = (guint32) sqlite3_column_int64 (q, 8);
    source->bad_records = sqlite3_column_int64 (q, 9);
  }
  g_hash_table_remove_all (import->touched);
  return more == 0;
}

gboolean
ts_import_load (TsWriter *writer, gpointer args, GError **error)
{
  Known known = {g_hash_table_new (g_int64_hash, g_int64_equal),
                 g_hash_table_new (g_int64_hash, g_int64_equal)};
  gboolean ok = load_runs (args, &known, error) && load_sources (args, &known, error);

  g_hash_table_unref (known.runs);
  g_hash_table_unref (known.attempts);
  return ok;
}

typedef struct {
  const TsImportRun *run;
  TsImportTagFunc func;
  gpointer data;
} EachSeries;

static gboolean
each_series (TsWriter *writer, gpointer args, GError **error)
{
  const EachSeries *each = args;
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (writer->sql, error,
                                  "SELECT name, meta FROM series JOIN tag USING(tag_id)"
                                  " WHERE run_id = ?1 ORDER BY series_id",
                                  "i", each->run->run_id);

  while (q && (more = ts_sql_next (writer->sql, q, error)) == 1) {
    g_autofree char *tag = ts_sql_dup_text (q, 0), *meta = ts_sql_dup_text (q, 1);
    each->func (tag, meta, each->data);
  }
  return more == 0;
}

gboolean
ts_import_each_series (TsImport *import, const TsImportRun *run, TsImportTagFunc func,
                       gpointer data, GError **error)
{
  EachSeries each = {run, func, data};

  return !run->known ||
         (ts_import_settle (import, error) &&
          ts_writer_request (import->writer, each_series, NULL, &each, FALSE, error));
}
