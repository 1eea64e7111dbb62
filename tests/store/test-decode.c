/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/store/pack.h"
#include "data/store/crc32c.h"
#include "data/store/flush.h"

/* decode.py, which knows only docs/run-file.md, must say what was written, and so must the reader.
 */

static void
expect (GString *text, const char *run, const char *tag, gint64 seq, gint64 step, guint64 bits,
        int attempt)
{
  g_autoptr (GString) hex = g_string_new (NULL);

  for (const char *p = tag; *p; p++)
    g_string_append_printf (hex, "%02x", (guint8) *p);
  g_string_append_printf (text,
                          "%s %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                          " %016" G_GINT64_MODIFIER "x %d\n",
                          run, hex->str, seq, step, 1700000000000000 + step % 1000000 * 10, bits,
                          attempt);
}

/* What the values of a series are like; each is written in another form (docs/run-file.md). */
typedef enum { ANY, NOISE, NARROW, CONSTANT, SHARES, RISING, STAIRS } Values;

typedef struct {
  const char *tag;
  guint64 seed;
  Values values;
} Plan;

static const Plan plans[] = {{"train/loss", 3, ANY},     {"narrow", 5, NARROW},
                             {"caf\xc3\xa9", 7, SHARES}, {"\xff", 9, CONSTANT},
                             {"rising", 11, RISING},     {"stairs", 13, STAIRS},
                             {"noise", 15, NOISE}};

static guint64
plan_bits (Values values, gint64 i, guint64 *seed)
{
  switch (values) {
  case NOISE:
    return ts_test_random (seed);
  case NARROW:
    return ts_bits_widen ((guint32) ts_test_random (seed));
  case CONSTANT:
    return 0xfff4000000000003;
  case SHARES:
    return ts_bits ((double) (gint64) (ts_test_random (seed) % 2000 - 1000) * 0x1p-1070);
  case RISING:
    return ts_bits ((double) (3 * i - 5000) * 0x1p40);
  case STAIRS:
    return i / 50 % 2 ? ts_bits (0.1) : i / 100 % 2 ? ts_bits (-0.0) : ts_bits (0.3);
  default:
    return ts_test_bits (seed);
  }
}

/* Points from..to of each plan; the same numbers every time. */
static void
write_points (TsSink *sink, GString *texts[], const char *run, gint64 from, gint64 to, int attempt)
{
  for (guint k = 0; k < G_N_ELEMENTS (plans); k++) {
    for (gint64 i = from; i < to; i++) {
      guint64 seed = plans[k].seed * 100003 + (guint64) i + 1;
      guint64 jump = ts_test_random (&seed);
      gint64 step = jump % 9 ? i : (gint64) ts_test_random (&seed);
      guint64 bits = plan_bits (plans[k].values, i, &seed);
      if (sink)
        ts_test_push (sink, plans[k].tag, step, bits);
      if (texts)
        expect (texts[k], run, plans[k].tag, i, step, bits, attempt);
    }
  }
}

static gboolean
begin (TsWriter *writer, const char *name, TsRunRef *ref)
{
  TsRunInfo info = {.name = name};

  return ts_writer_begin_run (writer, &info, ref, NULL);
}

/* A process that commits and dies: points sealed in part, the rest in the flush log. */
static void
die_writing (const char *path)
{
  static const TsWriterOptions options = {.commit_ms = 1000000, .cycle_commits = 3};
  TsWriter *writer = ts_writer_open_with (path, &options, NULL);
  TsRunRef first, second;

  if (!writer || !begin (writer, "dead", &first))
    _exit (1);
  TsSink *sink = ts_writer_get_sink (writer, &first);
  for (gint64 i = 0; i < 6000; i += 1000) {
    write_points (sink, NULL, "dead", i, i + 1000, 0);
    if (!ts_writer_flush (writer, NULL))
      _exit (2);
  }
  if (!ts_writer_resume_run (writer, first.uuid, 10, &second, NULL))
    _exit (3);
  sink = ts_writer_get_sink (writer, &second);
  write_points (sink, NULL, "dead", 6000, 6100, 1);
  if (!ts_writer_flush (writer, NULL))
    _exit (4);
  write_points (sink, NULL, "dead", 6100, 6150, 1);
  _exit (ts_writer_flush (writer, NULL) ? 0 : 5);
}

static char *
make_file (const char *path)
{
  GString *texts[2 * G_N_ELEMENTS (plans)];
  g_autoptr (GString) all = g_string_new (NULL);
  int status;
  TsRunRef ref;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    texts[i] = g_string_new (NULL);
  TsWriter *writer = ts_test_writer (path);
  g_assert_true (begin (writer, "ended", &ref));
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  write_points (sink, texts, "ended", 0, 5000, 0);
  ts_test_end (sink, 5000, TS_RUN_FINISHED);
  g_assert_true (ts_writer_close (writer, NULL));

  fflush (NULL);
  pid_t child = fork ();
  if (child == 0)
    die_writing (path);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  write_points (NULL, texts + G_N_ELEMENTS (plans), "dead", 0, 6000, 0);
  write_points (NULL, texts + G_N_ELEMENTS (plans), "dead", 6000, 6150, 1);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_string_append_len (all, texts[i]->str, (gssize) texts[i]->len);
    g_string_free (texts[i], TRUE);
  }
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM flush_log"), >, 0);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM chunk JOIN series USING(series_id)"
                                         " JOIN run USING(run_id) WHERE name = 'dead'"),
                   >, 0);
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static char *
dump_reader (const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);

  g_assert_no_error (error);
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, TRUE, &error);
  g_assert_no_error (error);
  for (guint r = 0; r < runs->len; r++) {
    const TsRun *run = runs->pdata[r];
    g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, &error);
    g_assert_no_error (error);
    for (guint t = 0; t < tags->len; t++) {
      const TsTagInfo *info = tags->pdata[t];
      g_autoptr (GArray) points = ts_test_points (reader, run->run_id, info->tag);
      for (guint i = 0; i < points->len; i++) {
        const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
        g_assert_cmpint (p->wall_us, ==, 1700000000000000 + p->step % 1000000 * 10);
        expect (text, run->name, info->tag, p->seq, p->step, p->bits, p->attempt);
      }
    }
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
expect_same (const char *got, const char *want)
{
  const char *a = got, *b = want;

  if (strcmp (got, want) == 0)
    return;
  /* From the start of the first line that differs. */
  for (gsize i = 0; got[i] && got[i] == want[i]; i++) {
    if (got[i] == '\n') {
      a = got + i + 1;
      b = want + i + 1;
    }
  }
  g_autofree char *line = g_strndup (a, 120), *wanted = g_strndup (b, 120);
  g_assert_cmpstr (line, ==, wanted);
}

static char *
run_decoder (const char *python, const char *path)
{
  const char *root = g_getenv ("TS_SOURCE_ROOT");
  g_autofree char *script = g_build_filename (root ? root : ".", "tests/store/decode.py", NULL);
  char *argv[] = {(char *) python, script, (char *) path, NULL}, *out = NULL;
  GError *error = NULL;
  int status;

  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return out;
}

static void
test_decode (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *python = g_find_program_in_path ("python3"), *got = NULL, *decoded = NULL;
  g_autofree char *want = make_file (path);

  got = dump_reader (path);
  expect_same (got, want);
  if (python) {
    decoded = run_decoder (python, path);
    expect_same (decoded, want);
  } else {
    g_test_skip ("python3 is not installed");
  }
  ts_test_remove (folder);
}

static void
insert_blob (sqlite3 *db, const char *sql, const GByteArray *bytes)
{
  sqlite3_stmt *q;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), ==, SQLITE_OK);
  sqlite3_bind_blob (q, 1, bytes->data, (int) bytes->len, SQLITE_STATIC);
  sqlite3_bind_int64 (q, 2, ts_crc32c (bytes->data, bytes->len));
  g_assert_cmpint (sqlite3_step (q), ==, SQLITE_DONE);
  sqlite3_finalize (q);
}

/* A chunk as it was written before there was codec 2. */
static void
put_plain (GByteArray *out, const TsPoint *points, guint n)
{
  ts_put_u32 (out, 1 | TS_WALL_SECONDS << 16);
  ts_put_u32 (out, n);
  for (guint i = 0; i < n; i++)
    ts_put_u64 (out, (guint64) points[i].step);
  for (guint i = 0; i < n; i++)
    ts_put_u64 (out, (guint64) points[i].wall);
  for (guint i = 0; i < n; i++)
    ts_put_u64 (out, points[i].bits);
}

static void
check_seconds (const char *path, const TsPoint *points)
{
  g_autoptr (TsReader) reader = ts_reader_open (path, NULL);
  g_autoptr (GArray) got = ts_test_points (reader, 1, "t");
  static const gint64 us[] = {1250000, 0, G_MAXINT64, -2500000};

  g_assert_cmpuint (got->len, ==, 4);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpint (g_array_index (got, TsStoredPoint, i).wall_us, ==, us[i]);
    g_assert_cmphex (g_array_index (got, TsStoredPoint, i).bits, ==, points[i].bits);
    g_assert_cmpint (g_array_index (got, TsStoredPoint, i).step, ==, points[i].step);
  }
}

static void
check_decoded_seconds (const char *python, const char *path)
{
  g_autofree char *decoded = run_decoder (python, path);

  expect_same (decoded, "r 74 0 -3 3ff4000000000000 8000000000000000 0\n"
                        "r 74 1 5 7ff8000000000001 0000000000000001 0\n"
                        "r 74 2 5 7ff0000000000000 0000000000000002 0\n"
                        "r 74 3 -9223372036854775808 c004000000000000 7ff4000000000003 0\n");
}

/* Wall times that are doubles, as importing brings them: NaN and infinity too, in both places. */
static void
test_seconds (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *python = g_find_program_in_path ("python3");
  TsWriter *writer = ts_test_writer (path);
  TsPoint points[4] = {{-3, (gint64) ts_bits (1.25), 0x8000000000000000},
                       {5, 0x7ff8000000000001, 1},
                       {5, 0x7ff0000000000000, 2},
                       {G_MININT64, (gint64) ts_bits (-2.5), 0x7ff4000000000003}};
  TsRunRef ref;
  sqlite3 *db;
  g_autoptr (GByteArray) chunk = g_byte_array_new (), row = g_byte_array_new ();

  g_assert_true (begin (writer, "r", &ref));
  g_assert_true (ts_writer_close (writer, NULL));
  put_plain (chunk, points, 2);
  TsFlush flush;
  ts_flush_begin (&flush, row);
  ts_flush_add (&flush, 1, 1, TS_WALL_SECONDS, points + 1, 3); /* the first one is sealed already */
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "INSERT INTO tag VALUES(1, 't');"
                                 "INSERT INTO series(series_id, run_id, tag_id, kind, next_seq, n)"
                                 " VALUES(1, 1, 1, 0, 2, 2)",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  insert_blob (db,
               "INSERT INTO chunk(series_id, seq, attempt_id, n, step_min, step_max, nonfinite,"
               " codec, data, crc) VALUES(1, 0, 1, 2, -3, 5, 0, 1, ?1, ?2)",
               chunk);
  insert_blob (db, "INSERT INTO flush_log(attempt_id, us, n, data, crc) VALUES(1, 0, 3, ?1, ?2)",
               row);
  sqlite3_close (db);

  check_seconds (path, points);
  if (python)
    check_decoded_seconds (python, path);
  /* A writer seals what is left; nothing changes. */
  g_assert_true (ts_writer_close (ts_test_writer (path), NULL));
  g_assert_cmpint (ts_test_number (path, "SELECT next_seq FROM series"), ==, 4);
  check_seconds (path, points);
  if (python)
    check_decoded_seconds (python, path);
  else
    g_test_skip ("python3 is not installed");
  ts_test_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decode/sealed-and-unsealed", test_decode);
  g_test_add_func ("/decode/seconds", test_seconds);
  return g_test_run ();
}
