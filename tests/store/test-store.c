/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <glib/gstdio.h>
#include <math.h>

#include "data/store/error.h"

/* Writer to reader and back, bit for bit, on whole files. */

static const TsRunInfo plain = {.model_name = "mlp"};

/* The i-th point of the test's series. */
static gint64
nth_step (guint i)
{
  return i % 7 == 3 ? (gint64) i - 2 : i % 997 == 5 ? G_MAXINT64 - i : i;
}

static void
check_points (TsReader *reader, gint64 run_id, const char *tag, guint64 seed, guint n)
{
  g_autoptr (GArray) points = ts_test_points (reader, run_id, tag);

  g_assert_cmpuint (points->len, ==, n);
  for (guint i = 0; i < n; i++) {
    const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
    g_assert_cmpint (p->seq, ==, i);
    g_assert_cmpint (p->step, ==, nth_step (i));
    g_assert_cmpint (p->wall_us, ==, 1700000000000000 + nth_step (i) % 1000000 * 10);
    g_assert_cmphex (p->bits, ==, ts_test_bits (&seed));
  }
}

static void
test_round_trip (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  guint64 a = 1, b = 2;
  const guint n = 10000;

  TsReader *live = ts_test_reader (path);
  for (guint i = 0; i < n; i++) {
    ts_test_push (sink, "train/loss", nth_step (i), ts_test_bits (&a));
    ts_test_push (sink, "val/\xff\xfe", nth_step (i), ts_test_bits (&b));
    if (i % 2500 == 2499) {
      ts_test_flush (writer);
      check_points (live, ref.run_id, "train/loss", 1, i + 1);
      check_points (live, ref.run_id, "val/\xff\xfe", 2, i + 1);
    }
  }
  ts_test_end (sink, n, TS_RUN_FINISHED);
  ts_test_flush (writer);
  check_points (live, ref.run_id, "train/loss", 1, n);
  ts_reader_close (live);
  ts_test_close (writer);

  g_autoptr (TsReader) reader = ts_test_reader (path);
  check_points (reader, ref.run_id, "train/loss", 1, n);
  check_points (reader, ref.run_id, "val/\xff\xfe", 2, n);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM flush_log"), ==, 0);
  g_assert_cmpint (ts_test_number (path, "SELECT max(n) FROM chunk"), <=, 4096);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM chunk"), <=, 10);
  g_assert_cmpint (ts_test_number (path, "SELECT sum(n) FROM chunk"), ==, 2 * n);
  g_autofree char *wal = g_strconcat (path, "-wal", NULL),
                  *lock = g_strconcat (path, "-lock", NULL);
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
  ts_test_remove (folder);
}

/* An incremental reader that polls while the writer commits and seals sees every point once. */
static void
test_incremental (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  g_autoptr (TsReader) often = ts_test_reader (path), seldom = ts_test_reader (path);
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  g_autoptr (GArray) seen_seldom = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  GError *error = NULL;
  gboolean changed;

  for (gint64 i = 0; i < 300; i++) {
    for (gint64 k = 0; k < 20; k++)
      ts_test_push (sink, "loss", i * 20 + k, (guint64) (i * 20 + k));
    ts_test_flush (writer);
    ts_reader_poll (often, &changed, &error);
    g_assert_no_error (error);
    g_assert_true (changed);
    ts_reader_read_points (often, 1, seen->len, G_MAXUINT, seen, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (seen->len, ==, (i + 1) * 20);
    if (i % 100 == 99) {
      ts_reader_read_points (seldom, 1, seen_seldom->len, G_MAXUINT, seen_seldom, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (seen_seldom->len, ==, (i + 1) * 20);
    }
  }
  for (guint i = 0; i < seen->len; i++) {
    g_assert_cmpint (g_array_index (seen, TsStoredPoint, i).seq, ==, i);
    g_assert_cmphex (g_array_index (seen, TsStoredPoint, i).bits, ==, i);
  }
  g_assert_cmpmem (seen->data, seen->len * sizeof (TsStoredPoint), seen_seldom->data,
                   seen_seldom->len * sizeof (TsStoredPoint));
  /* Sealed meanwhile, not only at the end (I4). */
  g_assert_cmpint (ts_test_number (path, "SELECT next_seq FROM series"), >, 0);
  g_assert_cmpint (ts_test_number (path, "SELECT min(flush_id) FROM flush_log"), >, 1);
  ts_test_close (writer);
  /* An open chunk is filled up, not followed by small ones. */
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM chunk"), ==, 2);
  ts_test_remove (folder);
}

/* Full chunks fill the pages that SQLite gives them: 4096 points of 3 bytes would waste a third. */
static void
test_pages (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  guint64 seed = 13;
  GError *error = NULL;

  ts_test_close (ts_test_writer (path));
  gint64 empty = ts_test_number (path, "PRAGMA page_count");
  /* Commits every few milliseconds leave half-empty pages of the log, and how many is chance. */
  static const TsWriterOptions options = {.commit_ms = 1000000};
  TsWriter *writer = ts_writer_open_with (path, &options, &error);
  g_assert_no_error (error);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  for (gint64 i = 0; i < 200000; i++)
    ts_test_push (sink, "x", i, ts_bits ((double) (ts_test_random (&seed) >> 40)));
  ts_test_end (sink, 200000, TS_RUN_FINISHED);
  ts_test_close (writer);
  gint64 pages = ts_test_number (path, "SELECT (SELECT page_count FROM pragma_page_count)"
                                       " - (SELECT freelist_count FROM pragma_freelist_count)"),
         bytes = ts_test_number (path, "SELECT (SELECT sum(length(data)) FROM chunk)"
                                       " + (SELECT sum(length(data)) FROM lod)");
  g_assert_cmpint ((pages - empty) * 8192, <, bytes / 100 * 120);
  g_assert_cmpint (ts_test_number (path, "SELECT sum(n) FROM chunk"), ==, 200000);
  g_assert_cmpint (ts_test_number (path, "SELECT min(n) FROM chunk WHERE seq < 190000"), >=, 2048);
  ts_test_remove (folder);
}

/* The end of a run seals it at once, long before the cycle would, and empties the log. */
static void
test_end_seals (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  static const TsWriterOptions options = {.commit_ms = 1000000, .cycle_commits = 1000000};
  GError *error = NULL;
  TsWriter *writer = ts_writer_open_with (path, &options, &error);

  g_assert_no_error (error);
  TsRunRef first = ts_test_begin (writer, &plain), second = ts_test_begin (writer, &plain);
  for (gint64 i = 0; i < 10; i++) {
    ts_test_push (ts_writer_get_sink (writer, &first), "x", i, 1);
    ts_test_push (ts_writer_get_sink (writer, &second), "x", i, 1);
    ts_test_flush (writer);
  }
  ts_test_end (ts_writer_get_sink (writer, &first), 10, TS_RUN_FINISHED);
  ts_test_flush (writer);
  g_assert_cmpint (ts_test_number (path, "SELECT sum(n) FROM chunk"), ==, 10);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM flush_log"), ==, 20);
  ts_test_end (ts_writer_get_sink (writer, &second), 10, TS_RUN_FINISHED);
  ts_test_flush (writer);
  g_assert_cmpint (ts_test_number (path, "SELECT sum(n) FROM chunk"), ==, 20);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM flush_log"), ==, 0);
  ts_test_close (writer);
  ts_test_remove (folder);
}

static void
test_stats (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  guint64 seed = 11;
  TsStats want = {0};
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_test_reader (path);

  for (gint64 i = 0; i < 5000; i++) {
    guint64 bits = i % 10 ? ts_bits (sqrt ((double) i) - 30) : ts_test_bits (&seed);
    TsPoint point = {(i * 7919) % 5003, 1700000000000000 + (i * 7919) % 5003 * 10, bits};
    ts_stats_add (&want, &point, TS_WALL_US);
    ts_test_push (sink, "x", point.step, bits);
    if (i % 617 == 0 || i == 4999) {
      ts_test_flush (writer);
      g_autoptr (TsTagInfo) info =
          ts_reader_find_tag (reader, ref.run_id, "x", TS_SERIES_SCALAR, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (&info->stats, sizeof want, &want, sizeof want);
    }
  }
  ts_test_close (writer);
  g_autoptr (TsTagInfo) info =
      ts_reader_find_tag (reader, ref.run_id, "x", TS_SERIES_SCALAR, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (&info->stats, sizeof want, &want, sizeof want);
  TsStats visible;
  g_assert_true (ts_reader_visible_stats (reader, info->series_id, info->kind, &visible, NULL));
  g_assert_cmpmem (&visible, sizeof want, &want, sizeof want);
  g_assert_cmpint (want.finite + want.nan + want.pos_inf + want.neg_inf, ==, 5000);
  g_assert_null (ts_reader_find_tag (reader, ref.run_id, "y", TS_SERIES_SCALAR, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND);
  g_clear_error (&error);
  ts_test_remove (folder);
}

/* I7: a later attempt hides steps >= its resume_step of all earlier ones, and deletes nothing. */
static void
test_resume (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain), again;
  GError *error = NULL;

  TsSink *sink = ts_writer_get_sink (writer, &ref);
  for (gint64 i = 1; i <= 100; i++)
    ts_test_push (sink, "loss", i, (guint64) i);
  g_assert_true (ts_writer_resume_run (writer, ref.uuid, 61, &again, &error));
  g_assert_cmpint (again.run_id, ==, ref.run_id);
  g_assert_cmpint (again.attempt_id, !=, ref.attempt_id);
  g_assert_cmpstr (again.name, ==, ref.name);
  /* The old attempt's sink is out of order now. */
  g_assert_false (sink->push (sink, ts_event_new (TS_EVENT_SCALARS, 1, 0), &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CLOSED);
  g_clear_error (&error);
  sink = ts_writer_get_sink (writer, &again);
  for (gint64 i = 61; i <= 80; i++)
    ts_test_push (sink, "loss", i, (guint64) (1000 + i));
  ts_test_close (writer);

  writer = ts_test_writer (path);
  g_assert_true (ts_writer_resume_run (writer, ref.uuid, 71, &again, &error));
  sink = ts_writer_get_sink (writer, &again);
  for (gint64 i = 71; i <= 90; i++)
    ts_test_push (sink, "loss", i, (guint64) (2000 + i));
  ts_test_push (sink, "new", 90, 0);
  ts_test_flush (writer);

  g_autoptr (TsReader) reader = ts_test_reader (path);
  for (int sealed = 0; sealed < 2; sealed++) {
    g_autoptr (GArray) points = ts_test_points (reader, ref.run_id, "loss");
    g_assert_cmpuint (points->len, ==, 140);
    guint64 visible = 0;
    for (guint i = 0; i < points->len; i++) {
      const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
      g_assert_cmpint (p->attempt, ==, i < 100 ? 0 : i < 120 ? 1 : 2);
      gboolean hidden = p->step >= (p->attempt == 0 ? 61 : p->attempt == 1 ? 71 : G_MAXINT64);
      g_assert_cmpint (p->hidden, ==, hidden);
      visible += !p->hidden;
    }
    g_assert_cmpuint (visible, ==, 90);
    if (!sealed)
      ts_test_close (writer);
  }
  TsStats stats;
  g_assert_true (ts_reader_visible_stats (reader, 1, TS_SERIES_SCALAR, &stats, NULL));
  g_assert_cmpint (stats.count, ==, 90);
  g_assert_false (stats.unordered);
  g_autoptr (GArray) attempts = ts_reader_list_attempts (reader, ref.run_id, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attempts->len, ==, 3);
  g_assert_false (g_array_index (attempts, TsAttemptInfo, 0).resumed);
  g_assert_cmpint (g_array_index (attempts, TsAttemptInfo, 2).resume_step, ==, 71);
  /* No chunk spans attempts (I3). */
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM chunk WHERE series_id = 1"), ==, 3);
  ts_test_remove (folder);
}

static void
push_text (TsSink *sink, TsEventKind kind, const char *text)
{
  TsEvent *event = ts_event_new (kind, 7, 0);

  if (kind == TS_EVENT_GRAPH) {
    event->u.graph.json = g_strdup (text);
  } else if (kind == TS_EVENT_NOTE) {
    event->u.note.severity = TS_SEVERITY_WARNING;
    event->u.note.text = g_strdup (text);
  } else {
    event->u.edit.key = g_strdup (text);
    event->u.edit.from = NAN;
    event->u.edit.to = -0.0;
  }
  g_assert_true (sink->push (sink, event, NULL));
}

static void
test_other_events (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  g_autofree char *big = g_strnfill (3 << 20, 'x');
  GError *error = NULL;

  for (gint64 i = 0; i < 40; i++)
    ts_test_push_histogram (sink, "weights/w", i);
  push_text (sink, TS_EVENT_GRAPH, "{\"nodes\":[]}");
  ts_test_flush (writer);
  push_text (sink, TS_EVENT_GRAPH, big);
  push_text (sink, TS_EVENT_NOTE, "loss is NaN");
  push_text (sink, TS_EVENT_EDIT, "optimizer.lr");
  ts_test_flush (writer);

  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autofree char *graph = ts_reader_dup_graph (reader, ref.run_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (graph, ==, big);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM blob"), ==, 1);
  g_autoptr (TsTagInfo) info =
      ts_reader_find_tag (reader, ref.run_id, "weights/w", TS_SERIES_HISTOGRAM, &error);
  g_assert_no_error (error);
  g_assert_cmpint (info->stats.count, ==, 40);
  g_assert_cmpint (info->stats.max_step, ==, 39);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsStoredHistogram));
  ts_reader_read_histograms (reader, info->series_id, 10, 100, list, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->len, ==, 30);
  const TsStoredHistogram *h = &g_array_index (list, TsStoredHistogram, 11);
  g_assert_cmpint (h->step, ==, 21);
  g_assert_true (signbit (h->histogram.min));
  g_assert_cmpfloat (h->histogram.max, ==, 21);
  g_assert_cmpuint (h->histogram.n, ==, TS_HISTOGRAM_BUCKETS);
  g_assert_cmpfloat (h->histogram.bucket[29], ==, 21 * 29);
  g_assert_cmpuint (h->histogram.nonfinite, ==, 3);
  g_autoptr (GArray) notes = ts_reader_list_notes (reader, ref.run_id, &error);
  g_assert_cmpstr (g_array_index (notes, TsNoteInfo, 0).text, ==, "loss is NaN");
  g_assert_cmpint (g_array_index (notes, TsNoteInfo, 0).severity, ==, TS_SEVERITY_WARNING);
  g_autoptr (GArray) edits = ts_reader_list_edits (reader, ref.run_id, &error);
  g_assert_cmpstr (g_array_index (edits, TsEditInfo, 0).key, ==, "optimizer.lr");
  g_assert_true (isnan (g_array_index (edits, TsEditInfo, 0).from));
  g_assert_true (signbit (g_array_index (edits, TsEditInfo, 0).to));
  ts_test_close (writer);
  ts_test_remove (folder);
}

static void
push_checkpoint (TsWriter *writer, TsSink *sink, gint64 step, gboolean best, TsCheckpointKind kind)
{
  TsEvent *event = ts_event_new (TS_EVENT_CHECKPOINT, step, 0);
  g_autofree char *name = g_strdup_printf ("r/%d.safetensors", (int) step);
  g_autofree char *path = g_build_filename (ts_writer_get_folder (writer), name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  GError *error = NULL;

  g_mkdir_with_parents (parent, 0777);
  g_assert_true (g_file_set_contents (path, name, -1, NULL));
  event->u.checkpoint.path = g_steal_pointer (&path);
  event->u.checkpoint.size_bytes = (gint64) strlen (name);
  event->u.checkpoint.sha256[31] = (guint8) step;
  event->u.checkpoint.kind = kind;
  event->u.checkpoint.is_best = best;
  event->u.checkpoint.metric = best ? 0.25 : NAN;
  event->u.checkpoint.epoch = step / 10;
  sink->push (sink, event, &error);
  g_assert_no_error (error);
}

/* I9: the last two, the best and the final stay; the files of the others go after the COMMIT. */
static void
test_checkpoints (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunRef ref = ts_test_begin (writer, &plain);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  GError *error = NULL;
  static const gint64 want[] = {20, 50, 60};

  for (gint64 step = 10; step <= 60; step += 10)
    push_checkpoint (writer, sink, step, step <= 20, TS_CHECKPOINT_PERIODIC);
  ts_test_flush (writer);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (GArray) list = ts_reader_list_checkpoints (reader, ref.run_id, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const TsCheckpointInfo *info = &g_array_index (list, TsCheckpointInfo, i);
    g_assert_cmpint (info->step, ==, want[i]);
    g_assert_true (info->exists);
    g_assert_cmpint (info->sha256[31], ==, want[i]);
    g_assert_cmpint (info->epoch, ==, want[i] / 10);
  }
  g_assert_cmpfloat (g_array_index (list, TsCheckpointInfo, 0).metric, ==, 0.25);
  g_autofree char *gone =
      g_build_filename (ts_writer_get_folder (writer), "r", "30.safetensors", NULL);
  g_assert_false (g_file_test (gone, G_FILE_TEST_EXISTS));

  /* A missing file is said, not fatal, and resuming takes the one before. */
  g_unlink (g_array_index (list, TsCheckpointInfo, 2).path);
  g_autoptr (GArray) last = ts_reader_last_checkpoint (reader, ref.run_id, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (last->len, ==, 1);
  g_assert_cmpint (g_array_index (last, TsCheckpointInfo, 0).step, ==, 50);
  /* One that a later attempt has overtaken is no place to go on from. */
  TsRunRef again;
  g_assert_true (ts_writer_resume_run (writer, ref.uuid, 21, &again, NULL));
  g_autoptr (GArray) after = ts_reader_last_checkpoint (reader, ref.run_id, &error);
  g_assert_cmpint (g_array_index (after, TsCheckpointInfo, 0).step, ==, 20);

  TsEvent *outside = ts_event_new (TS_EVENT_CHECKPOINT, 1, 0);
  outside->u.checkpoint.path = g_strdup ("/tmp/elsewhere");
  sink = ts_writer_get_sink (writer, &again);
  g_assert_false (sink->push (sink, outside, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN);
  g_clear_error (&error);
  ts_test_close (writer);
  ts_test_remove (folder);
}

static void
test_run_list (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  const TsHparam hparams[] = {
      {"a.flag", TS_HPARAM_BOOL, .i = 1},    {"b.n", TS_HPARAM_INT, .i = G_MININT64},
      {"c.rate", TS_HPARAM_REAL, .r = -0.0}, {"d.act", TS_HPARAM_TEXT, .t = "relu"},
      {"e.nan", TS_HPARAM_REAL, .r = NAN},   {"f.none", TS_HPARAM_NULL},
  };
  const TsRunInfo info = {.model_name = "mlp",
                          .model_text = "input x",
                          .data_name = "iris",
                          .data_hash = "abcd",
                          .data_split = "test=5",
                          .seed = ~0ull,
                          .isa = "v3",
                          .blas_core = "Haswell",
                          .blas_version = "0.3.21",
                          .threads = 2,
                          .hparams = hparams,
                          .n_hparams = G_N_ELEMENTS (hparams)};
  TsRunRef ref = ts_test_begin (writer, &info);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  GError *error = NULL;

  g_assert_cmpstr (ref.name, ==, "mlp-1");
  ts_test_push (ts_writer_get_sink (writer, &ref), "loss", 1, 5);
  ts_test_push (ts_writer_get_sink (writer, &ref), "loss", 2, 6);
  ts_test_flush (writer);
  g_assert_true (ts_writer_add_label (writer, ref.run_id, "b", NULL));
  g_assert_true (ts_writer_add_label (writer, ref.run_id, "a", NULL));
  g_assert_true (ts_writer_add_label (writer, ref.run_id, "c", NULL));
  g_assert_true (ts_writer_remove_label (writer, ref.run_id, "c", NULL));
  g_assert_true (ts_writer_set_note (writer, ref.run_id, "hello", NULL));
  g_assert_true (ts_writer_set_pinned (writer, ref.run_id, TRUE, NULL));
  g_assert_true (ts_writer_set_archived (writer, ref.run_id, TRUE, NULL));
  for (int round = 0; round < 2; round++) {
    g_autoptr (GPtrArray) list = ts_reader_list_runs (reader, FALSE, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (list->len, ==, 1);
    const TsRun *run = list->pdata[0];
    g_assert_cmpstr (run->uuid, ==, ref.uuid);
    g_assert_cmpint (run->state, ==, round ? TS_RUN_FINISHED : TS_RUN_RUNNING);
    g_assert_cmpint (run->ended_us != 0, ==, round);
    g_assert_cmpstr (run->model_text, ==, "input x");
    g_assert_cmpstr (run->data_split, ==, "test=5");
    g_assert_cmpstr (run->note, ==, "hello");
    g_assert_true (run->pinned && run->archived);
    g_assert_cmphex (run->seed, ==, ~0ull);
    g_assert_cmpuint (run->n_hparams, ==, 6);
    g_assert_cmpint (run->hparams[1].i, ==, G_MININT64);
    g_assert_true (signbit (run->hparams[2].r));
    g_assert_cmpstr (run->hparams[3].t, ==, "relu");
    g_assert_true (isnan (run->hparams[4].r));
    g_assert_cmpint (run->hparams[5].kind, ==, TS_HPARAM_NULL);
    g_assert_cmpstr (run->labels[0], ==, "a");
    g_assert_cmpstr (run->labels[1], ==, "b");
    g_assert_null (run->labels[2]);
    g_assert_cmpint (run->n_points, ==, 2);
    g_assert_cmpuint (run->n_tags, ==, 1);
    g_assert_cmphex (g_array_index (run->last, TsLastValue, 0).bits, ==, 6);
    if (!round)
      ts_test_end (ts_writer_get_sink (writer, &ref), 2, TS_RUN_FINISHED);
    ts_test_flush (writer);
  }
  ts_test_close (writer);
  ts_test_remove (folder);
}

static void
expect_error (gboolean failed, GError **error, TsStoreError code, const char *text)
{
  g_assert_true (failed);
  g_assert_error (*error, TS_STORE_ERROR, (int) code);
  g_assert_nonnull (strstr ((*error)->message, text));
  g_clear_error (error);
}

static void
test_names (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "a.trainscope");
  TsWriter *writer = ts_test_writer (path);
  TsRunInfo info = {.name = "one"};
  TsRunRef one = ts_test_begin (writer, &info), two, other;
  GError *error = NULL;

  expect_error (!ts_writer_begin_run (writer, &info, &two, &error), &error, TS_STORE_ERROR_EXISTS,
                "'one'");
  two = ts_test_begin (writer, &plain);
  g_assert_cmpstr (two.name, ==, "mlp-1");
  expect_error (!ts_writer_rename_run (writer, two.run_id, "one", &error), &error,
                TS_STORE_ERROR_EXISTS, "'one'");
  g_assert_true (ts_writer_rename_run (writer, two.run_id, "mlp-7", NULL));
  other = ts_test_begin (writer, &plain);
  g_assert_cmpstr (other.name, ==, "mlp-8");
  expect_error (!ts_writer_set_note (writer, 99, "x", &error), &error, TS_STORE_ERROR_NOT_FOUND,
                "99");
  info.parent = "00000000-0000-4000-8000-000000000000";
  info.name = "child";
  expect_error (!ts_writer_begin_run (writer, &info, &other, &error), &error,
                TS_STORE_ERROR_NOT_FOUND, info.parent);
  info.parent = one.uuid;
  TsRunRef child = ts_test_begin (writer, &info);

  /* The trash frees the name, and the name may be taken when it comes back. */
  g_assert_true (ts_writer_set_trashed (writer, one.run_id, TRUE, NULL));
  info = (TsRunInfo){.name = "one"};
  TsRunRef one_again = ts_test_begin (writer, &info);
  expect_error (!ts_writer_set_trashed (writer, one.run_id, FALSE, &error), &error,
                TS_STORE_ERROR_EXISTS, "'one'");
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (TsRun) found = ts_reader_find_run (reader, "one", NULL);
  g_assert_cmpstr (found->uuid, ==, one_again.uuid);
  g_assert_true (ts_writer_rename_run (writer, one.run_id, "first", NULL));
  g_autoptr (TsRun) trashed = ts_reader_find_run (reader, "first", NULL);
  g_assert_cmpint (trashed->trashed_us, >, 0);
  g_assert_true (ts_writer_set_trashed (writer, one.run_id, FALSE, NULL));

  g_autoptr (TsRun) by_uuid = ts_reader_find_run (reader, child.uuid, NULL);
  g_assert_cmpint (by_uuid->parent_run_id, ==, one.run_id);
  g_autofree char *prefix = g_strndup (child.uuid, 12);
  g_autoptr (TsRun) by_prefix = ts_reader_find_run (reader, prefix, NULL);
  g_assert_cmpstr (by_prefix->name, ==, "child");
  expect_error (!ts_reader_find_run (reader, "zzz", &error), &error, TS_STORE_ERROR_NOT_FOUND,
                "'zzz'");
  ts_test_close (writer);
  ts_test_sql (path, "UPDATE run SET uuid = x'abcd0000000000000000000000000000' WHERE run_id = 1;"
                     "UPDATE run SET uuid = x'abcd1000000000000000000000000000' WHERE run_id = 2");
  expect_error (!ts_reader_find_run (reader, "ABCD", &error), &error, TS_STORE_ERROR_AMBIGUOUS,
                "first (abcd0000-0000-0000-0000-000000000000), mlp-7 (abcd1000");
  ts_test_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/round-trip", test_round_trip);
  g_test_add_func ("/store/incremental", test_incremental);
  g_test_add_func ("/store/pages", test_pages);
  g_test_add_func ("/store/end-seals", test_end_seals);
  g_test_add_func ("/store/stats", test_stats);
  g_test_add_func ("/store/resume", test_resume);
  g_test_add_func ("/store/other-events", test_other_events);
  g_test_add_func ("/store/checkpoints", test_checkpoints);
  g_test_add_func ("/store/run-list", test_run_list);
  g_test_add_func ("/store/names", test_names);
  return g_test_run ();
}
