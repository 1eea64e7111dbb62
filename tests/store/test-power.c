/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <glib/gstdio.h>

#include "tests/store/power-vfs.h"

/* Power cuts: whatever a disk made of what was not synced, the workspace opens, is whole, and has
 * every point that was announced (I6).  TS_POWER_CUTS says how many; 50 by default. */

#define SERIES 3

static gint64
event_bits (gint64 i, guint k)
{
  return i * 16 + k;
}

typedef struct {
  guint n;        /* operations of the file system */
  guint64 events; /* announced by then */
} Mark;

static GArray *marks; /* written by the writer's thread, read after it has ended */

static void
on_mark (const TsWatermark *mark, gpointer data)
{
  Mark m = {power_count (), mark->points / SERIES};

  g_array_append_val (marks, m);
}

static guint
write_all (const char *path, gint64 n)
{
  static const TsWriterOptions options = {
      .commit_ms = 1000000, .cycle_commits = 5, .checkpoint_bytes = 200000};
  static const char *const tags[SERIES] = {"a", "b", "c"};
  TsRunInfo info = {.name = "r"};
  TsRunRef ref;
  guint64 seed = 17;
  GError *error = NULL;
  TsWriter *writer = ts_writer_open_with (path, &options, &error);

  g_assert_no_error (error);
  ts_writer_set_watermark_func (writer, on_mark, NULL);
  ref = ts_test_begin (writer, &info);
  guint begun = power_count ();
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  for (gint64 i = 0; i < n; i++) {
    TsEvent *event = ts_event_new (TS_EVENT_SCALARS, i, SERIES);
    for (guint k = 0; k < SERIES; k++)
      event->u.scalars.items[k] =
          (TsScalar){g_intern_string (tags[k]), ts_unbits ((guint64) event_bits (i, k))};
    g_assert_true (sink->push (sink, event, NULL));
    if (ts_test_random (&seed) % 150 == 0)
      ts_test_flush (writer);
  }
  ts_test_end (sink, n, TS_RUN_FINISHED);
  ts_test_close (writer);
  return begun;
}

static void
check_text (const char *path, const char *sql, const char *want)
{
  sqlite3 *db;
  sqlite3_stmt *q;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (q), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (q, 0), ==, want);
  sqlite3_finalize (q);
  sqlite3_close (db);
}

static void
check_points (const char *path, guint64 announced)
{
  g_autoptr (TsReader) reader = ts_test_reader (path);
  GError *error = NULL;
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, 1, &error);
  guint count = 0;

  g_assert_no_error (error);
  g_assert_true (tags->len == SERIES || (tags->len == 0 && announced == 0));
  for (guint k = 0; k < tags->len; k++) {
    const TsTagInfo *info = tags->pdata[k];
    g_autoptr (GArray) points = ts_test_points (reader, 1, info->tag);
    g_assert_cmpuint (points->len, >=, announced);
    g_assert_true (k == 0 || points->len == count); /* events are whole */
    count = points->len;
    for (guint i = 0; i < points->len; i++)
      g_assert_cmphex (g_array_index (points, TsStoredPoint, i).bits, ==,
                       (guint64) event_bits (i, (guint) (info->tag[0] - 'a')));
    g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (TsEnvelopeColumn));
    ts_reader_envelope (reader, info->series_id, 0, G_MAXINT64, 9, columns, &error);
    g_assert_no_error (error);
  }
}

static void
test_power (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *after = ts_test_path (folder, "after");
  const char *wish = g_getenv ("TS_POWER_CUTS");
  guint cuts = wish ? (guint) g_ascii_strtoull (wish, NULL, 10) : 50, something = 0;
  guint64 seed = 20240613;

  /* Created whole and durable (migrate.c synchronises it itself); from here on it is recorded. */
  power_start ();
  ts_test_close (ts_test_writer (path));
  g_autofree char *empty = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (path, &empty, &size, NULL));
  power_start ();
  power_preload (path, (const guint8 *) empty, size);
  marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  guint begun = write_all (path, 16000), end = power_count ();
  g_assert_cmpuint (marks->len, >, 50);
  for (guint i = 0; i < cuts; i++) {
    guint n = begun + (guint) (ts_test_random (&seed) % (end - begun + 1));
    guint64 announced = 0;
    for (guint k = 0; k < marks->len; k++)
      if (g_array_index (marks, Mark, k).n <= n)
        announced = g_array_index (marks, Mark, k).events;
    power_cut (path, after, n, ts_test_random (&seed) | 1);
    check_text (after, "PRAGMA integrity_check", "ok");
    check_points (after, announced);
    /* A writer takes over what is left. */
    ts_test_close (ts_test_writer (after));
    check_points (after, announced);
    something += announced > 0;
    for (const char *const *end_of = (const char *const[]){"", "-wal", "-shm", "-lock", NULL};
         *end_of; end_of++) {
      g_autofree char *file = g_strconcat (after, *end_of, NULL);
      g_unlink (file);
    }
  }
  g_assert_cmpuint (something, >, cuts / 2);
  g_array_unref (marks);
  ts_test_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  power_install ();
  g_test_add_func ("/power/cuts", test_power);
  return g_test_run ();
}
