/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include "data/store/error.h"

void
ts_tag_info_free (TsTagInfo *info)
{
  g_free (info->tag);
  g_free (info->meta);
  g_free (info);
}

gboolean
ts_reader_row_stats (TsReader *reader, sqlite3_stmt *q, TsStats *stats, GError **error)
{
  gint64 series_id = sqlite3_column_int64 (q, 0), kind = sqlite3_column_int64 (q, 1);
  gint64 next_seq = sqlite3_column_int64 (q, 2);

  *stats = (TsStats){
      .unordered = (sqlite3_column_int64 (q, 3) & 1) != 0,
      .count = sqlite3_column_int64 (q, 4),
      .first_step = sqlite3_column_int64 (q, 5),
      .last_step = sqlite3_column_int64 (q, 6),
      .min_step = sqlite3_column_int64 (q, 7),
      .max_step = sqlite3_column_int64 (q, 8),
      .last_us = sqlite3_column_int64 (q, 9),
      .first_bits = (guint64) sqlite3_column_int64 (q, 10),
      .last_bits = (guint64) sqlite3_column_int64 (q, 11),
      .min = ts_unbits ((guint64) sqlite3_column_int64 (q, 12)),
      .max = ts_unbits ((guint64) sqlite3_column_int64 (q, 13)),
      .sum = ts_unbits ((guint64) sqlite3_column_int64 (q, 14)),
      .finite = sqlite3_column_int64 (q, 15),
      .nan = sqlite3_column_int64 (q, 16),
      .pos_inf = sqlite3_column_int64 (q, 17),
      .neg_inf = sqlite3_column_int64 (q, 18),
  };
  if (kind != TS_SERIES_SCALAR)
    return TRUE;
  if (stats->count != next_seq)
    return ts_reader_corrupt (reader, error,
                              "the head of series %" G_GINT64_FORMAT " counts %" G_GINT64_FORMAT
                              " points of %" G_GINT64_FORMAT,
                              series_id, stats->count, next_seq);
  return ts_tails_add_stats (reader, series_id, next_seq, stats, error);
}

static TsTagInfo *
read_info (TsReader *reader, sqlite3_stmt *q, GError **error)
{
  TsTagInfo *info = g_new0 (TsTagInfo, 1);

  info->series_id = sqlite3_column_int64 (q, 0);
  info->kind = (TsSeriesKind) sqlite3_column_int (q, 1);
  info->tag = ts_sql_dup_bytes (q, 19);
  info->meta = ts_sql_dup_text (q, 20);
  if (ts_reader_row_stats (reader, q, &info->stats, error))
    return info;
  ts_tag_info_free (info);
  return NULL;
}

static GPtrArray *
list_tags (TsReader *reader, gint64 run_id, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_tag_info_free);
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (reader->sql, error,
                                  "SELECT" TS_HEAD_COLUMNS ", name, meta FROM series JOIN tag"
                                  " USING(tag_id) WHERE run_id = ?1 ORDER BY series_id",
                                  "i", run_id);

  while (q && (more = ts_sql_next (reader->sql, q, error)) == 1) {
    TsTagInfo *info = read_info (reader, q, error);
    if (!info) {
      ts_sql_reset (q);
      return NULL;
    }
    g_ptr_array_add (list, info);
  }
  return more == 0 ? g_steal_pointer (&list) : NULL;
}

GPtrArray *
ts_reader_list_tags (TsReader *reader, gint64 run_id, GError **error)
{
  if (!ts_reader_begin (reader, error))
    return NULL;
  GPtrArray *list = list_tags (reader, run_id, error);
  ts_reader_end (reader);
  return list;
}

static TsTagInfo *
find_tag (TsReader *reader, gint64 run_id, const char *tag, TsSeriesKind kind, GError **error)
{
  TsTagInfo *info = NULL;
  sqlite3_stmt *q = ts_sql_query (reader->sql, error,
                                  "SELECT" TS_HEAD_COLUMNS ", name, meta FROM series JOIN tag"
                                  " USING(tag_id) WHERE run_id = ?1 AND kind = ?2"
                                  " AND name IN (?3, CAST(?3 AS BLOB))",
                                  "iis", run_id, (gint64) kind, tag);
  int more = q ? ts_sql_next (reader->sql, q, error) : -1;

  if (more == 1) {
    info = read_info (reader, q, error);
    ts_sql_reset (q);
  } else if (more == 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND, "the run has no %s tag '%s'",
                 ts_series_kind_name (kind), tag);
  }
  return info;
}

TsTagInfo *
ts_reader_find_tag (TsReader *reader, gint64 run_id, const char *tag, TsSeriesKind kind,
                    GError **error)
{
  if (!ts_reader_begin (reader, error))
    return NULL;
  TsTagInfo *info = find_tag (reader, run_id, tag, kind, error);
  ts_reader_end (reader);
  return info;
}

static gboolean
visible_items (TsReader *reader, gint64 series_id, TsStats *stats, GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TsStoredItem));
  gint64 next = 0;

  g_array_set_clear_func (items, ts_stored_item_clear);
  do {
    g_array_set_size (items, 0);
    if (!ts_reader_read_items (reader, series_id, next, 1024, FALSE, items, error))
      return FALSE;
    for (guint i = 0; i < items->len; i++) {
      const TsStoredItem *item = &g_array_index (items, TsStoredItem, i);
      if (!item->hidden)
        ts_stats_add_item (stats, item->step, ts_wall_us (item->wall, item->wall_kind));
    }
    next += items->len;
  } while (items->len);
  return TRUE;
}

gboolean
ts_reader_visible_stats (TsReader *reader, gint64 series_id, TsSeriesKind kind, TsStats *stats,
                         GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  gint64 next = 0;

  memset (stats, 0, sizeof *stats);
  if (kind != TS_SERIES_SCALAR)
    return visible_items (reader, series_id, stats, error);
  do {
    g_array_set_size (points, 0);
    if (!ts_reader_read_points (reader, series_id, next, 65536, points, error))
      return FALSE;
    for (guint i = 0; i < points->len; i++) {
      const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
      TsPoint point = {p->step, p->wall_us, p->bits};
      if (!p->hidden)
        ts_stats_add (stats, &point, TS_WALL_US);
    }
    next += points->len;
  } while (points->len);
  return TRUE;
}
