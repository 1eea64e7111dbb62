/* SPDX-License-Identifier: MIT */
#include "engine/train/lint-data.h"

#include <math.h>
#include <string.h>

/* Beyond this a net with the usual initial values begins in saturation. */
#define SCALED_MAX 100.0

static void
add (GPtrArray *lines, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (lines, g_strdup_vprintf (format, args));
  va_end (args);
}

static void
check_scale (TsDataset *d, GPtrArray *lines)
{
  gsize n = ts_dataset_elements (d), total = n * d->n_rows;

  for (gsize i = 0; i < total; i++) {
    double x = ts_dtype_get (d->dtype, d->features, (gint64) i) * (double) d->scale;
    if (fabs (x) <= SCALED_MAX)
      continue;
    add (lines,
         "%s: feature %" G_GSIZE_FORMAT " of row %" G_GSIZE_FORMAT
         " is %g; inputs beyond ±%g train badly: scale them",
         d->title, i % n + 1, i / n + 1, x, SCALED_MAX);
    return;
  }
}

static void
check_labels (TsDataset *d, const TsModel *model, GPtrArray *lines)
{
  g_autofree guint *seen = g_new0 (guint, d->n_classes + 1);
  gint64 scores = 0;

  if (model && model->n_outputs) {
    const TsShape *s = &model->outputs[0].value->shape;
    scores = s->rank ? s->dim[s->rank - 1] : 1;
  }
  for (gsize i = 0; i < d->split[TS_SPLIT_TRAIN].n; i++) {
    gint32 row = d->split[TS_SPLIT_TRAIN].rows[i], label = d->labels[row];
    if (scores > 1 && label >= scores) {
      add (lines, "%s: row %d has class %d but the model has %d scores", d->title, row + 1, label,
           (int) scores);
      return;
    }
    if (label >= 0 && (guint) label < d->n_classes)
      seen[label]++;
  }
  for (guint c = 0; c < d->n_classes; c++)
    if (seen[c] == 0 && d->split[TS_SPLIT_TRAIN].n)
      add (lines, "%s: no training row has class %u", d->title, c);
}

typedef struct {
  const char *bytes;
  gsize n;
  gint32 row;
} Row;

static guint
row_hash (gconstpointer data)
{
  const Row *r = data;
  guint64 h = 0xcbf29ce484222325u;

  for (gsize i = 0; i < r->n; i++)
    h = (h ^ (guint8) r->bytes[i]) * 0x100000001b3u;
  return (guint) (h ^ h >> 32);
}

static gboolean
row_equal (gconstpointer a, gconstpointer b)
{
  const Row *x = a, *y = b;

  return memcmp (x->bytes, y->bytes, x->n) == 0;
}

static void
check_overlap (TsDataset *d, GPtrArray *lines)
{
  gsize n = ts_dataset_elements (d) * ts_dtype_size (d->dtype);
  g_autoptr (GHashTable) train = g_hash_table_new (row_hash, row_equal);
  g_autofree Row *rows = g_new (Row, d->n_rows + 1);

  for (gsize i = 0; i < d->n_rows; i++)
    rows[i] = (Row){(const char *) d->features + i * n, n, (gint32) i};
  for (gsize i = 0; i < d->split[TS_SPLIT_TRAIN].n; i++)
    g_hash_table_add (train, &rows[d->split[TS_SPLIT_TRAIN].rows[i]]);
  for (guint s = TS_SPLIT_TRAIN + 1; s < TS_N_SPLITS; s++) {
    gsize shared = 0;
    gint32 first = -1, twin = -1;
    for (gsize i = 0; i < d->split[s].n; i++) {
      const Row *same = g_hash_table_lookup (train, &rows[d->split[s].rows[i]]);
      if (same && shared++ == 0) {
        first = d->split[s].rows[i];
        twin = same->row;
      }
    }
    if (shared)
      add (lines,
           "%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
           " %s rows are training rows too (the first: row %d = row %d); its figures flatter",
           d->title, shared, d->split[s].n, ts_split_name (s), first + 1, twin + 1);
  }
}

GPtrArray *
ts_lint_data (TsDataset *d, const TsModel *model)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  check_scale (d, lines);
  check_labels (d, model, lines);
  check_overlap (d, lines);
  return lines;
}
