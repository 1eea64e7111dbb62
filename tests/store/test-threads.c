/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <pthread.h>

#include "data/store/error.h"

/* Trainers, writer and readers at once; ThreadSanitizer runs this as much for itself. */

static const TsRunInfo plain = {.model_name = "mlp"};

static gint held, release;

/* Holds the writer's thread until the test lets go. */
static void
hold_writer (const TsWatermark *mark, gpointer data)
{
  g_atomic_int_set (&held, 1);
  while (!g_atomic_int_get (&release))
    g_usleep (200);
}

/* A queue three quarters full takes no histograms: of 20, six of eight places, and 14 are counted.
 */
static void
test_thinning (void)
{
  static const TsWriterOptions options = {.commit_ms = 1, .queue_capacity = 8};
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  GError *error = NULL;
  TsWriter *writer = ts_writer_open_with (path, &options, &error);
  TsWatermark mark;

  g_assert_no_error (error);
  ts_writer_set_watermark_func (writer, hold_writer, NULL);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  ts_test_push (sink, "loss", 1, 1);
  while (!g_atomic_int_get (&held))
    g_usleep (200);
  for (gint64 i = 0; i < 20; i++)
    ts_test_push_histogram (sink, "w", i);
  ts_test_push (sink, "loss", 2, 1);
  g_atomic_int_set (&release, 1);
  ts_test_flush (writer);
  g_assert_true (ts_writer_get_watermark (writer, ref.run_id, &mark));
  g_assert_cmpuint (mark.points, ==, 2);
  g_assert_cmpint (mark.step, ==, 2);
  g_assert_cmpuint (mark.thinned, ==, 14);
  ts_test_close (writer);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM item"), ==, 6);
  g_assert_cmpint (ts_test_number (path, "SELECT thinned FROM attempt"), ==, 14);
  ts_test_remove (folder);
}

/* --- Threads, for ThreadSanitizer as much as for the result --- */

#define THREAD_EVENTS 3000

typedef struct {
  TsSink *sink;
  const char *path;
  gint64 seen;
} Worker;

static void *
train (void *data)
{
  Worker *worker = data;

  for (gint64 i = 0; i < THREAD_EVENTS; i++) {
    ts_test_push (worker->sink, "loss", i, (guint64) i);
    if (i % 50 == 0)
      ts_test_push_histogram (worker->sink, "w", i);
  }
  ts_test_end (worker->sink, THREAD_EVENTS, TS_RUN_FINISHED);
  return NULL;
}

/* Reads both runs to their ends. */
static void *
watch (void *data)
{
  Worker *worker = data;
  g_autoptr (TsReader) reader = ts_test_reader (worker->path);
  gint64 next[2] = {0, 0};
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));

  while (next[0] + next[1] < 2 * THREAD_EVENTS) {
    for (gint64 run = 1; run <= 2; run++) {
      g_autoptr (TsTagInfo) info = ts_reader_find_tag (reader, run, "loss", TS_SERIES_SCALAR, NULL);
      if (!info)
        continue;
      g_array_set_size (points, 0);
      g_assert_true (
          ts_reader_read_points (reader, info->series_id, next[run - 1], G_MAXUINT, points, NULL));
      for (guint i = 0; i < points->len; i++)
        g_assert_cmphex (g_array_index (points, TsStoredPoint, i).bits, ==,
                         (guint64) next[run - 1]++);
    }
    g_usleep (500);
  }
  worker->seen = next[0] + next[1];
  return NULL;
}

static void
on_mark (const TsWatermark *mark, gpointer data)
{
  gint64 *last = data;

  g_assert_no_error (mark->error);
  g_assert_cmpint ((gint64) mark->points, >=, last[mark->run_id]);
  last[mark->run_id] = (gint64) mark->points;
}

static void
test_threads (void)
{
  static const TsWriterOptions options = {
      .commit_ms = 3, .cycle_commits = 5, .queue_capacity = 64, .checkpoint_bytes = 100000};
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  GError *error = NULL;
  TsWriter *writer = ts_writer_open_with (path, &options, &error);
  gint64 marks[3] = {0};
  Worker workers[3];
  pthread_t threads[3];

  g_assert_no_error (error);
  ts_writer_set_watermark_func (writer, on_mark, marks);
  for (guint i = 0; i < 2; i++) {
    TsRunRef ref = ts_test_begin (writer, &plain);
    workers[i] = (Worker){ts_writer_get_sink (writer, &ref), path, 0};
  }
  workers[2] = (Worker){NULL, path, 0};
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (pthread_create (&threads[i], NULL, i < 2 ? train : watch, &workers[i]), ==, 0);
  for (guint i = 0; i < 20; i++) {
    TsWatermark mark;
    g_assert_true (ts_writer_set_pinned (writer, 1 + i % 2, i % 3 == 0, &error));
    g_assert_true (ts_writer_get_watermark (writer, 1, &mark));
    ts_watermark_clear (&mark);
  }
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (pthread_join (threads[i], NULL), ==, 0);
  g_assert_cmpint (workers[2].seen, ==, 2 * THREAD_EVENTS);
  ts_test_close (writer);
  g_assert_cmpint (marks[1], ==, THREAD_EVENTS);
  g_assert_cmpint (marks[2], ==, THREAD_EVENTS);
  ts_test_remove (folder);
}

/* A file that turns out broken ends the writing for good: push says so, and nothing hangs. */
static void
test_dead (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  GError *error = NULL;

  ts_test_sql (path, "DROP TABLE flush_log");
  ts_test_push (sink, "loss", 1, 1);
  g_assert_false (ts_writer_flush (writer, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL);
  g_clear_error (&error);
  for (gboolean ok = TRUE; ok;)
    ok = sink->push (sink, ts_event_new (TS_EVENT_SCALARS, 1, 0), &error);
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL);
  g_clear_error (&error);
  g_assert_false (ts_writer_set_note (writer, ref.run_id, "x", &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL);
  g_clear_error (&error);
  g_assert_false (ts_writer_close (writer, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL);
  g_clear_error (&error);
  ts_test_remove (folder);
}

/* --- News --- */

#define NEWS_SERIES 3

static void
take_news (gint64 series_id, gint64 attempt_id, gint64 seq, TsWallKind wall, const TsPoint *points,
           guint n, gpointer data)
{
  gint64 *next = data;

  g_assert_cmpint (series_id, <=, NEWS_SERIES);
  g_assert_cmpint (attempt_id, ==, 1);
  g_assert_cmpint (seq, >=, next[series_id]);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpint (points[i].step, ==, seq + i);
    g_assert_cmphex (points[i].bits, ==, (guint64) ((seq + i) * 10 + series_id));
  }
  next[series_id] = seq + n;
}

/* Who looks often gets every point once; who looks seldom sees by the seq what is missing. */
static void
test_news (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsWriter *writer = ts_test_writer (path);
  TsRunInfo info = {.name = "r"};
  TsRunRef ref = ts_test_begin (writer, &info);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  static const char *const tags[] = {"a", "b", "c"};
  g_autoptr (TsReader) often = ts_test_reader (path), seldom = ts_test_reader (path);
  gint64 next[NEWS_SERIES + 1] = {0}, late[NEWS_SERIES + 1] = {0};
  GError *error = NULL;

  for (gint64 i = 0; i < 200; i++) {
    for (guint k = 0; k < NEWS_SERIES; k++)
      ts_test_push (sink, tags[k], i, (guint64) (i * 10 + k + 1));
    ts_test_flush (writer);
    gint64 before = next[1];
    ts_reader_read_news (often, take_news, next, &error);
    g_assert_no_error (error);
    for (guint k = 1; k <= NEWS_SERIES; k++)
      g_assert_cmpint (next[k], ==, i + 1);
    g_assert_cmpint (next[1], ==, before + 1);
  }
  ts_reader_read_news (seldom, take_news, late, &error);
  g_assert_no_error (error);
  ts_test_close (writer);
  /* All is sealed: there is nothing new, and nothing is told again. */
  memset (late, 0, sizeof late);
  ts_reader_read_news (often, take_news, late, &error);
  g_assert_no_error (error);
  g_assert_cmpint (late[1], ==, 0);
  ts_test_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/thinning", test_thinning);
  g_test_add_func ("/threads/together", test_threads);
  g_test_add_func ("/threads/dead", test_dead);
  g_test_add_func ("/threads/news", test_news);
  return g_test_run ();
}
