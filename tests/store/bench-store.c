/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

/* The store against a table with one row for each point (clustered by series and step, the same
 * engine and settings), and its envelopes.  JSON lines; medians of ROUNDS. */

#define ROUNDS  5
#define LONG    10000000
#define SERIES  1000
#define BATCH   25 /* steps in a commit: 250 ms at 100 steps per second */
#define COMMITS 80 /* two cycles of sealing */

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *v)
{
  qsort (v, ROUNDS, sizeof *v, by_size);
  return v[ROUNDS / 2];
}

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

static double
cpu_of (int who)
{
  struct rusage u;

  getrusage (who, &u);
  return (double) (u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         (double) (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static double
loss_at (gint64 i, guint64 *seed)
{
  double noise = (double) (ts_test_random (seed) >> 11) * 0x1p-53;

  return (float) (2 * exp (-3e-7 * (double) i) + 0.1 * noise + (i % 1000003 == 500000 ? 50 : 0));
}

static TsWriter *
open_writer (const char *path)
{
  GError *error = NULL;
  TsWriter *writer = ts_writer_open (path, &error);

  g_assert_no_error (error);
  return writer;
}

/* --- Envelopes --- */

static void
write_long (const char *path)
{
  static const TsRunInfo info = {.name = "r"};
  TsWriter *writer = open_writer (path);
  TsRunRef ref = ts_test_begin (writer, &info);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  const char *tag = g_intern_string ("train/loss");
  guint64 seed = 88172645463325252ull;
  gint64 wall = 1700000000000000;

  for (gint64 i = 0; i < LONG; i++) {
    TsEvent *event = ts_event_new (TS_EVENT_SCALARS, i, 1);
    event->u.scalars.items[0] = (TsScalar){tag, loss_at (i, &seed)};
    event->wall_us = wall += 9000 + (gint64) (ts_test_random (&seed) & 2047);
    g_assert_true (sink->push (sink, event, NULL));
  }
  ts_test_end (sink, LONG, TS_RUN_FINISHED);
  ts_test_close (writer);
}

static void
measure_envelopes (const char *path)
{
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (TsEnvelopeColumn));
  static const gint64 spans[] = {10000000, 1000000, 100000, 10000};

  for (guint k = 0; k < G_N_ELEMENTS (spans); k++) {
    double t[ROUNDS];
    gint64 from = (LONG - spans[k]) / 3;
    for (int i = -1; i < ROUNDS; i++) { /* the first one warms up */
      g_array_set_size (columns, 0);
      double begin = now ();
      g_assert_true (ts_reader_envelope (reader, 1, from, from + spans[k], 1000, columns, NULL));
      t[MAX (i, 0)] = (now () - begin) * 1e3;
    }
    printf ("{\"envelope_points\":%d,\"columns\":1000,\"ms\":%.3f}\n", (int) spans[k], median (t));
  }
}

static void
measure_long (const char *folder)
{
  g_autofree char *path = ts_test_path (folder, "long");

  write_long (path);
  double chunks = (double) ts_test_number (path, "SELECT sum(length(data)) FROM chunk");
  double lod = (double) ts_test_number (path, "SELECT sum(length(data)) FROM lod");
  double file = (double) ts_test_number (path, "PRAGMA page_count") * 8192;
  printf ("{\"points\":%d,\"chunk_bytes_per_point\":%.3f,\"lod_bytes_per_point\":%.3f,"
          "\"file_bytes_per_point\":%.3f}\n",
          LONG, chunks / LONG, lod / LONG, file / LONG);
  measure_envelopes (path);
}

/* --- 1000 series --- */

static void
tags_init (const char **tags)
{
  for (guint k = 0; k < SERIES; k++) {
    g_autofree char *name = g_strdup_printf ("group/value-%u", k);
    tags[k] = g_intern_string (name);
  }
}

static void
push_step (TsSink *sink, const char **tags, gint64 step, guint64 *seed)
{
  TsEvent *event = ts_event_new (TS_EVENT_SCALARS, step, SERIES);

  event->wall_us = 1700000000000000 + step * 10000 + (gint64) (ts_test_random (seed) % 2000);
  for (guint k = 0; k < SERIES; k++)
    event->u.scalars.items[k] = (TsScalar){tags[k], loss_at (step, seed)};
  g_assert_true (sink->push (sink, event, NULL));
}

static guint64 n_news;

static void
count_news (gint64 series_id, gint64 attempt_id, gint64 seq, TsWallKind wall, const TsPoint *points,
            guint n, gpointer data)
{
  guint64 some = 0;

  for (guint i = 0; i < n; i++)
    some += points[i].bits != 0;
  n_news += some;
}

/* Processor time of all threads but this one for each point, and the time of reading each batch. */
static void
run_store (const char *folder, double *cpu, double *news)
{
  g_autofree char *path = ts_test_path (folder, "store");
  static const TsRunInfo info = {.name = "r"};
  const char *tags[SERIES];
  TsWriter *writer = open_writer (path);
  TsRunRef ref = ts_test_begin (writer, &info);
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  guint64 seed = 3;
  double reading = 0, begin = cpu_of (RUSAGE_SELF) - cpu_of (RUSAGE_THREAD);

  n_news = 0;
  tags_init (tags);
  for (gint64 commit = 0; commit < COMMITS; commit++) {
    for (gint64 i = 0; i < BATCH; i++)
      push_step (sink, tags, commit * BATCH + i, &seed);
    ts_test_flush (writer);
    double start = now ();
    g_assert_true (ts_reader_read_news (reader, count_news, NULL, NULL));
    reading += now () - start;
  }
  *cpu = (cpu_of (RUSAGE_SELF) - cpu_of (RUSAGE_THREAD) - begin) * 1e6 / COMMITS / BATCH / SERIES;
  *news = reading * 1e3 / COMMITS;
  g_assert_cmpuint (n_news, ==, (guint64) COMMITS * BATCH * SERIES);
  ts_test_close (writer);
}

static void
check (sqlite3 *db, int rc)
{
  if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
    g_error ("%s", sqlite3_errmsg (db));
}

static void
insert_rows (sqlite3 *db, sqlite3_stmt *insert, gint64 from, guint64 *seed)
{
  check (db, sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
  for (gint64 step = from; step < from + BATCH; step++)
    for (guint k = 0; k < SERIES; k++) {
      sqlite3_bind_int64 (insert, 1, k);
      sqlite3_bind_int64 (insert, 2, step);
      sqlite3_bind_int64 (insert, 3, 1700000000000000 + step * 10000);
      sqlite3_bind_double (insert, 4, loss_at (step, seed));
      check (db, sqlite3_step (insert));
      sqlite3_reset (insert);
    }
  check (db, sqlite3_exec (db, "COMMIT", NULL, NULL, NULL));
}

static double
read_rows (sqlite3 *db, sqlite3_stmt *query, gint64 after)
{
  double begin = now (), sum = 0;
  guint n = 0;

  for (guint k = 0; k < SERIES; k++) {
    sqlite3_bind_int64 (query, 1, k);
    sqlite3_bind_int64 (query, 2, after);
    while (sqlite3_step (query) == SQLITE_ROW) {
      sum += sqlite3_column_double (query, 2) + (double) sqlite3_column_int64 (query, 0);
      n++;
    }
    sqlite3_reset (query);
  }
  g_assert_cmpuint (n, ==, BATCH * SERIES);
  g_assert_true (sum > 0);
  return now () - begin;
}

static void
run_rows (const char *folder, double *cpu, double *news)
{
  g_autofree char *path = ts_test_path (folder, "rows");
  sqlite3 *db, *read_db;
  sqlite3_stmt *insert, *query;
  guint64 seed = 3;
  double used = 0, reading = 0;

  check (NULL, sqlite3_open (path, &db));
  check (db, sqlite3_exec (db,
                           "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"
                           "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
                           "CREATE TABLE s(series INTEGER, step INTEGER, us INTEGER, value REAL,"
                           " PRIMARY KEY(series, step)) STRICT, WITHOUT ROWID",
                           NULL, NULL, NULL));
  check (db, sqlite3_open_v2 (path, &read_db, SQLITE_OPEN_READONLY, NULL));
  check (read_db, sqlite3_exec (read_db, "PRAGMA cache_size = -65536", NULL, NULL, NULL));
  check (db, sqlite3_prepare_v2 (db, "INSERT INTO s VALUES(?,?,?,?)", -1, &insert, NULL));
  check (read_db,
         sqlite3_prepare_v2 (read_db, "SELECT step, us, value FROM s WHERE series = ? AND step > ?",
                             -1, &query, NULL));
  for (gint64 commit = 0; commit < COMMITS; commit++) {
    double begin = cpu_of (RUSAGE_THREAD);
    insert_rows (db, insert, commit * BATCH, &seed);
    used += cpu_of (RUSAGE_THREAD) - begin;
    reading += read_rows (read_db, query, commit * BATCH - 1);
  }
  *cpu = used * 1e6 / COMMITS / BATCH / SERIES;
  *news = reading * 1e3 / COMMITS;
  sqlite3_finalize (insert);
  sqlite3_finalize (query);
  sqlite3_close (read_db);
  sqlite3_close (db);
}

static void
measure_series (void)
{
  double cpu[2][ROUNDS], news[2][ROUNDS];

  for (guint i = 0; i < ROUNDS; i++) {
    g_autofree char *folder = ts_test_folder ();
    run_store (folder, &cpu[0][i], &news[0][i]);
    run_rows (folder, &cpu[1][i], &news[1][i]);
    ts_test_remove (folder);
  }
  for (guint k = 0; k < 2; k++) {
    median (cpu[k]);
    median (news[k]);
  }
  double store = cpu[0][ROUNDS / 2], rows = cpu[1][ROUNDS / 2];
  printf (
      "{\"series\":%d,\"writer_us_per_point\":%.3f,\"rows_us_per_point\":%.3f,\"ratio\":%.1f}\n",
      SERIES, store, rows, rows / store);
  store = news[0][ROUNDS / 2];
  rows = news[1][ROUNDS / 2];
  printf ("{\"series\":%d,\"new_points\":%d,\"read_ms\":%.3f,\"rows_read_ms\":%.3f,"
          "\"ratio\":%.1f}\n",
          SERIES, BATCH * SERIES, store, rows, rows / store);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = ts_test_folder ();

  setvbuf (stdout, NULL, _IOLBF, 0);
  if (argc < 2 || strcmp (argv[1], "--series") != 0)
    measure_long (folder);
  ts_test_remove (folder);
  if (argc < 2 || strcmp (argv[1], "--long") != 0)
    measure_series ();
  return 0;
}
