/* SPDX-License-Identifier: MIT */
#include "data/store/import-private.h"

#define ITEM_BYTES 64 /* what a waiting sample takes beside its bytes */

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

static void
free_series (gpointer data)
{
  TsImportSeries *series = data;

  g_clear_pointer (&series->points, g_array_unref);
  g_clear_pointer (&series->items, g_array_unref);
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
  g_array_unref (attempt->notes);
  g_free (attempt->origin);
  g_free (attempt);
}

static void
free_run (gpointer data)
{
  TsImportRun *run = data;

  g_ptr_array_unref (run->hparams);
  g_array_unref (run->graphs);
  g_hash_table_unref (run->series_ids);
  g_free (run->name);
  g_free (run);
}

static void
free_source (gpointer data)
{
  TsImportSource *source = data;

  g_free (source->path);
  g_free (source);
}

TsImport *
ts_import_new (TsWriter *writer, GError **error)
{
  g_autoptr (TsImport) import = g_new0 (TsImport, 1);

  import->writer = writer;
  import->runs = g_ptr_array_new_with_free_func (free_run);
  import->attempts = g_ptr_array_new_with_free_func (free_attempt);
  import->sources = g_ptr_array_new_with_free_func (free_source);
  import->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  import->waiting = g_ptr_array_new ();
  import->new_ids = g_ptr_array_new_with_free_func (g_free);
  import->touched = g_hash_table_new (NULL, NULL);
  if (!ts_writer_request (writer, ts_import_load, NULL, import, FALSE, error))
    return NULL;
  return g_steal_pointer (&import);
}

void
ts_import_free (TsImport *import)
{
  g_hash_table_unref (import->by_path);
  g_hash_table_unref (import->touched);
  g_ptr_array_unref (import->waiting);
  g_ptr_array_unref (import->new_ids);
  g_ptr_array_unref (import->sources);
  g_ptr_array_unref (import->attempts);
  g_ptr_array_unref (import->runs);
  g_free (import);
}

gsize
ts_import_get_waiting (const TsImport *import)
{
  return import->bytes;
}

gboolean
ts_import_commit (TsImport *import, GError **error)
{
  return ts_writer_request (import->writer, ts_import_write, ts_import_written, import, FALSE,
                            error);
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
    run->gone = !run->forgotten && !g_hash_table_contains (kept, run);
  }
  for (guint i = import->sources->len; i-- > 0;) {
    TsImportSource *source = import->sources->pdata[i];
    if (!source->run->gone)
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
  run->hparams = g_ptr_array_new_with_free_func (ts_import_hparam_free);
  run->graphs = g_array_new (FALSE, FALSE, sizeof (TsImportGraph));
  g_array_set_clear_func (run->graphs, clear_graph);
  run->series_ids = ts_import_key_table (g_free);
  g_ptr_array_add (import->runs, run);
  return run;
}

void
ts_import_set_times (TsImport *import, TsImportRun *run, gint64 created_us, gint64 ended_us)
{
  run->times_changed |= run->created_us != created_us || run->ended_us != ended_us;
  run->created_us = created_us;
  run->ended_us = ended_us;
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
  g_ptr_array_add (run->hparams, copy);
}

void
ts_import_set_graph (TsImport *import, TsImportRun *run, const char *name, int format,
                     GBytes *bytes)
{
  TsImportGraph graph = {g_strdup (name), format, g_bytes_ref (bytes)};

  g_array_append_val (run->graphs, graph);
  import->bytes += g_bytes_get_size (bytes);
}

void
ts_import_add_note (TsImport *import, TsImportAttempt *attempt, TsSeverity severity,
                    const char *text)
{
  TsImportNote note = {severity, g_strdup (text)};

  g_array_append_val (attempt->notes, note);
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
  attempt->notes = g_array_new (FALSE, FALSE, sizeof (TsImportNote));
  g_array_set_clear_func (attempt->notes, clear_note);
  run->n_attempts++;
  g_ptr_array_add (import->attempts, attempt);
  return attempt;
}

guint
ts_import_count_attempts (const TsImportRun *run)
{
  return run->n_attempts;
}

void
ts_import_attempt_goes_on (TsImportAttempt *attempt)
{
  attempt->goes_on = TRUE;
}

gboolean
ts_import_attempt_is_empty (const TsImportAttempt *attempt)
{
  return !attempt->in_file && g_hash_table_size (attempt->series) == 0;
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

static void
wait (TsImport *import, TsImportSeries *series)
{
  if (!series->waiting)
    g_ptr_array_add (import->waiting, series);
  series->waiting = TRUE;
}

void
ts_import_add_point (TsImport *import, TsImportSeries *series, const TsPoint *point)
{
  if (!series->points) {
    series->points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
    wait (import, series);
  }
  g_array_append_vals (series->points, point, 1);
  import->bytes += sizeof *point;
}

void
ts_import_add_item (TsImport *import, TsImportSeries *series, gint64 step, gint64 wall, int codec,
                    const char *meta, GBytes *bytes)
{
  TsImportItem item = {step, wall, codec, g_strdup (meta), g_bytes_ref (bytes)};

  if (!series->items) {
    series->items = g_array_new (FALSE, FALSE, sizeof (TsImportItem));
    g_array_set_clear_func (series->items, clear_item);
    wait (import, series);
  }
  g_array_append_val (series->items, item);
  import->bytes += g_bytes_get_size (bytes) + ITEM_BYTES;
}
