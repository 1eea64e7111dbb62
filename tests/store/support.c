/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>

char *
ts_test_folder (void)
{
  GError *error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("ts-store-XXXXXX", &error);

  g_assert_no_error (error);
  /* Temporary folders may lie behind a link; the store's messages name the real place. */
  char *whole = realpath (folder, NULL), *copy = g_strdup (whole);
  free (whole);
  return copy;
}

void
ts_test_remove (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
      ts_test_remove (path);
    else
      g_unlink (path);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (folder);
}

char *
ts_test_path (const char *folder, const char *name)
{
  return g_build_filename (folder, name, NULL);
}

TsWriter *
ts_test_writer (const char *path)
{
  static const TsWriterOptions options = {
      .commit_ms = 5, .cycle_commits = 4, .retry_min_ms = 1, .retry_max_ms = 4};
  GError *error = NULL;
  TsWriter *writer = ts_writer_open_with (path, &options, &error);

  g_assert_no_error (error);
  return writer;
}

guint64
ts_test_random (guint64 *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1dull;
}

guint64
ts_test_bits (guint64 *state)
{
  guint64 r = ts_test_random (state), sign = r & 1ull << 63;

  switch (r % 10) {
  case 0:
    return sign | 0x7ff0000000000000ull | (ts_test_random (state) & 0xfffffffffffffull);
  case 1:
    return sign | 0x7ff8000000000000ull;
  case 2:
    return sign | 0x7ff0000000000000ull;
  case 3:
    return sign;
  case 4:
    return sign | (ts_test_random (state) & 0xfffffffffffffull);
  case 5:
  case 6:
    return ts_test_random (state);
  default:
    return ts_bits_widen ((guint32) ts_test_random (state));
  }
}

void
ts_test_push (TsSink *sink, const char *tag, gint64 step, guint64 bits)
{
  TsEvent *event = ts_event_new (TS_EVENT_SCALARS, step, 1);
  GError *error = NULL;

  event->u.scalars.items[0].tag = g_intern_string (tag);
  event->u.scalars.items[0].value = ts_unbits (bits);
  event->wall_us = 1700000000000000 + step % 1000000 * 10;
  sink->push (sink, event, &error);
  g_assert_no_error (error);
}

void
ts_test_end (TsSink *sink, gint64 step, TsRunState state)
{
  TsEvent *event = ts_event_new (TS_EVENT_END, step, 0);
  GError *error = NULL;

  event->u.end.state = state;
  sink->push (sink, event, &error);
  g_assert_no_error (error);
}

GArray *
ts_test_points (TsReader *reader, gint64 run_id, const char *tag)
{
  GError *error = NULL;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  TsTagInfo *info = ts_reader_find_tag (reader, run_id, tag, TS_SERIES_SCALAR, &error);

  g_assert_no_error (error);
  ts_reader_read_points (reader, info->series_id, 0, G_MAXUINT, points, &error);
  g_assert_no_error (error);
  g_assert_cmpint (points->len, ==, info->stats.count);
  ts_tag_info_free (info);
  return points;
}

gint64
ts_test_number (const char *path, const char *sql)
{
  sqlite3 *db;
  sqlite3_stmt *q;
  gint64 number = 0;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), ==, SQLITE_OK);
  if (sqlite3_step (q) == SQLITE_ROW)
    number = sqlite3_column_int64 (q, 0);
  sqlite3_finalize (q);
  sqlite3_close (db);
  return number;
}

void
ts_test_sql (const char *path, const char *sql)
{
  sqlite3 *db;
  g_autofree char *message = NULL;
  char *why = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &why);
  g_assert_cmpstr (why, ==, NULL);
  sqlite3_close (db);
}

TsRunRef
ts_test_begin (TsWriter *writer, const TsRunInfo *info)
{
  GError *error = NULL;
  TsRunRef ref;

  ts_writer_begin_run (writer, info, &ref, &error);
  g_assert_no_error (error);
  return ref;
}

TsReader *
ts_test_reader (const char *path)
{
  GError *error = NULL;
  TsReader *reader = ts_reader_open (path, &error);

  g_assert_no_error (error);
  return reader;
}

void
ts_test_close (TsWriter *writer)
{
  GError *error = NULL;

  ts_writer_close (writer, &error);
  g_assert_no_error (error);
}

void
ts_test_flush (TsWriter *writer)
{
  GError *error = NULL;

  ts_writer_flush (writer, &error);
  g_assert_no_error (error);
}

void
ts_test_push_histogram (TsSink *sink, const char *tag, gint64 step)
{
  TsEvent *event = ts_event_new (TS_EVENT_HISTOGRAM, step, 0);
  TsHistogram *h = event->u.histogram.data;

  event->u.histogram.tag = g_intern_string (tag);
  h->min = -0.0;
  h->max = (double) step;
  h->sum = 0.1;
  h->sum_squares = INFINITY;
  h->count = 1000;
  h->nonfinite = 3;
  h->n = step % 2 ? TS_HISTOGRAM_BUCKETS : 0;
  for (guint i = 0; i < h->n; i++) {
    h->left[i] = i;
    h->right[i] = i + 1;
    h->bucket[i] = (double) step * i;
  }
  g_assert_true (sink->push (sink, event, NULL));
}
