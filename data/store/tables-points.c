/* SPDX-License-Identifier: MIT */
#include "data/store/tables-private.h"

#include "engine/base/param.h"

#define ROWS_AT_ONCE 65536

void
ts_table_place_column (TsTableCursor *cursor, sqlite3_context *out, const TsTablePlace *place,
                       int column, int hidden_from)
{
  switch (column) {
  case 0:
    ts_table_text (out, ts_table_run (cursor)->name);
    return;
  case 1:
    ts_table_text (out, ts_table_tag (cursor)->tag);
    return;
  case 2:
    sqlite3_result_int64 (out, place->step);
    return;
  case 3:
    sqlite3_result_double (out, ts_wall_seconds (place->wall, place->wall_kind));
    return;
  default:
    sqlite3_result_int64 (out, column == hidden_from       ? place->seq
                               : column == hidden_from + 1 ? place->attempt
                                                           : place->hidden);
  }
}

gint64
ts_table_start_rows (TsTableCursor *cursor, guint size)
{
  if (!cursor->rows)
    cursor->rows = g_array_new (FALSE, TRUE, size);
  g_array_set_size (cursor->rows, 0);
  return ts_table_tag (cursor)->series_id;
}

static int
load_scalars (TsTableCursor *cursor, GError **error)
{
  gint64 series_id = ts_table_start_rows (cursor, sizeof (TsStoredPoint));

  if (!ts_reader_read_points (cursor->reader, series_id, cursor->from, ROWS_AT_ONCE, cursor->rows,
                              error))
    return -1;
  cursor->from += cursor->rows->len;
  return (int) cursor->rows->len;
}

static void
scalar_column (TsTableCursor *cursor, sqlite3_context *out, guint row, int column)
{
  const TsStoredPoint *p = &g_array_index (cursor->rows, TsStoredPoint, row);
  const TsTablePlace place = {p->seq, p->step, p->wall, p->wall_kind, p->attempt, p->hidden};

  if (column == 4)
    sqlite3_result_double (out, ts_unbits (p->bits)); /* a NaN becomes NULL */
  else if (column == 5)
    sqlite3_result_int64 (out, (gint64) p->bits);
  else
    ts_table_place_column (cursor, out, &place, column, 6);
}

static gboolean
scalar_overtaken (TsTableCursor *cursor, guint row)
{
  return g_array_index (cursor->rows, TsStoredPoint, row).hidden;
}

const TsTableClass ts_table_scalars = {
    .name = "scalars",
    .schema = "CREATE TABLE scalars (run TEXT, tag, step INTEGER, wall_time REAL, value REAL,"
              " bits INTEGER, seq INTEGER HIDDEN, attempt INTEGER HIDDEN, overtaken INTEGER"
              " HIDDEN)",
    .kind = TS_SERIES_SCALAR,
    .run = 0,
    .tag = 1,
    .overtaken = 8,
    .load = load_scalars,
    .column = scalar_column,
    .is_overtaken = scalar_overtaken,
};

static int
load_histograms (TsTableCursor *cursor, GError **error)
{
  gint64 series_id = ts_table_start_rows (cursor, sizeof (TsStoredHistogram));

  if (!ts_reader_read_histograms (cursor->reader, series_id, cursor->from, ROWS_AT_ONCE / 256,
                                  cursor->rows, error))
    return -1;
  cursor->from += cursor->rows->len;
  return (int) cursor->rows->len;
}

/* [[left, right, count], …] */
static void
buckets_column (sqlite3_context *out, const TsHistogram *h)
{
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i < h->n; i++) {
    g_autofree char *left = ts_number_dup_text (h->left[i]);
    g_autofree char *right = ts_number_dup_text (h->right[i]);
    g_autofree char *count = ts_number_dup_text (h->bucket[i]);
    g_string_append_printf (text, "%s[%s,%s,%s]", i ? "," : "", left, right, count);
  }
  g_string_append_c (text, ']');
  ts_table_text (out, text->str);
}

static void
histogram_column (TsTableCursor *cursor, sqlite3_context *out, guint row, int column)
{
  const TsStoredHistogram *s = &g_array_index (cursor->rows, TsStoredHistogram, row);
  const TsHistogram *h = &s->histogram;
  const TsTablePlace place = {s->seq, s->step, s->wall, s->wall_kind, s->attempt, s->hidden};
  const double numbers[] = {h->min, h->max, h->sum, h->sum_squares};

  if (column == 4)
    sqlite3_result_int64 (out, (gint64) h->count);
  else if (column >= 5 && column <= 8)
    sqlite3_result_double (out, numbers[column - 5]);
  else if (column == 9)
    sqlite3_result_int64 (out, (gint64) h->nonfinite);
  else if (column == 10)
    buckets_column (out, h);
  else
    ts_table_place_column (cursor, out, &place, column, 11);
}

static gboolean
histogram_overtaken (TsTableCursor *cursor, guint row)
{
  return g_array_index (cursor->rows, TsStoredHistogram, row).hidden;
}

const TsTableClass ts_table_histograms = {
    .name = "histograms",
    .schema = "CREATE TABLE histograms (run TEXT, tag, step INTEGER, wall_time REAL, count"
              " INTEGER, min REAL, max REAL, sum REAL, sum_squares REAL, nonfinite INTEGER,"
              " buckets TEXT, seq INTEGER HIDDEN, attempt INTEGER HIDDEN, overtaken INTEGER"
              " HIDDEN)",
    .kind = TS_SERIES_HISTOGRAM,
    .run = 0,
    .tag = 1,
    .overtaken = 13,
    .load = load_histograms,
    .column = histogram_column,
    .is_overtaken = histogram_overtaken,
};
