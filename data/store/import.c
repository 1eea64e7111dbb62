/* SPDX-License-Identifier: MIT */
#include "data/store/import-private.h"

#define ITEM_BYTES  64         /* what a waiting sample takes beside its bytes */
#define BATCH_BYTES (8u << 20) /* that are committed at once */
#define FIRST_BYTES (1u << 20) /* the same of the first batch: until it comes the writer has nothing to do */

/* --- Made and freed --- */

static guint
key_hash (gconstpointer data)
{
  const TsImportKey *key = data;

  return g_direct_hash (key->tag) * 31 + (guint) key->kind;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const TsImportKey *p = a, *q = b;

  return p->tag == q->tag && p->kind == q->kind;
}

GHashTable *
ts_import_key_table (GDestroyNotify free_value)
{
  return g_hash_table_new_full (key_hash, key_equal, g_free, free_value);
}

static void
free_series (gpointer data)
{
  TsImportSeries *series = data;

  ts_lod_free (series->lod);
  ts_lod_free (series->staged_lod);
  g_free (series->meta);
  g_free (series);
}

static void
free_attempt (gpointer data)
{
  TsImportAttempt *attempt = data;

  g_hash_table_unref (attempt->series);
  g_free (attempt->origin);
  g_free (attempt);
}

static void
free_run (gpointer data)
{
  TsImportRun *run = data;

  g_hash_table_unref (run->series_ids);
  g_free (run->name);
  g_free (run);
}

gboolean
ts_import_is_due (const TsImport *import)
{
  return import->batch->bytes >= (import->n_batches ? BATCH_BYTES : FIRST_BYTES);
}

TsImport *
ts_import_new (TsWriter *writer, GError **error)
{
  g_autoptr (TsImport) import = g_new0 (TsImport, 1);

  import->writer = writer;
  import->runs = g_ptr_array_new_with_free_func (free_run);
  import->attempts = g_ptr_array_new_with_free_func (free_attempt);
  import->sources = g_ptr_array_new_with_free_func (ts_import_source_free);
  import->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  import->touched = g_hash_table_new (NULL, NULL);
  import->spare = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  import->batch = ts_import_batch_new (import);
  if (!ts_writer_request (writer, ts_import_load, NULL, import, FALSE, error))
    return NULL;
  return g_steal_pointer (&import);
}

void
ts_import_free (TsImport *import)
{
  ts_import_settle (import, NULL);
  g_clear_pointer (&import->failed, ts_import_batch_free);
  ts_import_batch_free (import->batch);
  g_ptr_array_unref (import->spare);
  g_hash_table_unref (import->by_path);
  g_hash_table_unref (import->touched);
  g_ptr_array_unref (import->sources);
  g_ptr_array_unref (import->attempts);
  g_ptr_array_unref (import->runs);
  g_free (import);
}

/* --- Sources --- */

TsImportSource *
ts_import_find_source (TsImport *import, const char *path)
{
  return g_hash_table_lookup (import->by_path, path);
}

void
ts_import_touch_source (TsImport *import, TsImportSource *source)
{
  g_hash_table_add (import->touched, source);
}

TsImportSource *
ts_import_add_source (TsImport *import, const char *path, TsImportRun *run,
                      TsImportAttempt *attempt)
{
  TsImportSource *source = g_hash_table_lookup (import->by_path, path);

  if (!source) {
    source = g_new0 (TsImportSource, 1);
    source->path = g_strdup (path);
    g_ptr_array_add (import->sources, source);
    g_hash_table_insert (import->by_path, source->path, source);
  }
  *source = (TsImportSource){.path = source->path, .run = run, .attempt = attempt};
  ts_import_touch_source (import, source);
  return source;
}

void
ts_import_forget_runs (TsImport *import, GHashTable *kept)
{
  for (guint i = 0; i < import->runs->len; i++) {
    TsImportRun *run = import->runs->pdata[i];
    if (run->forgotten || g_hash_table_contains (kept, run))
      continue;
    run->forgotten = TRUE;
    ts_import_run_work (import, run)->gone = TRUE;
  }
  for (guint i = import->sources->len; i-- > 0;) {
    TsImportSource *source = import->sources->pdata[i];
    if (!source->run->forgotten)
      continue;
    g_hash_table_remove (import->by_path, source->path);
    g_hash_table_remove (import->touched, source);
    g_ptr_array_remove_index_fast (import->sources, i);
  }
}

/* --- Runs and attempts --- */

TsImportRun *
ts_import_add_run (TsImport *import, const char *name, TsImportRun *parent)
{
  TsImportRun *run = g_new0 (TsImportRun, 1);

  run->name = g_strdup (name);
  run->parent = parent;
  run->series_ids = ts_import_key_table (NULL);
  g_ptr_array_add (import->runs, run);
  ts_import_run_work (import, run);
  return run;
}

const char *
ts_import_get_name (const TsImportRun *run)
{
  return run->name;
}

TsImportRun *
ts_import_get_parent (const TsImportRun *run)
{
  return run->parent;
}

void
ts_import_set_times (TsImport *import, TsImportRun *run, gint64 created_us, gint64 ended_us)
{
  if (run->created_us == created_us && run->ended_us == ended_us)
    return;
  TsImportRunWork *work = ts_import_run_work (import, run);
  work->has_times = TRUE;
  work->created_us = run->created_us = created_us;
  work->ended_us = run->ended_us = ended_us;
}

gint64
ts_import_get_created_us (const TsImportRun *run)
{
  return run->created_us;
}

gint64
ts_import_get_ended_us (const TsImportRun *run)
{
  return run->ended_us;
}

void
ts_import_set_hparam (TsImport *import, TsImportRun *run, const TsHparam *hparam)
{
  TsImportHparam *copy = g_new0 (TsImportHparam, 1);

  copy->p = *hparam;
  copy->p.key = g_strdup (hparam->key);
  copy->p.t = g_strdup (hparam->t);
  g_ptr_array_add (ts_import_run_work (import, run)->hparams, copy);
}

void
ts_import_set_graph (TsImport *import, TsImportRun *run, const char *name, int format,
                     GBytes *bytes)
{
  TsImportGraph graph = {g_strdup (name), format, g_bytes_ref (bytes)};

  g_array_append_val (ts_import_run_work (import, run)->graphs, graph);
  import->batch->bytes += g_bytes_get_size (bytes);
}

void
ts_import_add_note (TsImport *import, TsImportAttempt *attempt, TsSeverity severity,
                    const char *text)
{
  TsImportNote note = {severity, g_strdup (text)};

  g_array_append_val (ts_import_attempt_work (import, attempt)->notes, note);
}

TsImportAttempt *
ts_import_add_attempt (TsImport *import, TsImportRun *run, const char *origin, gint64 started_us,
                       gboolean by_series, gboolean hides, gint64 resume_step)
{
  TsImportAttempt *attempt = g_new0 (TsImportAttempt, 1);

  attempt->run = run;
  attempt->origin = g_strdup (origin);
  attempt->started_us = started_us;
  attempt->by_series = by_series;
  attempt->hides = hides;
  attempt->resume_step = resume_step;
  attempt->series = ts_import_key_table (free_series);
  run->n_attempts++;
  g_ptr_array_add (import->attempts, attempt);
  ts_import_attempt_work (import, attempt)->is_new = TRUE;
  return attempt;
}

guint
ts_import_count_attempts (const TsImportRun *run)
{
  return run->n_attempts;
}

void
ts_import_attempt_goes_on (TsImport *import, TsImportAttempt *attempt)
{
  ts_import_attempt_work (import, attempt)->goes_on = TRUE;
}

gboolean
ts_import_attempt_is_empty (const TsImportAttempt *attempt)
{
  return attempt->work && attempt->work->is_new && g_hash_table_size (attempt->series) == 0;
}

void
ts_import_set_resume_step (TsImportAttempt *attempt, gint64 resume_step)
{
  attempt->by_series = FALSE;
  attempt->hides = TRUE;
  attempt->resume_step = resume_step;
}

/* --- Points and items --- */

TsImportSeries *
ts_import_series (TsImport *import, TsImportAttempt *attempt, const char *tag, TsSeriesKind kind,
                  const char *meta)
{
  TsImportKey key = {g_intern_string (tag), (int) kind};
  TsImportSeries *series = g_hash_table_lookup (attempt->series, &key);

  if (series)
    return series;
  series = g_new0 (TsImportSeries, 1);
  series->attempt = attempt;
  series->tag = key.tag;
  series->kind = kind;
  series->meta = g_strdup (meta);
  g_hash_table_insert (attempt->series, g_memdup2 (&key, sizeof key), series);
  return series;
}

/* The array keeps room that it does not count: asking it for each point would cost more than the point.  One that
 * a batch has given back has its room as its length. */
static void
make_room (TsImport *import, TsImportSeriesWork *work)
{
  guint n = work->points ? work->points->len : 0;

  if (!work->points && import->spare->len) {
    work->points = g_ptr_array_steal_index_fast (import->spare, import->spare->len - 1);
    work->room = work->points->len;
  } else {
    if (!work->points)
      work->points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
    work->room = MAX (64, 2 * n);
    g_array_set_size (work->points, work->room);
  }
  work->points->len = n;
}

void
ts_import_add_point (TsImport *import, TsImportSeries *series, const TsPoint *point)
{
  TsImportSeriesWork *work = ts_import_series_work (import, series);

  if (!work->points || work->points->len == work->room)
    make_room (import, work);
  TsPoint *place = &g_array_index (work->points, TsPoint, work->points->len++);
  *place = *point;
  __builtin_prefetch (place + 5, 1);
  import->batch->bytes += sizeof *point;
}

void
ts_import_add_item (TsImport *import, TsImportSeries *series, gint64 step, gint64 wall, int codec,
                    const char *meta, GBytes *bytes)
{
  TsImportItem item = {step, wall, codec, g_strdup (meta), g_bytes_ref (bytes)};
  TsImportSeriesWork *work = ts_import_series_work (import, series);

  g_array_append_val (ts_import_items (work), item);
  import->batch->bytes += g_bytes_get_size (bytes) + ITEM_BYTES;
}
