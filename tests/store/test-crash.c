/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/store/error.h"
#include "data/store/writer-private.h"
#include "tests/store/fault-vfs.h"

/* Killed writers and failing disks: whole files, and nothing announced is lost (I6). */

/* Point @seq of the series of tag @tag, whoever writes it. */
static guint64
value_at (guint tag, gint64 seq)
{
  guint64 seed = (guint64) seq * 8 + tag + 1;

  ts_test_random (&seed);
  return ts_test_bits (&seed);
}

/* Event i brings a and b, and every third also c. */
static gboolean
push_event (TsSink *sink, gint64 i, GError **error)
{
  TsEvent *event = ts_event_new (TS_EVENT_SCALARS, i, i % 3 ? 2 : 3);
  static const char *const tags[] = {"a", "b", "c"};

  for (guint k = 0; k < event->u.scalars.n; k++) {
    event->u.scalars.items[k].tag = g_intern_string (tags[k]);
    event->u.scalars.items[k].value = ts_unbits (value_at (k, k == 2 ? i / 3 : i));
  }
  return sink->push (sink, event, error);
}

/* All points of the run are right, events are whole, and there are at least @announced. */
static gint64
check_run (TsReader *reader, const TsRun *run, gint64 announced)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, &error);
  gint64 counts[3] = {0};

  g_assert_no_error (error);
  for (guint t = 0; t < tags->len; t++) {
    const TsTagInfo *info = tags->pdata[t];
    guint k = (guint) (info->tag[0] - 'a');
    g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
    ts_reader_read_points (reader, info->series_id, 0, G_MAXUINT, points, &error);
    g_assert_no_error (error);
    g_assert_cmpint (points->len, ==, info->stats.count);
    for (guint i = 0; i < points->len; i++) {
      const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
      g_assert_cmpint (p->step, ==, k == 2 ? 3 * (gint64) i : i);
      g_assert_cmphex (p->bits, ==, value_at (k, i));
    }
    counts[k] = points->len;
  }
  g_assert_cmpint (counts[0], ==, counts[1]);
  g_assert_cmpint (counts[2], ==, (counts[0] + 2) / 3);
  gint64 total = counts[0] + counts[1] + counts[2];
  g_assert_cmpint (total, >=, announced);
  g_assert_cmpint (total, ==, run->n_points);
  return total;
}

/* --- The child that is killed --- */

static gint64 child_base;

static void
announce (const TsWatermark *mark, gpointer data)
{
  char line[64];
  int n = g_snprintf (line, sizeof line, "%d %d\n", (int) mark->run_id,
                      (int) (child_base + (gint64) mark->points));

  if (write (STDOUT_FILENO, line, (gsize) n) != n)
    _exit (1);
}

/* The newest run goes on, or a new one begins; then it pushes until it is killed. */
static void
write_until_killed (const char *path, gboolean resume)
{
  TsWriter *writer = ts_test_writer (path);
  TsRunInfo info = {.model_name = "r"};
  TsRunRef ref;
  gint64 next = 0;

  if (resume) {
    g_autoptr (TsReader) reader = ts_reader_open (path, NULL);
    g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, NULL);
    if (runs->len) {
      const TsRun *run = runs->pdata[runs->len - 1];
      g_autoptr (TsTagInfo) a =
          ts_reader_find_tag (reader, run->run_id, "a", TS_SERIES_SCALAR, NULL);
      next = a ? a->stats.count : 0;
      child_base = run->n_points;
      ts_writer_set_watermark_func (writer, announce, NULL);
      g_assert_true (ts_writer_resume_run (writer, run->uuid, next, &ref, NULL));
    } else {
      resume = FALSE;
    }
  }
  if (!resume) {
    ts_writer_set_watermark_func (writer, announce, NULL);
    g_assert_true (ts_writer_begin_run (writer, &info, &ref, NULL));
  }
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  for (;; next++) {
    push_event (sink, next, NULL);
    if (next % 16 == 0)
      g_usleep (200);
  }
}

typedef struct {
  gint64 run_id, points; /* of the last whole line; 0: none */
} Announced;

static Announced
kill_one (const char *self, const char *path, gboolean resume, gboolean wait_for_line, guint us)
{
  int fds[2], status;
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[4096];
  gssize n;

  g_assert_cmpint (pipe (fds), ==, 0);
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0) {
    dup2 (fds[1], STDOUT_FILENO);
    close (fds[0]);
    close (fds[1]);
    execl (self, self, "--writer", path, resume ? "resume" : "new", NULL);
    _exit (2);
  }
  close (fds[1]);
  if (wait_for_line && (n = read (fds[0], buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  g_usleep (us);
  kill (child, SIGKILL);
  while ((n = read (fds[0], buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  close (fds[0]);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);

  Announced last = {0, 0};
  char *end = strrchr (text->str, '\n');
  if (end) {
    *end = 0;
    char *line = strrchr (text->str, '\n');
    int run = 0, points = 0;
    g_assert_cmpint (sscanf (line ? line + 1 : text->str, "%d %d", &run, &points), ==, 2);
    last = (Announced){run, points};
  }
  return last;
}

static const char *self;

static void
check_integrity (const char *path)
{
  sqlite3 *db;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_stmt *q;
  sqlite3_prepare_v2 (db, "PRAGMA integrity_check", -1, &q, NULL);
  g_assert_cmpint (sqlite3_step (q), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (q, 0), ==, "ok");
  sqlite3_finalize (q);
  sqlite3_close (db);
}

/* A workspace takes KILLS of them; TS_KILLS says how many there are in all. */
#define KILLS 50

static void
test_kill (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  const char *wish = g_getenv ("TS_KILLS");
  guint rounds = wish ? (guint) g_ascii_strtoull (wish, NULL, 10) : KILLS;
  guint64 seed = 20240607;
  guint announced_something = 0, unsealed = 0, interrupted = 0;

  for (guint round = 0; round < rounds; round++) {
    if (round && round % KILLS == 0) {
      g_autofree char *name = g_strdup_printf ("x%u", round);
      g_free (path);
      path = ts_test_path (folder, name);
    }
    guint us = (guint) (ts_test_random (&seed) % 40000);
    gboolean resume = round % 3 == 2, wait = round % 5 != 0;
    GError *error = NULL;
    Announced last = kill_one (self, path, resume, wait, us);
    TsReader *reader = ts_reader_open (path, &error);
    if (!reader) {
      /* Killed before the workspace was renamed into place. */
      g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN);
      g_assert_cmpint (last.points, ==, 0);
      g_clear_error (&error);
      continue;
    }
    g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < runs->len; i++) {
      const TsRun *run = runs->pdata[i];
      interrupted += run->state == TS_RUN_INTERRUPTED;
      if (i + 1 == runs->len || round % KILLS == KILLS - 1)
        check_run (reader, run, run->run_id == last.run_id ? last.points : 0);
    }
    g_assert_cmpint (last.run_id, <=, runs->len);
    announced_something += last.points > 0;
    ts_reader_close (reader);
    unsealed += ts_test_number (path, "SELECT count(*) FROM flush_log") > 0;
    g_assert_cmpint (ts_test_number (path, "PRAGMA foreign_key_check"), ==, 0);
    if (round % KILLS == KILLS - 1)
      check_integrity (path);
  }
  /* The test would show nothing if the children never got far. */
  g_assert_cmpuint (announced_something, >=, 25);
  g_assert_cmpuint (unsealed, >, 0);
  g_assert_cmpuint (interrupted, >, 0);
  ts_test_remove (folder);
}

/* --- The failing disk --- */

static void
assert_store_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_cmpuint (error->domain, ==, TS_STORE_ERROR);
  g_assert_true (error->code == TS_STORE_ERROR_DISK_FULL || error->code == TS_STORE_ERROR_IO);
}

static TsWriter *
open_anyhow (const char *path, gboolean *gave_up)
{
  static const TsWriterOptions options = {
      .commit_ms = 2, .cycle_commits = 3, .retry_min_ms = 1, .retry_max_ms = 2};

  for (int i = 0; i < 20; i++) {
    g_autoptr (GError) error = NULL;
    TsWriter *writer = ts_writer_open_with (path, &options, &error);
    if (writer)
      return writer;
    assert_store_error (error);
  }
  *gave_up = TRUE;
  return NULL;
}

#define EVENTS 60

/* Returns what was announced; @whole says whether everything was said to be saved. */
static gint64
write_through_faults (const char *path, gboolean *whole)
{
  TsRunInfo info = {.name = "r"};
  TsRunRef ref;
  TsWatermark mark = {0};
  gboolean gave_up = FALSE, begun = FALSE;
  TsWriter *writer = open_anyhow (path, &gave_up);

  *whole = FALSE;
  if (gave_up)
    return 0;
  for (int i = 0; i < 50 && !begun; i++) {
    g_autoptr (GError) error = NULL;
    begun = ts_writer_begin_run (writer, &info, &ref, &error);
    if (!begun)
      assert_store_error (error);
  }
  if (begun) {
    TsSink *sink = ts_writer_get_sink (writer, &ref);
    for (gint64 i = 0; i < EVENTS; i++) {
      g_assert_true (push_event (sink, i, NULL));
      if (i % 10 == 9)
        ts_writer_flush (writer, NULL);
    }
    ts_test_end (sink, EVENTS, TS_RUN_FINISHED);
    ts_writer_flush (writer, NULL);
    g_assert_true (ts_writer_get_watermark (writer, ref.run_id, &mark));
    if (mark.error)
      assert_store_error (mark.error);
    ts_watermark_clear (&mark);
  }
  g_autoptr (GError) error = NULL;
  gboolean closed = ts_writer_close (writer, &error);
  if (!closed)
    assert_store_error (error);
  *whole = closed && begun;
  return (gint64) mark.points;
}

static gint64
check_after_faults (const char *path, gint64 announced, gboolean whole)
{
  GError *error = NULL;
  gint64 total = 0;

  /* A writer goes first: it must be able to take over whatever was left. */
  TsWriter *writer = ts_writer_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (ts_writer_close (writer, NULL));
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, <=, 1);
  if (runs->len) {
    const TsRun *run = runs->pdata[0];
    total = check_run (reader, run, announced);
    if (whole)
      g_assert_cmpint (run->state, ==, TS_RUN_FINISHED);
  }
  if (whole)
    g_assert_cmpint (total, ==, 2 * EVENTS + EVENTS / 3);
  else
    g_assert_cmpint (total, >=, announced);
  return total;
}

/* Fails @n calls from the first, second, … on, until none is left to fail.  @template: the bytes of
 * an empty workspace to begin with; NULL: its creation fails too. */
static void
fault_loop (gint64 n, GBytes *template)
{
  gint64 failed = 1, first;

  for (first = 1; failed > 0; first++) {
    g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
    gboolean whole;
    if (template)
      g_assert_true (g_file_set_contents (path, g_bytes_get_data (template, NULL),
                                          (gssize) g_bytes_get_size (template), NULL));
    fault_arm (first, n);
    gint64 announced = write_through_faults (path, &whole);
    failed = fault_disarm ();
    /* Trouble that passes costs nothing; closing tries three times. */
    g_assert_true (whole || n > 2);
    check_after_faults (path, announced, whole);
    ts_test_remove (folder);
  }
  g_assert_cmpint (first, >, 20);
}

static GBytes *
make_template (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x"), *data = NULL;
  gsize size;

  g_assert_true (ts_writer_close (ts_test_writer (path), NULL));
  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  ts_test_remove (folder);
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

static void
test_fault_creating (void)
{
  fault_loop (1, NULL);
}

static void
test_fault_passing (void)
{
  g_autoptr (GBytes) template = make_template ();

  fault_loop (1, template);
  fault_loop (2, template);
  fault_loop (9, template);
}

/* The disk stays full until the program has ended. */
static void
test_fault_for_good (void)
{
  g_autoptr (GBytes) template = make_template ();

  fault_loop (G_MAXINT64, template);
}

/* The person is told at once and told again when it is over; requests do not hang. */
static gint failures_told, successes_told;

static void
on_mark (const TsWatermark *mark, gpointer data)
{
  if (mark->error)
    g_atomic_int_inc (&failures_told);
  else
    g_atomic_int_inc (&successes_told);
}

static gboolean
set_ran (TsWriter *writer, gpointer args, GError **error)
{
  *(gboolean *) args = TRUE;
  return TRUE;
}

static void
test_disk_full_told (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsWriter *writer = ts_test_writer (path);
  TsRunInfo info = {.name = "r"};
  TsRunRef ref;
  GError *error = NULL;
  gboolean ran = FALSE;

  ts_writer_set_watermark_func (writer, on_mark, NULL);
  g_assert_true (ts_writer_begin_run (writer, &info, &ref, NULL));
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  fault_arm (1, G_MAXINT64);
  g_assert_true (push_event (sink, 0, NULL));
  g_assert_false (ts_writer_flush (writer, &error));
  assert_store_error (error);
  g_clear_error (&error);
  g_assert_false (ts_writer_set_note (writer, ref.run_id, "x", &error));
  assert_store_error (error);
  g_clear_error (&error);
  g_assert_false (ts_writer_request (writer, set_ran, NULL, &ran, FALSE, NULL));
  g_assert_cmpint (g_atomic_int_get (&failures_told), >, 0);
  g_assert_cmpint (g_atomic_int_get (&successes_told), ==, 0);
  fault_disarm ();
  while (!ts_writer_flush (writer, NULL))
    g_usleep (1000);
  TsWatermark mark;
  g_assert_true (ts_writer_get_watermark (writer, ref.run_id, &mark));
  g_assert_no_error (mark.error);
  g_assert_cmpuint (mark.points, ==, 3);
  g_assert_cmpint (g_atomic_int_get (&successes_told), >, 0);
  g_assert_true (ts_writer_close (writer, NULL));
  /* What was given up with an error is not carried out later. */
  g_assert_false (ran);
  g_assert_cmpint (ts_test_number (path, "SELECT note IS NULL FROM run"), ==, 1);
  ts_test_remove (folder);
}

static gint pushed;

static void *
push_many (void *data)
{
  for (gint64 i = 1; i < 200; i++) {
    g_assert_true (push_event (data, i, NULL));
    g_atomic_int_inc (&pushed);
  }
  return NULL;
}

/* While the disk is full the trainer waits; when there is room it goes on, and nothing is lost. */
static void
test_disk_full_blocks (void)
{
  static const TsWriterOptions options = {
      .commit_ms = 1, .queue_capacity = 8, .retry_min_ms = 1, .retry_max_ms = 2};
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsWriter *writer = ts_writer_open_with (path, &options, NULL);
  TsRunInfo info = {.name = "r"};
  TsRunRef ref;
  TsWatermark mark = {0};
  pthread_t thread;

  g_assert_true (ts_writer_begin_run (writer, &info, &ref, NULL));
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  fault_arm (1, G_MAXINT64);
  g_assert_true (push_event (sink, 0, NULL));
  while (!mark.error)
    g_assert_true (ts_writer_get_watermark (writer, ref.run_id, &mark));
  ts_watermark_clear (&mark);
  g_assert_cmpint (pthread_create (&thread, NULL, push_many, sink), ==, 0);
  while (g_atomic_int_get (&pushed) < 8)
    g_usleep (500);
  /* Give it the chance to do wrong. */
  g_usleep (30000);
  g_assert_cmpint (g_atomic_int_get (&pushed), ==, 8);
  fault_disarm ();
  g_assert_cmpint (pthread_join (thread, NULL), ==, 0);
  g_assert_true (ts_writer_close (writer, NULL));
  g_autoptr (TsReader) reader = ts_reader_open (path, NULL);
  g_autoptr (TsRun) run = ts_reader_find_run (reader, "r", NULL);
  g_assert_cmpint (check_run (reader, run, 0), ==, 2 * 200 + 67);
  ts_test_remove (folder);
}

int
main (int argc, char **argv)
{
  if (argc == 4 && strcmp (argv[1], "--writer") == 0)
    write_until_killed (argv[2], strcmp (argv[3], "resume") == 0);
  self = argv[0];
  g_test_init (&argc, &argv, NULL);
  fault_install ();
  g_test_add_func ("/crash/kill", test_kill);
  g_test_add_func ("/crash/fault-creating", test_fault_creating);
  g_test_add_func ("/crash/fault-passing", test_fault_passing);
  g_test_add_func ("/crash/fault-for-good", test_fault_for_good);
  g_test_add_func ("/crash/disk-full-told", test_disk_full_told);
  g_test_add_func ("/crash/disk-full-blocks", test_disk_full_blocks);
  return g_test_run ();
}
