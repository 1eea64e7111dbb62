/* SPDX-License-Identifier: MIT */
#include "data/store/tables-private.h"

#include <string.h>

#include "data/store/array.h"
#include "data/store/error.h"

#define ITEMS_AT_ONCE 16

static TsTablePlace
place_of (const TsStoredItem *item)
{
  return (TsTablePlace){item->seq,       item->step,    item->wall,
                        item->wall_kind, item->attempt, item->hidden};
}

/* The next items of the present series. */
static GArray *
next_items (TsTableCursor *cursor, gint64 series_id, GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TsStoredItem));

  g_array_set_clear_func (items, ts_stored_item_clear);
  if (!ts_reader_read_items (cursor->reader, series_id, cursor->from, ITEMS_AT_ONCE, TRUE, items,
                             error))
    return NULL;
  cursor->from += items->len;
  return g_steal_pointer (&items);
}

/* --- samples: a row for each string of an item, or for the whole of it --- */

typedef struct {
  TsTablePlace place;
  GBytes *bytes;
  const guint8 *data; /* in them: one string, or all */
  gsize size;
  int codec;
  guint index;
  char *meta, *shape;
} Sample;

static void
clear_sample (gpointer data)
{
  Sample *s = data;

  g_bytes_unref (s->bytes);
  g_free (s->meta);
  g_free (s->shape);
}

typedef struct {
  GArray *rows;
  const TsStoredItem *item;
  guint from; /* the row of the item's first string */
} Adding;

static void
add_string (guint index, const guint8 *data, gsize size, gpointer user_data)
{
  const Adding *a = user_data;
  Sample s = {place_of (a->item),
              g_bytes_ref (a->item->bytes),
              data,
              size,
              a->item->codec,
              index,
              g_strdup (a->item->meta),
              NULL};

  g_array_append_val (a->rows, s);
}

/* [2,3] */
static char *
dup_shape (guint rank, const gint64 *dim)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? "," : "", dim[i]);
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

static gboolean
add_item (GArray *rows, const TsStoredItem *item, GError **error)
{
  Adding a = {rows, item, rows->len};
  gint64 dim[TS_STRINGS_RANK_MAX];
  guint rank = 0;
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);
  TsArray array;

  if (item->codec != TS_ITEM_STRINGS) {
    add_string (0, data, size, &a);
    if (item->codec == TS_ITEM_ARRAY) {
      if (!ts_array_decode (data, size, &array, error))
        return FALSE;
      g_array_index (rows, Sample, a.from).shape = dup_shape (array.rank, array.dim);
    }
    return TRUE;
  }
  if (!ts_strings_decode (data, size, &rank, dim, add_string, &a)) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "item %" G_GINT64_FORMAT " is damaged: its strings do not fit", item->seq);
    return FALSE;
  }
  for (guint i = a.from; i < rows->len; i++)
    g_array_index (rows, Sample, i).shape = dup_shape (rank, dim);
  return TRUE;
}

/* An item may have no row at all (an array of no strings): go on until there are some, or the end. */
static int
load_samples (TsTableCursor *cursor, GError **error)
{
  gint64 series_id = ts_table_start_rows (cursor, sizeof (Sample));

  g_array_set_clear_func (cursor->rows, clear_sample);
  while (!cursor->rows->len) {
    g_autoptr (GArray) items = next_items (cursor, series_id, error);
    if (!items)
      return -1;
    if (!items->len)
      break;
    for (guint i = 0; i < items->len; i++)
      if (!add_item (cursor->rows, &g_array_index (items, TsStoredItem, i), error))
        return -1;
  }
  return (int) cursor->rows->len;
}

/* A flat list in JSON. */
static void
array_column (sqlite3_context *out, const Sample *s)
{
  g_autoptr (GString) text = g_string_new ("[");
  TsArray array;

  if (!ts_array_decode (s->data, s->size, &array, NULL))
    return;
  for (guint64 i = 0; i < array.elems; i++) {
    if (i)
      g_string_append_c (text, ',');
    ts_array_append_text (&array, i, text);
  }
  g_string_append_c (text, ']');
  sqlite3_result_text64 (out, text->str, text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Text where it is UTF-8 and meant to be read; bytes else. */
static void
value_column (TsTableCursor *cursor, sqlite3_context *out, const Sample *s)
{
  TsSeriesKind kind = ts_table_tag (cursor)->kind;
  gboolean reads = s->codec == TS_ITEM_STRINGS &&
                   (kind == TS_SERIES_TEXT || kind == TS_SERIES_TENSOR) &&
                   g_utf8_validate ((const char *) s->data, (gssize) s->size, NULL);

  if (s->codec == TS_ITEM_ARRAY)
    array_column (out, s);
  else if (reads)
    sqlite3_result_text64 (out, (const char *) s->data, s->size, SQLITE_TRANSIENT, SQLITE_UTF8);
  else
    sqlite3_result_blob64 (out, s->data, s->size, SQLITE_TRANSIENT);
}

static const char *
type_name (const Sample *s)
{
  TsArray array;

  if (s->codec == TS_ITEM_ARRAY && ts_array_decode (s->data, s->size, &array, NULL))
    return ts_array_type_name (array.type);
  return s->codec == TS_ITEM_STRINGS   ? "string"
         : s->codec == TS_ITEM_TENSOR  ? "TensorProto"
         : s->codec == TS_ITEM_CONTENT ? "metadata"
                                       : "unknown";
}

static void
sample_column (TsTableCursor *cursor, sqlite3_context *out, guint row, int column)
{
  const Sample *s = &g_array_index (cursor->rows, Sample, row);

  switch (column) {
  case 4:
    ts_table_text (out, ts_series_kind_name (ts_table_tag (cursor)->kind));
    break;
  case 5:
    ts_table_text (out, type_name (s));
    break;
  case 6:
    ts_table_text (out, s->shape);
    break;
  case 7:
    sqlite3_result_int64 (out, s->index);
    break;
  case 8:
    value_column (cursor, out, s);
    break;
  case 9:
    ts_table_text (out, s->meta);
    break;
  case 10:
    ts_table_text (out, ts_table_tag (cursor)->meta);
    break;
  default:
    ts_table_place_column (cursor, out, &s->place, column, 11);
  }
}

static gboolean
sample_overtaken (TsTableCursor *cursor, guint row)
{
  return g_array_index (cursor->rows, Sample, row).place.hidden;
}

static gboolean
is_sample (const TsTagInfo *info)
{
  return info->kind != TS_SERIES_SCALAR && info->kind != TS_SERIES_HISTOGRAM;
}

const TsTableClass ts_table_samples = {
    .name = "samples",
    .schema = "CREATE TABLE samples (run TEXT, tag, step INTEGER, wall_time REAL, kind TEXT, type"
              " TEXT, shape TEXT, idx INTEGER, value, meta TEXT, about TEXT, seq INTEGER HIDDEN,"
              " attempt INTEGER HIDDEN, overtaken INTEGER HIDDEN)",
    .kind = TS_SERIES_TENSOR,
    .fits = is_sample,
    .run = 0,
    .tag = 1,
    .overtaken = 13,
    .load = load_samples,
    .column = sample_column,
    .is_overtaken = sample_overtaken,
};

/* --- pr_curves: a row for each threshold --- */

/* Of a curve in tensorboard/plugins/pr_curve/summary.py. */
enum { TP, FP, TN, FN, PRECISION, RECALL, CURVE_ROWS };

typedef struct {
  TsTablePlace place;
  double threshold, v[CURVE_ROWS];
} Threshold;

static void
add_curve (GArray *rows, const TsStoredItem *item)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);
  TsArray array;

  if (item->codec != TS_ITEM_ARRAY || !ts_array_decode (data, size, &array, NULL) ||
      array.rank != 2 || array.dim[0] != CURVE_ROWS)
    return; /* it is among the samples */
  for (gint64 i = 0, n = array.dim[1]; i < n; i++) {
    Threshold t = {place_of (item), n > 1 ? (double) i / (double) (n - 1) : 0, {0}};
    for (gint64 k = 0; k < CURVE_ROWS; k++)
      t.v[k] = ts_array_get (&array, (guint64) (k * n + i));
    g_array_append_val (rows, t);
  }
}

static int
load_curves (TsTableCursor *cursor, GError **error)
{
  gint64 series_id = ts_table_start_rows (cursor, sizeof (Threshold));

  while (!cursor->rows->len) {
    g_autoptr (GArray) items = next_items (cursor, series_id, error);
    if (!items)
      return -1;
    if (!items->len)
      break;
    for (guint i = 0; i < items->len; i++)
      add_curve (cursor->rows, &g_array_index (items, TsStoredItem, i));
  }
  return (int) cursor->rows->len;
}

static void
curve_column (TsTableCursor *cursor, sqlite3_context *out, guint row, int column)
{
  const Threshold *t = &g_array_index (cursor->rows, Threshold, row);

  if (column == 4)
    sqlite3_result_double (out, t->threshold);
  else if (column >= 5 && column < 5 + CURVE_ROWS)
    sqlite3_result_double (out, t->v[column - 5]);
  else
    ts_table_place_column (cursor, out, &t->place, column, 5 + CURVE_ROWS);
}

static gboolean
curve_overtaken (TsTableCursor *cursor, guint row)
{
  return g_array_index (cursor->rows, Threshold, row).place.hidden;
}

static gboolean
is_curve (const TsTagInfo *info)
{
  return info->kind == TS_SERIES_TENSOR && info->meta &&
         strstr (info->meta, "\"plugin\":\"pr_curves\"");
}

const TsTableClass ts_table_pr_curves = {
    .name = "pr_curves",
    .schema = "CREATE TABLE pr_curves (run TEXT, tag, step INTEGER, wall_time REAL, threshold REAL,"
              " tp REAL, fp REAL, tn REAL, fn REAL, precision REAL, recall REAL, seq INTEGER"
              " HIDDEN, attempt INTEGER HIDDEN, overtaken INTEGER HIDDEN)",
    .kind = TS_SERIES_TENSOR,
    .fits = is_curve,
    .run = 0,
    .tag = 1,
    .overtaken = 13,
    .load = load_curves,
    .column = curve_column,
    .is_overtaken = curve_overtaken,
};
