/* SPDX-License-Identifier: MIT */
#include "data/store/import-private.h"

#include "data/store/chunk.h"

/* What one commit of an import writes, and the thread that waits for it. */

#define SPARE_MAX 4096 /* arrays kept for the next batch */

static void
clear_item (gpointer data)
{
  TsImportItem *item = data;

  g_free (item->meta);
  g_bytes_unref (item->bytes);
}

static void
clear_note (gpointer data)
{
  g_free (((TsImportNote *) data)->text);
}

static void
clear_graph (gpointer data)
{
  TsImportGraph *graph = data;

  g_free (graph->name);
  g_bytes_unref (graph->bytes);
}

void
ts_import_hparam_free (gpointer data)
{
  TsImportHparam *h = data;

  g_free ((char *) h->p.key);
  g_free ((char *) h->p.t);
  g_free (h);
}

void
ts_import_source_free (gpointer data)
{
  TsImportSource *source = data;

  g_free (source->path);
  g_free (source);
}

/* --- Batches --- */

static void
free_run_work (gpointer data)
{
  TsImportRunWork *work = data;

  g_ptr_array_unref (work->hparams);
  g_array_unref (work->graphs);
  g_free (work);
}

static void
free_attempt_work (gpointer data)
{
  TsImportAttemptWork *work = data;

  g_array_unref (work->notes);
  g_free (work);
}

static void
free_series_work (gpointer data)
{
  TsImportSeriesWork *work = data;

  g_clear_pointer (&work->points, g_array_unref);
  g_clear_pointer (&work->items, g_array_unref);
  g_free (work->ready);
  g_free (work);
}

TsImportBatch *
ts_import_batch_new (TsImport *import)
{
  TsImportBatch *batch = g_new0 (TsImportBatch, 1);

  batch->import = import;
  batch->runs = g_ptr_array_new_with_free_func (free_run_work);
  batch->attempts = g_ptr_array_new_with_free_func (free_attempt_work);
  batch->series = g_ptr_array_new_with_free_func (free_series_work);
  batch->ready = g_byte_array_new ();
  batch->sources = g_ptr_array_new_with_free_func (ts_import_source_free);
  batch->new_ids = g_array_new (FALSE, FALSE, sizeof (TsImportNewId));
  return batch;
}

void
ts_import_batch_free (TsImportBatch *batch)
{
  g_ptr_array_unref (batch->runs);
  g_ptr_array_unref (batch->attempts);
  g_ptr_array_unref (batch->series);
  g_ptr_array_unref (batch->sources);
  g_array_unref (batch->new_ids);
  g_byte_array_unref (batch->ready);
  g_clear_error (&batch->error);
  g_free (batch);
}

TsImportRunWork *
ts_import_run_work (TsImport *import, TsImportRun *run)
{
  TsImportRunWork *work = run->work;

  if (work)
    return work;
  work = run->work = g_new0 (TsImportRunWork, 1);
  work->run = run;
  work->hparams = g_ptr_array_new_with_free_func (ts_import_hparam_free);
  work->graphs = g_array_new (FALSE, FALSE, sizeof (TsImportGraph));
  g_array_set_clear_func (work->graphs, clear_graph);
  g_ptr_array_add (import->batch->runs, work);
  return work;
}

TsImportAttemptWork *
ts_import_attempt_work (TsImport *import, TsImportAttempt *attempt)
{
  TsImportAttemptWork *work = attempt->work;

  if (work)
    return work;
  work = attempt->work = g_new0 (TsImportAttemptWork, 1);
  work->attempt = attempt;
  work->notes = g_array_new (FALSE, FALSE, sizeof (TsImportNote));
  g_array_set_clear_func (work->notes, clear_note);
  g_ptr_array_add (import->batch->attempts, work);
  return work;
}

TsImportSeriesWork *
ts_import_series_work (TsImport *import, TsImportSeries *series)
{
  if (!series->work) {
    series->work = g_new0 (TsImportSeriesWork, 1);
    series->work->series = series;
    g_ptr_array_add (import->batch->series, series->work);
  }
  return series->work;
}

GArray *
ts_import_items (TsImportSeriesWork *work)
{
  if (!work->items) {
    work->items = g_array_new (FALSE, FALSE, sizeof (TsImportItem));
    g_array_set_clear_func (work->items, clear_item);
  }
  return work->items;
}

/* What was gathered, not to be changed any more. */
static TsImportBatch *
hand_over (TsImport *import)
{
  TsImportBatch *batch = import->batch;
  GHashTableIter iter;
  TsImportSource *source;

  for (guint i = 0; i < batch->runs->len; i++) {
    TsImportRun *run = ((TsImportRunWork *) batch->runs->pdata[i])->run;
    run->work = NULL;
    run->known = TRUE;
  }
  for (guint i = 0; i < batch->attempts->len; i++)
    ((TsImportAttemptWork *) batch->attempts->pdata[i])->attempt->work = NULL;
  for (guint i = 0; i < batch->series->len; i++)
{
    TsImportSeries *series = ((TsImportSeriesWork *) batch->series->pdata[i])->series;
    series->work = NULL;
    series->known = TRUE;
  }
  g_hash_table_iter_init (&iter, import->touched);
  while (g_hash_table_iter_next (&iter, (gpointer *) &source, NULL)) {
    TsImportSource *copy = g_memdup2 (source, sizeof *source);
    copy->path = g_strdup (source->path);
    g_ptr_array_add (batch->sources, copy);
  }
  g_hash_table_remove_all (import->touched);
  import->batch = ts_import_batch_new (import);
  import->n_batches++;
  return batch;
}

/* --- Made ahead --- */

static void
make_ready (TsImportBatch *batch, TsImportSeriesWork *work)
{
  TsReadyChunk *chunk = work->ready = g_new0 (TsReadyChunk, 1);
  const TsPoint *points = (const TsPoint *) work->points->data;

  chunk->n = work->points->len;
  work->ready_at = batch->ready->len;
  chunk->codec = ts_chunk_encode (batch->ready, TS_WALL_SECONDS, points, chunk->n);
  chunk->size = batch->ready->len - work->ready_at;
  ts_bucket_add (&chunk->bucket, points, chunk->n, TS_WALL_SECONDS, 0);
  ts_stats_add_points (&chunk->stats, points, chunk->n, TS_WALL_SECONDS);
}

/* While the writer is busy with the batch before, this thread encodes short new series for it. */
static void
make_ready_while_busy (TsImport *import)
{
  TsImportBatch *batch = import->batch;

  for (guint i = 0; i < batch->series->len; i++) {
    TsImportSeriesWork *work = batch->series->pdata[i];
    if (!import->flight || __atomic_load_n (&import->flight->done, __ATOMIC_ACQUIRE))
      return;
    if (work->points && work->points->len < TS_CHUNK_POINTS && !work->series->known &&
        !work->ready)
      make_ready (batch, work);
  }
}

/* --- Commits --- */

static gboolean
write_batch (TsImportBatch *batch)
{
  g_clear_error (&batch->error);
  batch->ok = ts_writer_request (batch->import->writer, ts_import_write, ts_import_written, batch,
                                 FALSE, &batch->error);
  return batch->ok;
}

static void *
run_flight (void *data)
{
  TsImportBatch *batch = data;

  write_batch (batch);
  __atomic_store_n (&batch->done, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* What one batch needed the next one will need too. */
static void
keep_arrays (TsImport *import, TsImportBatch *batch)
{
  for (guint i = 0; i < batch->series->len && import->spare->len < SPARE_MAX; i++) {
    TsImportSeriesWork *work = batch->series->pdata[i];
    if (!work->points)
      continue;
    work->points->len = work->room;
    g_ptr_array_add (import->spare, g_steal_pointer (&work->points));
  }
}

/* Frees one that is in the file; keeps one that is not. */
static gboolean
conclude (TsImport *import, TsImportBatch *batch, GError **error)
{
  if (batch->ok) {
    keep_arrays (import, batch);
    ts_import_batch_free (batch);
    return TRUE;
  }
  import->failed = batch;
  g_propagate_error (error, g_error_copy (batch->error));
  return FALSE;
}

gboolean
ts_import_settle (TsImport *import, GError **error)
{
  TsImportBatch *batch = g_steal_pointer (&import->flight);

  if (!batch)
    return TRUE;
  pthread_join (batch->thread, NULL);
  return conclude (import, batch, error);
}

gboolean
ts_import_commit_begin (TsImport *import, GError **error)
{
  TsImportBatch *batch;

  make_ready_while_busy (import);
  if (!ts_import_settle (import, error))
    return FALSE;
  batch = g_steal_pointer (&import->failed);
  if (batch) {
    write_batch (batch);
    if (!conclude (import, batch, error))
      return FALSE;
  }
  batch = hand_over (import);
  if (pthread_create (&batch->thread, NULL, run_flight, batch) == 0) {
    import->flight = batch;
    return TRUE;
  }
  write_batch (batch);
  return conclude (import, batch, error);
}

gboolean
ts_import_commit (TsImport *import, GError **error)
{
  return ts_import_commit_begin (import, error) && ts_import_settle (import, error);
}
