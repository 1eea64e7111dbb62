/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "data/store/writer.h"
#include "tests/ui/support.h"
#include "ui/models/figure.h"
#include "ui/models/histograms.h"
#include "ui/models/worker.h"
#include "ui/widgets/model-view.h"

/* What lies under the pages: figures, the worker, the lists and curves read from a workspace. */

static void
check_text (char *text, const char *wanted)
{
  g_assert_cmpstr (text, ==, wanted);
  g_free (text);
}

static void
test_figures (void)
{
  check_text (ts_figure_count (0), "0");
  check_text (ts_figure_count (999), "999");
  check_text (ts_figure_count (14212), "14,212");
  check_text (ts_figure_count (-1234567), "-1,234,567");
  check_text (ts_figure_number (0.24171), "0.2417");
  check_text (ts_figure_number (42), "42.00");
  check_text (ts_figure_number (1e-5), "1.00e-05");
  check_text (ts_figure_number (NAN), "NaN");
  check_text (ts_figure_number (-INFINITY), "−Inf");
  check_text (ts_figure_known (NAN), "–");
  check_text (ts_figure_share (0.91714), "91.71 %");
  check_text (ts_figure_rate (99.66), "99.7");
  check_text (ts_figure_rate (1250.4), "1,250");
  check_text (ts_figure_rate (0), "–");
  check_text (ts_figure_duration (0.83), "0.8 s");
  check_text (ts_figure_duration (0.02), "< 0.1 s");
  check_text (ts_figure_duration (58.9), "58 s");
  check_text (ts_figure_duration (142), "2 min 22 s");
  check_text (ts_figure_duration (3900), "1 h 05 min");
  check_text (ts_figure_duration (INFINITY), "99999 days");
  check_text (ts_figure_when (1000000, 1000000), "just now");
  check_text (ts_figure_when (0, 5 * 60 * G_USEC_PER_SEC), "5 min ago");
}

static void
check_word (const char *text, gboolean line_start, TsWord wanted, gsize length)
{
  gsize n;

  g_assert_cmpint (ts_model_view_next_word (text, line_start, &n), ==, wanted);
  g_assert_cmpuint (n, ==, length);
}

static void
test_words (void)
{
  check_word ("# all of it -> dense(3)\nmodel", TRUE, TS_WORD_COMMENT, 23);
  check_word ("\"Iris\" x", FALSE, TS_WORD_STRING, 6);
  check_word ("\"open\nx", FALSE, TS_WORD_STRING, 5);
  check_word ("data iris()", TRUE, TS_WORD_KEYWORD, 4);
  check_word ("data iris()", FALSE, TS_WORD_PLAIN, 4);
  check_word ("dense(32)", FALSE, TS_WORD_CALL, 5);
  check_word ("float[4]", FALSE, TS_WORD_TYPE, 5);
  check_word ("1e-3)", FALSE, TS_WORD_NUMBER, 4);
  check_word ("2.5e)", FALSE, TS_WORD_NUMBER, 3);
}

/* --- The worker --- */

typedef struct {
  TsJob job;
  GString *log; /* the main thread's, but for run while the main thread waits */
  GThread *ran_in;
  guint *freed;
  char letter;
} LetterJob;

static void
letter_run (TsJob *job)
{
  g_atomic_pointer_set (&((LetterJob *) job)->ran_in, g_thread_self ());
}

static void
letter_done (TsJob *job)
{
  LetterJob *self = (LetterJob *) job;

  g_assert_true (self->ran_in != g_thread_self ());
  g_string_append_c (self->log, self->letter);
}

static void
letter_free (TsJob *job)
{
  (*((LetterJob *) job)->freed)++;
  g_free (job);
}

static gboolean
has_26 (gpointer data)
{
  return ((GString *) data)->len == 26;
}

static void
test_worker (void)
{
  g_autoptr (GString) log = g_string_new (NULL);
  TsWorker *worker = ts_worker_new ("test");
  guint freed = 0;

  for (char c = 'a'; c <= 'z'; c++) {
    LetterJob *job = g_new0 (LetterJob, 1);
    job->job = (TsJob){letter_run, letter_done, letter_free};
    job->log = log;
    job->freed = &freed;
    job->letter = c;
    ts_worker_push (worker, &job->job);
  }
  ts_test_wait (has_26, log);
  g_assert_cmpstr (log->str, ==, "abcdefghijklmnopqrstuvwxyz");
  g_assert_cmpuint (freed, ==, 26);
  LetterJob *first = NULL;
  for (guint i = 0; i < 5; i++) {
    LetterJob *job = g_new0 (LetterJob, 1);
    job->job = (TsJob){letter_run, letter_done, letter_free};
    job->log = log;
    job->freed = &freed;
    first = first ? first : job;
    ts_worker_push (worker, &job->job);
  }
  while (!g_atomic_pointer_get (&first->ran_in))
    g_thread_yield ();
  /* what is left is freed without its done */
  ts_worker_free (worker);
  ts_test_settle ();
  g_assert_cmpuint (freed, ==, 31);
  g_assert_cmpuint (log->len, ==, 26);
}

/* --- The desk over a workspace that is written meanwhile --- */

#define N_HISTOGRAMS 4100

typedef struct {
  char *folder, *path;
  TsWriter *writer;
  TsRunRef run;
  TsDesk *desk;
  TsSeries *series;
  guint wanted;
} Store;

static void
push (Store *s, gint64 step, double value)
{
  TsEvent *event = ts_event_new (TS_EVENT_SCALARS, step, 1);
  GError *error = NULL;

  event->u.scalars.items[0] = (TsScalar){g_intern_string ("train/loss"), value};
  ts_writer_get_sink (s->writer, &s->run)
      ->push (ts_writer_get_sink (s->writer, &s->run), event, &error);
  g_assert_no_error (error);
}

static void
open_store (Store *s)
{
  GError *error = NULL;

  s->folder = ts_test_new_folder ();
  s->path = g_build_filename (s->folder, "w.trainscope", NULL);
  s->writer = ts_writer_open (s->path, &error);
  g_assert_no_error (error);
  ts_writer_begin_run (s->writer, &(TsRunInfo){.name = "one"}, &s->run, &error);
  g_assert_no_error (error);
}

static void
close_store (Store *s)
{
  GError *error = NULL;

  ts_writer_close (s->writer, &error);
  g_assert_no_error (error);
  g_free (s->folder);
  g_free (s->path);
}

static gboolean
has_points (gpointer data)
{
  Store *s = data;
  guint n;

  ts_series_get_points (s->series, &n);
  return n == s->wanted;
}

static gboolean
is_named_two (gpointer data)
{
  GListModel *runs = G_LIST_MODEL (ts_desk_get_runs (((Store *) data)->desk));
  g_autoptr (TsRunItem) item = g_list_model_get_item (runs, 0);

  return item && strcmp (ts_run_item_get_name (item), "two") == 0;
}

/* Nobody tells the desk: it sees by itself what another one commits. */
static void
test_follows (void)
{
  Store s = {0};
  GError *error = NULL;
  guint n;

  open_store (&s);
  s.desk = ts_desk_new ();
  ts_desk_set_workspace (s.desk, s.path);
  s.series = ts_series_cache_get (ts_desk_get_series (s.desk), s.run.run_id, "train/loss");
  g_assert_true (ts_series_cache_get (ts_desk_get_series (s.desk), s.run.run_id, "train/loss") ==
                 s.series);
  g_object_unref (s.series); /* the second reference */
  for (gint64 step = 1; step <= 1000; step++)
    push (&s, step, step == 500 ? NAN : 1. / (double) step);
  ts_writer_flush (s.writer, &error);
  g_assert_no_error (error);
  s.wanted = 1000;
  ts_test_wait (has_points, &s);
  const TsStoredPoint *points = ts_series_get_points (s.series, &n);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpint (points[i].step, ==, i + 1);
    g_assert_cmpuint (points[i].bits, ==, ts_bits (i + 1 == 500 ? NAN : 1. / (i + 1)));
  }
  ts_writer_rename_run (s.writer, s.run.run_id, "two", &error);
  g_assert_no_error (error);
  ts_test_wait (is_named_two, &s);

  /* more of the same series: read on, nothing twice */
  for (gint64 step = 1001; step <= 1010; step++)
    push (&s, step, .5);
  ts_writer_flush (s.writer, &error);
  g_assert_no_error (error);
  s.wanted = 1010;
  ts_test_wait (has_points, &s);

  /* a new attempt from step 501 on hides the points after it */
  g_autofree char *uuid = g_strdup (s.run.uuid);
  ts_writer_resume_run (s.writer, uuid, 501, &s.run, &error);
  g_assert_no_error (error);
  push (&s, 501, 7);
  ts_writer_flush (s.writer, &error);
  g_assert_no_error (error);
  s.wanted = 1011;
  ts_test_wait (has_points, &s);
  points = ts_series_get_points (s.series, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (points[i].hidden, ==, i >= 500 && i < 1010);
  g_object_unref (s.series);
  g_object_unref (s.desk);
  close_store (&s);
}

/* Series outlive the workspace they came from and fall silent. */
static void
test_change_workspace (void)
{
  Store s = {0};

  open_store (&s);
  s.desk = ts_desk_new ();
  ts_desk_set_workspace (s.desk, s.path);
  s.series = ts_series_cache_get (ts_desk_get_series (s.desk), s.run.run_id, "train/loss");
  ts_desk_show_run (s.desk, s.run.run_id);
  ts_desk_set_workspace (s.desk, NULL);
  g_assert_cmpint (ts_desk_get_shown_id (s.desk), ==, 0);
  ts_desk_refresh (s.desk);
  ts_test_settle ();
  ts_desk_set_workspace (s.desk, s.path);
  g_object_unref (s.desk);
  g_object_unref (s.series);
  close_store (&s);
}

static gboolean
has_recents (gpointer data)
{
  return ts_recents_get_n (data) == 2;
}

static void
test_recents (void)
{
  g_autofree char *folder = ts_test_new_folder ();
  g_autofree char *a = g_build_filename (folder, "a.trainscope", NULL),
                  *b = g_build_filename (folder, "b.trainscope", NULL);
  g_autofree char *gone = g_build_filename (folder, "gone.trainscope", NULL);
  g_autoptr (TsRecents) recents = ts_recents_new ();

  g_assert_true (g_file_set_contents (a, "a", 1, NULL));
  g_assert_true (g_file_set_contents (b, "bb", 2, NULL));
  ts_recents_add (recents, a);
  ts_recents_add (recents, gone);
  ts_recents_add (recents, b);
  ts_recents_add (recents, b);
  ts_test_wait (has_recents, recents);
  g_assert_cmpstr (ts_recents_get (recents, 0)->path, ==, b);
  g_assert_cmpint (ts_recents_get (recents, 0)->size_bytes, ==, 2);
  g_assert_cmpstr (ts_recents_get (recents, 1)->path, ==, a);
  /* another window reads the same list */
  g_autoptr (TsRecents) other = ts_recents_new ();
  ts_test_wait (has_recents, other);
  g_assert_cmpstr (ts_recents_get (other, 0)->path, ==, b);
}

static gboolean
has_histograms (gpointer data)
{
  TsHistograms *histograms = data;
  guint n = 0;

  if (ts_histograms_get_n (histograms))
    ts_histograms_get_items (histograms, 0, &n);
  return n == N_HISTOGRAMS;
}

/* A run that writes nothing more is read to its end, however much it has. */
static void
test_histograms (void)
{
  Store s = {0};
  GError *error = NULL;
  g_autoptr (TsHistograms) histograms = ts_histograms_new ();

  open_store (&s);
  for (gint64 step = 1; step <= N_HISTOGRAMS; step++) {
    TsEvent *event = ts_event_new (TS_EVENT_HISTOGRAM, step, 0);
    TsSink *sink = ts_writer_get_sink (s.writer, &s.run);
    event->u.histogram.tag = g_intern_string ("weights/w");
    *event->u.histogram.data = (TsHistogram){.count = 1, .n = 1, .right[0] = 1, .bucket[0] = 1};
    sink->push (sink, event, &error);
    g_assert_no_error (error);
    if (step % 50 == 0) /* a full queue thins them */
      ts_writer_flush (s.writer, &error);
    g_assert_no_error (error);
  }
  ts_writer_flush (s.writer, &error);
  g_assert_no_error (error);
  s.desk = ts_desk_new ();
  ts_desk_set_workspace (s.desk, s.path);
  ts_histograms_set_run (histograms, ts_desk_get_query (s.desk), s.run.run_id);
  ts_test_wait (has_histograms, histograms);
  ts_histograms_set_run (histograms, NULL, 0);
  g_object_unref (s.desk);
  close_store (&s);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/ui/figures", test_figures);
  g_test_add_func ("/ui/words", test_words);
  g_test_add_func ("/ui/worker", test_worker);
  g_test_add_func ("/ui/follows", test_follows);
  g_test_add_func ("/ui/change-workspace", test_change_workspace);
  g_test_add_func ("/ui/recents", test_recents);
  g_test_add_func ("/ui/histograms", test_histograms);
  return g_test_run ();
}
