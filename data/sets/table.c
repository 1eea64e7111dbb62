/* SPDX-License-Identifier: MIT */
#include "data/sets/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/sets/error.h"

TsTableScale
ts_table_scale_from_word (const char *word)
{
  if (g_str_equal (word, "standard"))
    return TS_TABLE_STANDARD;
  return g_str_equal (word, "unit") ? TS_TABLE_UNIT : TS_TABLE_RAW;
}

static gboolean
cell_error (const TsCsv *csv, gsize row, guint column, const char *what, GError **error)
{
  const char *cell = ts_csv_get_cell (csv, row, column);
  g_autofree char *quoted =
      *cell ? g_strdup_printf ("'%.60s' ", cell) : g_strdup ("the cell is empty: ");

  g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT, "%s:%u: column %u (%s): %s%s",
               ts_csv_get_name (csv), ts_csv_get_line (csv, row, column), column + 1,
               ts_csv_get_column_name (csv, column), quoted, what);
  return FALSE;
}

static gboolean
find_target (const TsCsv *csv, const char *target, guint *column, GError **error)
{
  guint n = ts_csv_get_n_columns (csv);
  guint64 number;

  *column = n - 1;
  if (!target || !*target)
    return TRUE;
  for (guint c = 0; c < n; c++)
    if (g_str_equal (target, ts_csv_get_column_name (csv, c))) {
      *column = c;
      return TRUE;
    }
  if (g_ascii_string_to_unsigned (target, 10, 1, n, &number, NULL)) {
    *column = (guint) number - 1;
    return TRUE;
  }
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint c = 0; c < n && c < 20; c++)
    g_string_append_printf (names, "%s%s", c ? ", " : "", ts_csv_get_column_name (csv, c));
  g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_PARAM,
               "%s: there is no column '%s' for the target; the columns are %s%s",
               ts_csv_get_name (csv), target, names->str, n > 20 ? ", …" : "");
  return FALSE;
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  double x, y;

  ts_csv_parse_number (*(const char *const *) a, &x);
  ts_csv_parse_number (*(const char *const *) b, &y);
  return x != y ? (x > y) - (x < y) : compare_words (a, b);
}

/* All cells of the target are whole numbers, or none is a number.  @numbers says which. */
static gboolean
target_kind (const TsCsv *csv, guint column, gboolean *numbers, GError **error)
{
  double value;

  for (gsize row = 0; row < ts_csv_get_n_rows (csv); row++) {
    const char *cell = ts_csv_get_cell (csv, row, column);
    gboolean number = ts_csv_parse_number (cell, &value);
    if (!*cell)
      return cell_error (csv, row, column, "every row needs a target", error);
    if (number && (value != floor (value) || fabs (value) > 1e15))
      return cell_error (csv, row, column, "is not a whole number; a target is a class", error);
    if (row == 0)
      *numbers = number;
    if (number != *numbers)
      return cell_error (csv, row, column,
                         *numbers ? "is a word, but the targets above are numbers"
                                  : "is a number, but the targets above are words",
                         error);
  }
  return TRUE;
}

static gboolean
read_target (const TsCsv *csv, guint column, TsDataset *set, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) classes = g_ptr_array_new ();
  gboolean numbers = FALSE;
  gsize n = ts_csv_get_n_rows (csv);

  if (!target_kind (csv, column, &numbers, error))
    return FALSE;
  for (gsize row = 0; row < n; row++) {
    char *cell = (char *) ts_csv_get_cell (csv, row, column);
    if (g_hash_table_add (seen, cell))
      g_ptr_array_add (classes, cell);
  }
  if (classes->len > TS_TABLE_MAX_CLASSES) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_LIMIT,
                 "%s: column %u (%s) has %u different values; at most %d can be classes",
                 ts_csv_get_name (csv), column + 1, ts_csv_get_column_name (csv, column),
                 classes->len, TS_TABLE_MAX_CLASSES);
    return FALSE;
  }
  g_ptr_array_sort (classes, numbers ? compare_numbers : compare_words);
  /* "1", "01" and "1.0" are one class: equal numbers share an index. */
  set->class_names = g_new0 (char *, classes->len + 1);
  for (guint i = 0; i < classes->len; i++) {
    double now = 0, before = 1;
    if (numbers && i) {
      ts_csv_parse_number (classes->pdata[i], &now);
      ts_csv_parse_number (classes->pdata[i - 1], &before);
    }
    if (!(numbers && i && now == before))
      set->class_names[set->n_classes++] = g_strdup (classes->pdata[i]);
    g_hash_table_insert (seen, classes->pdata[i], GUINT_TO_POINTER (set->n_classes - 1));
  }
  set->labels = g_new (gint32, n);
  for (gsize row = 0; row < n; row++)
    set->labels[row] =
        (gint32) GPOINTER_TO_UINT (g_hash_table_lookup (seen, ts_csv_get_cell (csv, row, column)));
  return TRUE;
}

/* The features as f32; the target's column is left out. */
static gboolean
read_features (const TsCsv *csv, guint target, TsDataset *set, GError **error)
{
  gsize n = ts_csv_get_n_rows (csv);
  guint columns = ts_csv_get_n_columns (csv);
  float *out = g_new (float, n *(columns - 1));

  set->features = out;
  set->feature_names = g_new0 (char *, columns);
  for (guint c = 0, k = 0; c < columns; c++)
    if (c != target)
      set->feature_names[k++] = g_strdup (ts_csv_get_column_name (csv, c));
  for (gsize row = 0; row < n; row++)
    for (guint c = 0; c < columns; c++) {
      double value;
      if (c == target)
        continue;
      if (!ts_csv_parse_number (ts_csv_get_cell (csv, row, c), &value))
        return cell_error (csv, row, c,
                           *ts_csv_get_cell (csv, row, c)
                               ? "is not a number; every column but the target must hold numbers"
                               : "every feature needs a number",
                           error);
      *out = (float) value;
      if (!isfinite (*out++))
        return cell_error (csv, row, c, "is too large for a 32-bit float", error);
    }
  return TRUE;
}

/* x -> (x - shift) * factor for one column, from its training rows, in double. */
static void
column_scale (const TsDataset *set, gsize column, TsTableScale scale, double *shift, double *factor)
{
  const TsRows *train = &set->split[TS_SPLIT_TRAIN];
  const float *data = set->features;
  gsize width = ts_dataset_elements (set);
  double sum = 0, squares = 0, min = INFINITY, max = -INFINITY, span;

  for (gsize i = 0; i < train->n; i++) {
    double x = data[(gsize) train->rows[i] * width + column];
    sum += x;
    min = MIN (min, x);
    max = MAX (max, x);
  }
  *shift = scale == TS_TABLE_STANDARD ? sum / (double) train->n : min;
  for (gsize i = 0; i < train->n; i++) {
    double d = data[(gsize) train->rows[i] * width + column] - *shift;
    squares += d * d;
  }
  span = scale == TS_TABLE_STANDARD ? sqrt (squares / (double) train->n) : max - min;
  /* A constant column has nothing to scale by; it becomes 0 for the training rows. */
  *factor = min < max && span > 0 ? 1 / span : 1;
}

static void
scale_columns (TsDataset *set, TsTableScale scale)
{
  gsize width = ts_dataset_elements (set);
  float *data = set->features;

  for (gsize c = 0; c < width; c++) {
    double shift, factor;
    column_scale (set, c, scale, &shift, &factor);
    for (gsize row = 0; row < set->n_rows; row++) {
      float *x = &data[row * width + c];
      *x = (float) ((*x - shift) * factor);
    }
  }
}

/* Whole numbers from 0 to 255 become bytes. */
static void
pack_bytes (TsDataset *set, float factor)
{
  gsize n = set->n_rows * ts_dataset_elements (set);
  float *data = set->features;

  for (gsize i = 0; i < n; i++)
    if (!(data[i] >= 0 && data[i] <= 255 && data[i] == floorf (data[i]))) {
      for (gsize k = 0; k < n && factor != 1; k++)
        data[k] *= factor;
      return;
    }
  guint8 *bytes = g_malloc (n);
  for (gsize i = 0; i < n; i++)
    bytes[i] = (guint8) data[i];
  g_free (data);
  set->features = bytes;
  set->dtype = TS_U8;
  set->scale = factor;
}

TsDataset *
ts_table_to_dataset (const TsCsv *csv, const char *name, const char *title,
                     const TsTableOptions *options, GError **error)
{
  g_autoptr (TsDataset) set = ts_dataset_new (name, title);
  guint target, columns = ts_csv_get_n_columns (csv);

  if (columns < 2) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT,
                 "%s: one column only; a set needs features and a target, separated by commas",
                 ts_csv_get_name (csv));
    return NULL;
  }
  set->n_rows = ts_csv_get_n_rows (csv);
  set->rank = options->rank ? options->rank : 1;
  set->shape[0] = columns - 1;
  if (options->rank)
    memcpy (set->shape, options->shape, sizeof set->shape);
  g_return_val_if_fail (ts_dataset_elements (set) == columns - 1, NULL);

  if (!find_target (csv, options->target, &target, error) ||
      !read_target (csv, target, set, error) || !read_features (csv, target, set, error))
    return NULL;
  ts_dataset_split_fifths (set);
  if (options->scale == TS_TABLE_STANDARD || options->scale == TS_TABLE_UNIT)
    scale_columns (set, options->scale);
  else
    pack_bytes (set, options->scale == TS_TABLE_FACTOR ? options->factor : 1);
  return ts_dataset_seal (set, error) ? g_steal_pointer (&set) : NULL;
}
