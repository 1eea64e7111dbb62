/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/histogram.h"

/* Samples that are no scalars. */

void
ts_stored_item_clear (gpointer data)
{
  TsStoredItem *item = data;

  g_clear_pointer (&item->meta, g_free);
  g_clear_pointer (&item->bytes, g_bytes_unref);
}

/* The bytes of the present row: inline, or those of a blob. */
static GBytes *
dup_bytes (TsReader *reader, sqlite3_stmt *q, GError **error)
{
  const guint8 *data = sqlite3_column_blob (q, 8);
  gsize size = (gsize) sqlite3_column_bytes (q, 8);

  if (sqlite3_column_type (q, 9) != SQLITE_NULL)
    return ts_reader_dup_blob (reader, sqlite3_column_int64 (q, 9), error);
  if (sqlite3_column_int64 (q, 7) == ts_crc32c (data, size))
    return g_bytes_new (data, size);
  ts_reader_corrupt (reader, error, "item %" G_GINT64_FORMAT " has not its checksum",
                     (gint64) sqlite3_column_int64 (q, 0));
  return NULL;
}

static gboolean
read_item (TsReader *reader, sqlite3_stmt *q, const GArray *views, gboolean with_bytes, GArray *out,
           GError **error)
{
  const TsAttemptView *view =
      ts_attempt_views_find (reader, views, sqlite3_column_int64 (q, 1), error);
  TsStoredItem item = {.seq = sqlite3_column_int64 (q, 0),
                       .step = sqlite3_column_int64 (q, 2),
                       .wall = sqlite3_column_int64 (q, 3),
                       .wall_kind = sqlite3_column_int (q, 4) == 1 ? TS_WALL_SECONDS : TS_WALL_US,
                       .codec = sqlite3_column_int (q, 6)};

  if (!view)
    return FALSE;
  item.attempt = view->ordinal;
  item.hidden = ts_attempt_view_hides (view, item.step);
  if (with_bytes && !(item.bytes = dup_bytes (reader, q, error)))
    return FALSE;
  item.meta = ts_sql_dup_text (q, 5);
  g_array_append_val (out, item);
  return TRUE;
}

static gboolean
read_items (TsReader *reader, gint64 series_id, gint64 from_seq, guint max, gboolean with_bytes,
            GArray *out, GError **error)
{
  gint64 run_id, next_seq;

  if (!ts_reader_find_series (reader, series_id, &run_id, &next_seq, error))
    return FALSE;
  if (from_seq >= next_seq)
    return TRUE;
  g_autoptr (GArray) views = ts_reader_attempt_views (reader, run_id, series_id, error);
  if (!views)
    return FALSE;
  sqlite3_stmt *q = ts_sql_query (
      reader->sql, error,
      "SELECT seq, attempt_id, step, wall, wall_kind, meta, codec, crc, inline_data, blob_id"
      " FROM item WHERE series_id = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3",
      "iii", series_id, from_seq, (gint64) max);
  int more = -1;
  while (q && (more = ts_sql_next (reader->sql, q, error)) == 1)
    if (!read_item (reader, q, views, with_bytes, out, error)) {
      ts_sql_reset (q);
      return FALSE;
    }
  return more == 0;
}

gboolean
ts_reader_read_items (TsReader *reader, gint64 series_id, gint64 from_seq, guint max,
                      gboolean with_bytes, GArray *items, GError **error)
{
  if (!ts_reader_begin (reader, error))
    return FALSE;
  gboolean ok = read_items (reader, series_id, from_seq, max, with_bytes, items, error);
  ts_reader_end (reader);
  return ok;
}

static gboolean
read_histogram (const TsStoredItem *item, TsHistogram *h, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);
  g_autofree double *rows = NULL;
  TsBuckets buckets;

  if (item->codec == TS_ITEM_HISTOGRAM)
    return ts_histogram_decode (data, size, h, error);
  if (item->codec == TS_ITEM_BUCKETS) {
    if (!ts_buckets_decode (data, size, &buckets, &rows, error))
      return FALSE;
    ts_buckets_reduce (&buckets, h);
    return TRUE;
  }
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
               "item %" G_GINT64_FORMAT " is not a histogram", item->seq);
  return FALSE;
}

gboolean
ts_reader_read_histograms (TsReader *reader, gint64 series_id, gint64 from_seq, guint max,
                           GArray *histograms, GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TsStoredItem));
  g_array_set_clear_func (items, ts_stored_item_clear);

  if (!ts_reader_read_items (reader, series_id, from_seq, max, TRUE, items, error))
    return FALSE;
  for (guint i = 0; i < items->len; i++) {
    const TsStoredItem *item = &g_array_index (items, TsStoredItem, i);
    TsStoredHistogram h = {.seq = item->seq,
                           .step = item->step,
                           .wall_us = ts_wall_us (item->wall, item->wall_kind),
                           .wall = item->wall,
                           .wall_kind = item->wall_kind,
                           .attempt = item->attempt,
                           .hidden = item->hidden};
    if (!read_histogram (item, &h.histogram, error)) {
      g_prefix_error (error, "%s is damaged: ", reader->path);
      return FALSE;
    }
    g_array_append_val (histograms, h);
  }
  return TRUE;
}
