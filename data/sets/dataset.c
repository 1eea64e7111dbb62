/* SPDX-License-Identifier: MIT */
#include "data/sets/dataset.h"

#include <string.h>

#include "data/sets/error.h"

const char *
ts_split_name (TsSplit split)
{
  static const char *const names[TS_N_SPLITS] = {"train", "val", "test"};

  g_return_val_if_fail ((guint) split < TS_N_SPLITS, NULL);
  return names[split];
}

TsDataset *
ts_dataset_new (const char *name, const char *title)
{
  TsDataset *set = g_new0 (TsDataset, 1);

  set->refs = 1;
  set->name = g_strdup (name);
  set->title = g_strdup (title);
  set->dtype = TS_F32;
  set->scale = 1;
  return set;
}

TsDataset *
ts_dataset_ref (TsDataset *set)
{
  __atomic_add_fetch (&set->refs, 1, __ATOMIC_RELAXED);
  return set;
}

void
ts_dataset_unref (TsDataset *set)
{
  if (__atomic_sub_fetch (&set->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  for (guint i = 0; i < TS_N_SPLITS; i++)
    g_free (set->split[i].rows);
  g_free (set->sha);
  g_free (set->name);
  g_free (set->title);
  g_free (set->features);
  g_free (set->labels);
  g_strfreev (set->class_names);
  g_strfreev (set->feature_names);
  g_free (set->split_text);
  g_free (set);
}

gsize
ts_dataset_elements (const TsDataset *set)
{
  gsize n = 1;

  for (guint i = 0; i < set->rank; i++)
    n *= (gsize) set->shape[i];
  return n;
}

void
ts_dataset_take_range (TsDataset *set, TsSplit split, gsize first, gsize n)
{
  TsRows *rows = &set->split[split];

  g_free (rows->rows);
  rows->rows = g_new (gint32, n);
  rows->n = n;
  for (gsize i = 0; i < n; i++)
    rows->rows[i] = (gint32) (first + i);
}

void
ts_dataset_split_fifths (TsDataset *set)
{
  gsize n = set->n_rows, rest = 0;

  for (guint i = 0; i < TS_N_SPLITS; i++) {
    g_free (set->split[i].rows);
    set->split[i] = (TsRows){g_new (gint32, n), 0};
  }
  for (gsize row = 0; row < n; row++) {
    TsSplit split = row % 5 == 4 ? TS_SPLIT_TEST : rest++ % 5 == 4 ? TS_SPLIT_VAL : TS_SPLIT_TRAIN;
    TsRows *rows = &set->split[split];
    rows->rows[rows->n++] = (gint32) row;
  }
  g_autofree char *train = ts_count_dup_text (set->split[TS_SPLIT_TRAIN].n);
  g_autofree char *val = ts_count_dup_text (set->split[TS_SPLIT_VAL].n);
  g_autofree char *test = ts_count_dup_text (set->split[TS_SPLIT_TEST].n);
  g_free (set->split_text);
  set->split_text =
      g_strdup_printf ("every fifth row is for the test (%s), every fifth of the rest "
                       "for validation (%s), %s train",
                       test, val, train);
}

static gboolean
check_splits (TsDataset *set, GError **error)
{
  g_autofree guint8 *seen = g_malloc0 (MAX (set->n_rows, 1));

  for (guint s = 0; s < TS_N_SPLITS; s++)
    for (gsize i = 0; i < set->split[s].n; i++) {
      gint32 row = set->split[s].rows[i];
      if (row < 0 || (gsize) row >= set->n_rows || seen[row]++) {
        g_set_error (
            error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT, "%s: row %d is in the %s split but %s",
            set->name, row, ts_split_name ((TsSplit) s),
            row < 0 || (gsize) row >= set->n_rows ? "there is no such row" : "was used already");
        return FALSE;
      }
    }
  if (set->split[TS_SPLIT_TRAIN].n == 0) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_PARAM,
                 "%s: no rows are left to train on (%zu in all)", set->name, set->n_rows);
    return FALSE;
  }
  return TRUE;
}

gboolean
ts_dataset_seal (TsDataset *set, GError **error)
{
  g_return_val_if_fail (set->rank >= 1 && set->rank <= TS_SHAPE_MAX, FALSE);
  g_return_val_if_fail (set->dtype == TS_U8 || set->dtype == TS_F32, FALSE);
  g_return_val_if_fail (set->features && set->labels && set->split_text, FALSE);

  for (gsize i = 0; i < set->n_rows; i++)
    if (set->labels[i] < 0 || (guint) set->labels[i] >= set->n_classes) {
      g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT,
                   "%s: row %zu has class %d, but there are %u classes (0 to %u)", set->name, i,
                   set->labels[i], set->n_classes, set->n_classes - 1);
      return FALSE;
    }
  return check_splits (set, error);
}

static char *
hash (const TsDataset *set)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize elements = ts_dataset_elements (set);
  guint64 head[4 + TS_SHAPE_MAX] = {set->n_rows, set->n_classes, set->rank};

  memcpy (&head[3], &set->scale, sizeof set->scale);
  for (guint i = 0; i < set->rank; i++)
    head[4 + i] = (guint64) set->shape[i];
  g_checksum_update (sum, (const guchar *) ts_dtype_name (set->dtype), -1);
  g_checksum_update (sum, (const guchar *) head, sizeof head);
  g_checksum_update (sum, set->features,
                     (gssize) (set->n_rows * elements * ts_dtype_size (set->dtype)));
  g_checksum_update (sum, (const guchar *) set->labels,
                     (gssize) (set->n_rows * sizeof *set->labels));
  for (guint s = 0; s < TS_N_SPLITS; s++) {
    guint64 n = set->split[s].n;
    g_checksum_update (sum, (const guchar *) &n, sizeof n);
    g_checksum_update (sum, (const guchar *) set->split[s].rows, (gssize) (n * sizeof (gint32)));
  }
  return g_strdup (g_checksum_get_string (sum));
}

const char *
ts_dataset_get_sha256 (TsDataset *set)
{
  char *sha = __atomic_load_n (&set->sha, __ATOMIC_ACQUIRE);

  if (sha)
    return sha;
  /* Two threads may both compute it; the first to store wins and both get the same text. */
  char *mine = hash (set);
  if (__atomic_compare_exchange_n (&set->sha, &sha, mine, FALSE, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return mine;
  g_free (mine);
  return sha;
}

void
ts_dataset_gather (const TsDataset *set, const gint32 *rows, gsize n, float *out, gint32 *labels)
{
  gsize elements = ts_dataset_elements (set);

  if (out && set->dtype == TS_F32)
    for (gsize i = 0; i < n; i++)
      memcpy (out + i * elements, (const float *) set->features + (gsize) rows[i] * elements,
              elements * sizeof (float));
  else if (out)
    for (gsize i = 0; i < n; i++) {
      const guint8 *from = (const guint8 *) set->features + (gsize) rows[i] * elements;
      float *to = out + i * elements;
      for (gsize k = 0; k < elements; k++)
        to[k] = (float) from[k] * set->scale;
    }
  for (gsize i = 0; labels && i < n; i++)
    labels[i] = set->labels[rows[i]];
}

char *
ts_count_dup_text (gsize n)
{
  g_autofree char *digits = g_strdup_printf ("%zu", n);
  gsize length = strlen (digits);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0)
      g_string_append_c (text, ',');
    g_string_append_c (text, digits[i]);
  }
  return g_string_free (text, FALSE);
}
