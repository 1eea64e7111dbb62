/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <math.h>

#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/import.h"
#include "data/store/lod.h"

/* Levels of detail against all points (docs/run-file.md, I12 to I14). */

#define BIG 1150000 /* there is a row of level 3 */

/* Values whose sums are exact in any order, so that sums can be compared bit by bit: whole numbers of
 * 1/64 with NaN, infinities, zeros of both signs, and a rare peak. */
static guint64
exact_bits (guint64 *seed, gint64 i)
{
  guint64 r = ts_test_random (seed);

  if (i / 200 % 53 == 1) /* whole buckets without a finite value */
    return 0x7ff8000000000001;
  switch (r % 97) {
  case 0:
    return 0x7ff8000000000001;
  case 1:
    return r & 1ull << 40 ? 0x7ff0000000000000 : 0xfff0000000000000;
  case 2:
    return r & 1ull << 40 ? 0 : 1ull << 63;
  default:
    return ts_bits ((double) ((gint64) (r >> 40 & 0xffff) - 30000) / 64 +
                    (r % 10007 == 0 ? 1e6 : 0));
  }
}

/* Mostly forward, with jumps back and far away. */
static gint64
next_step (gint64 step, guint64 *seed)
{
  guint64 r = ts_test_random (seed);

  return r % 50000 == 0 ? (gint64) ts_test_random (seed) >> 20 : step + (gint64) (r >> 60) - 1;
}

/* --- Against all points --- */

/* By the words of bucket.h, without its code. */
static TsEnvelopeColumn
brute_force (const GArray *points, gint64 from, gint64 to)
{
  TsEnvelopeColumn c = {.from_seq = from, .to_seq = to};
  TsBucket *b = &c.visible;
  guint finite = 0;

  b->step_min = b->us_min = G_MAXINT64;
  b->step_max = b->us_max = G_MININT64;
  for (gint64 seq = from; seq < to; seq++) {
    const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, seq);
    double v = ts_unbits (p->bits);
    if (p->hidden) {
      c.n_hidden++;
      continue;
    }
    b->count++;
    b->step_min = MIN (b->step_min, p->step);
    b->step_max = MAX (b->step_max, p->step);
    if (p->wall_kind == TS_WALL_US || isfinite (ts_unbits ((guint64) p->wall))) {
      b->us_min = MIN (b->us_min, p->wall_us);
      b->us_max = MAX (b->us_max, p->wall_us);
    }
    if (!isfinite (v)) {
      b->nan += isnan (v) != 0;
      b->pos_inf += v > 0;
      b->neg_inf += v < 0;
      b->cut |= TS_BUCKET_CUT_AFTER | (finite ? 0 : TS_BUCKET_CUT_BEFORE);
      continue;
    }
    b->cut &= TS_BUCKET_CUT_BEFORE;
    b->min = finite && !(v < b->min) ? b->min : v;
    b->max = finite && !(v > b->max) ? b->max : v;
    b->sum = finite ? b->sum + v : v;
    b->first = finite ? b->first : v;
    b->last = v;
    finite++;
  }
  return c;
}

static void
check_column (const TsEnvelopeColumn *got, const GArray *points, gboolean sums)
{
  TsEnvelopeColumn want = brute_force (points, got->from_seq, got->to_seq);
  TsEnvelopeColumn c = *got;

  g_assert_cmpint (c.n_hidden, ==, want.n_hidden);
  g_assert_cmpint (c.visible.count, ==, want.visible.count);
  if (!c.visible.count)
    return;
  c.visible.attempt_id = 0;
  if (!sums)
    c.visible.sum = want.visible.sum;
  g_assert_cmphex (ts_bits (c.visible.min), ==, ts_bits (want.visible.min));
  g_assert_cmphex (ts_bits (c.visible.max), ==, ts_bits (want.visible.max));
  g_assert_cmphex (ts_bits (c.visible.sum), ==, ts_bits (want.visible.sum));
  g_assert_cmpint (c.visible.nan, ==, want.visible.nan);
  g_assert_cmpint (c.visible.cut, ==, want.visible.cut);
  g_assert_cmpint (c.visible.step_min, ==, want.visible.step_min);
  g_assert_cmpint (c.visible.us_max, ==, want.visible.us_max);
  /* And all the rest, the padding apart. */
  g_assert_cmpmem (&c.visible, G_STRUCT_OFFSET (TsBucket, cut), &want.visible,
                   G_STRUCT_OFFSET (TsBucket, cut));
}

/* I14: the columns are a partition into almost equal parts, each exact. */
static void
check_envelope (TsReader *reader, const GArray *points, gint64 from, gint64 to, guint n,
                gboolean sums)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (TsEnvelopeColumn));
  GError *error = NULL;
  gint64 at = CLAMP (from, 0, points->len), end = CLAMP (to, at, points->len), begin = at;

  ts_reader_envelope (reader, 1, from, to, n, columns, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (columns->len, ==, n);
  for (guint i = 0; i < n; i++) {
    const TsEnvelopeColumn *c = &g_array_index (columns, TsEnvelopeColumn, i);
    gint64 even = begin + (end - begin) / n * i + (end - begin) % n * i / n;
    g_assert_cmpint (c->from_seq, ==, at);
    g_assert_cmpint (c->from_seq, <=, even);
    g_assert_cmpint (even - c->from_seq, <=, (end - begin) / n / 2);
    check_column (c, points, sums);
    at = c->to_seq;
  }
  g_assert_cmpint (at, ==, end);
}

static void
check_many (TsReader *reader, guint64 *seed, guint n, gboolean sums)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  GError *error = NULL;

  ts_reader_read_points (reader, 1, 0, G_MAXUINT, points, &error);
  g_assert_no_error (error);
  check_envelope (reader, points, 0, G_MAXINT64, 1, sums);
  check_envelope (reader, points, 0, points->len, 7, sums);
  check_envelope (reader, points, points->len, G_MAXINT64, 3, sums);
  check_envelope (reader, points, -5, -1, 2, sums);
  check_envelope (reader, points, 5, 8, 10, sums);
  for (guint i = 0; i < n; i++) {
    gint64 span = (gint64) (ts_test_random (seed) % points->len >> ts_test_random (seed) % 16);
    gint64 from = (gint64) (ts_test_random (seed) % points->len);
    check_envelope (reader, points, from, from + span, 1 + (guint) (ts_test_random (seed) % 60),
                    sums);
  }
}

/* --- Long series --- */

static TsImportSeries *
begin_attempt (TsImport *import, TsImportRun *run, gboolean hides, gint64 resume_step)
{
  TsImportAttempt *attempt =
      ts_import_add_attempt (import, run, "origin", 0, FALSE, hides, resume_step);

  return ts_import_series (import, attempt, "x", TS_SERIES_SCALAR, NULL);
}

/* @cuts: where a new attempt begins that hides a part of what was before. */
static void
import_points (const char *path, gint64 n, const gint64 *cuts, guint n_cuts, gboolean exact)
{
  TsWriter *writer = ts_test_writer (path);
  GError *error = NULL;
  g_autoptr (TsImport) import = ts_import_new (writer, &error);
  TsImportRun *run = ts_import_add_run (import, "r", NULL);
  TsImportSeries *series = begin_attempt (import, run, FALSE, 0);
  guint64 seed = 77, values = 99;
  gint64 step = 0;
  guint next = 0;

  for (gint64 i = 0; i < n; i++) {
    double wall = i % 1001 == 7 ? NAN : 1.7e9 + (double) i / 128;
    if (next < n_cuts && i == cuts[next]) {
      step -= 3000;
      series = begin_attempt (import, run, TRUE, step);
      next++;
    }
    step = next_step (step, &seed);
    TsPoint point = {step, (gint64) ts_bits (wall),
                     exact ? exact_bits (&values, i) : ts_test_bits (&values)};
    ts_import_add_point (import, series, &point);
    if (i % 90001 == 90000)
      g_assert_true (ts_import_commit (import, &error));
  }
  g_assert_true (ts_import_commit (import, &error));
  g_clear_pointer (&import, ts_import_free);
  ts_test_close (writer);
}

static void
test_long (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  guint64 seed = 5;

  import_points (path, BIG, NULL, 0, TRUE);
  g_assert_cmpint (ts_test_number (path, "SELECT max(level) FROM lod"), ==, 3);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  check_many (reader, &seed, 150, TRUE);
  ts_test_remove (folder);
}

/* Buckets of several attempts, and hidden ones among them, near the edges of buckets and elsewhere. */
static void
test_attempts (void)
{
  static const gint64 cuts[] = {63, 64, 4096, 5000, 65536, 70001, 70002, 139264};
  guint64 seed = 6;

  for (guint exact = 0; exact < 2; exact++) {
    g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
    import_points (path, 200000, cuts, G_N_ELEMENTS (cuts), exact);
    g_autoptr (TsReader) reader = ts_test_reader (path);
    g_autoptr (GArray) points = ts_test_points (reader, 1, "x");
    guint hidden = 0;
    for (guint i = 0; i < points->len; i++)
      hidden += g_array_index (points, TsStoredPoint, i).hidden;
    g_assert_cmpuint (hidden, >, 1000);
    g_assert_cmpuint (hidden, <, 100000);
    check_many (reader, &seed, 150, exact);
    g_clear_pointer (&reader, ts_reader_close);
    ts_test_remove (folder);
  }
}

/* While it is being written: a part is unsealed, writers come and go, attempts begin. */
static void
test_live (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsRunInfo info = {.name = "r"};
  TsRunRef ref;
  guint64 seed = 7, values = 8;
  gint64 step = 0;
  TsWriter *writer = ts_test_writer (path);

  ref = ts_test_begin (writer, &info);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  for (guint round = 0; round < 30; round++) {
    if (round % 3 == 2) {
      step -= 500;
      if (round % 2) {
        ts_test_close (writer);
        writer = ts_test_writer (path);
      }
      TsRunRef again;
      g_assert_true (ts_writer_resume_run (writer, ref.uuid, step, &again, NULL));
      ref = again;
    }
    TsSink *sink = ts_writer_get_sink (writer, &ref);
    guint n = (guint) (ts_test_random (&seed) % 9000);
    for (guint i = 0; i < n; i++) {
      step++;
      ts_test_push (sink, "x", step, exact_bits (&values, step));
    }
    ts_test_flush (writer);
    check_many (reader, &seed, 10, TRUE);
  }
  ts_test_close (writer);
  check_many (reader, &seed, 50, TRUE);
  g_assert_cmpint (ts_test_number (path, "SELECT max(level) FROM lod"), ==, 2);
  ts_test_remove (folder);
}

/* --- What is in the file --- */

static void
check_row (sqlite3_stmt *q, const GArray *points)
{
  TsBucket buckets[TS_LOD_BUCKETS];
  guint level = (guint) sqlite3_column_int (q, 0);
  gint64 from = sqlite3_column_int64 (q, 1) * ts_lod_row_width (level);
  GError *error = NULL;

  ts_lod_decode (sqlite3_column_blob (q, 4), (gsize) sqlite3_column_bytes (q, 4),
                 (guint32) sqlite3_column_int64 (q, 3), level, sqlite3_column_int64 (q, 2), buckets,
                 &error);
  g_assert_no_error (error);
  for (guint i = 0; i < TS_LOD_BUCKETS; i++, from += ts_lod_width (level)) {
    TsEnvelopeColumn c = {from, from + ts_lod_width (level), 0, buckets[i]};
    check_column (&c, points, TRUE);
    /* Several attempts are not mistaken for one. */
    gboolean same = TRUE;
    gint32 first = g_array_index (points, TsStoredPoint, c.from_seq).attempt;
    for (gint64 seq = c.from_seq; same && seq < c.to_seq; seq++)
      same = g_array_index (points, TsStoredPoint, seq).attempt == first;
    g_assert_cmpint (buckets[i].attempt_id, ==, same ? first + 1 : 0);
  }
}

/* I12 and I13: the rows that lod_seq promises are there, and say what the points say. */
static void
check_file (const char *path, gint64 n)
{
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (GArray) points = ts_test_points (reader, 1, "x");
  gint64 covered = ts_test_number (path, "SELECT lod_seq FROM series");
  sqlite3 *db;
  sqlite3_stmt *q;
  gint64 rows = 0, wanted = 0;

  g_assert_cmpint (covered, ==, n - n % 4096);
  for (guint i = 0; i < points->len; i++)
    g_array_index (points, TsStoredPoint, i).hidden = FALSE;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT level, idx, n, crc, data FROM lod ORDER BY level, idx", -1, &q,
                      NULL);
  for (guint level = 1; level <= TS_LOD_LEVELS; level++)
    wanted += covered / ts_lod_row_width (level);
  for (; sqlite3_step (q) == SQLITE_ROW; rows++)
    check_row (q, points);
  g_assert_cmpint (rows, ==, wanted);
  sqlite3_finalize (q);
  sqlite3_close (db);
}

/* Attempts that take turns with a series: what one remembers of it is out of date. */
static void
test_turns (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsWriter *writer = ts_test_writer (path);
  g_autoptr (TsImport) import = ts_import_new (writer, NULL);
  TsImportRun *run = ts_import_add_run (import, "r", NULL);
  TsImportSeries *series[2];
  guint64 seed = 12;

  for (guint k = 0; k < 2; k++)
    series[k] = begin_attempt (import, run, k, 100000);
  for (gint64 i = 0; i < 50000; i++) {
    TsPoint point = {i % 3 * 60000, (gint64) ts_bits ((double) i), exact_bits (&seed, i)};
    ts_import_add_point (import, series[i / 5000 % 2], &point);
    if (i % 5000 == 4999)
      g_assert_true (ts_import_commit (import, NULL));
  }
  g_clear_pointer (&import, ts_import_free);
  ts_test_close (writer);
  check_file (path, 50000);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  check_many (reader, &seed, 50, TRUE);
  ts_test_remove (folder);
}

static void
expect_damage (const char *path)
{
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (TsEnvelopeColumn));
  g_autoptr (GError) error = NULL;

  g_assert_false (ts_reader_envelope (reader, 1, 0, G_MAXINT64, 10, columns, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
  g_assert_cmpuint (columns->len, ==, 0);
}

static void
resume_and_add (const char *path, gint64 n)
{
  TsWriter *writer = ts_test_writer (path);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (TsRun) run = ts_reader_find_run (reader, "r", NULL);
  TsRunRef ref;

  g_assert_true (ts_writer_resume_run (writer, run->uuid, G_MAXINT64, &ref, NULL));
  for (gint64 i = 0; i < n; i++)
    ts_test_push (ts_writer_get_sink (writer, &ref), "x", i, ts_bits (1));
  ts_test_close (writer);
}

/* Levels of detail are derived: without them all is as before, and a writer makes them anew. */
static void
test_derived (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  static const gint64 cuts[] = {5000, 70000};
  guint64 seed = 9;
  static const char *const losses[] = {"DELETE FROM lod WHERE level = 1 AND idx % 3 = 1",
                                       "DELETE FROM lod WHERE level = 2",
                                       "UPDATE series SET lod_seq = 0", "DELETE FROM lod"};
  gint64 n = 150000;

  import_points (path, n, cuts, 2, TRUE);
  check_file (path, n);
  for (guint i = 0; i < G_N_ELEMENTS (losses); i++) {
    ts_test_sql (path, losses[i]);
    g_autoptr (TsReader) reader = ts_test_reader (path);
    check_many (reader, &seed, 20, TRUE);
    resume_and_add (path, 3000);
    n += 3000;
    check_many (reader, &seed, 20, TRUE);
    if (i)
      check_file (path, n);
  }
  ts_test_sql (path, "UPDATE lod SET crc = crc + 1 WHERE level = 2");
  expect_damage (path);
  ts_test_sql (path, "UPDATE lod SET crc = crc - 1 WHERE level = 2;"
                     "UPDATE series SET lod_seq = 4096000000");
  g_autoptr (TsReader) reader = ts_test_reader (path);
  check_many (reader, &seed, 20, TRUE);
  resume_and_add (path, 1);
  check_file (path, n + 1);
  ts_test_remove (folder);
}

/* Damage to old points, which the levels would have to be made from, does not stop the writer. */
static void
test_damaged (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  GError *error = NULL;

  import_points (path, 20000, NULL, 0, TRUE);
  gint64 last = ts_test_number (path, "SELECT max(seq) FROM chunk WHERE seq < 10000");
  ts_test_sql (path, "UPDATE series SET lod_seq = 0; UPDATE chunk SET crc = crc + 1 WHERE seq ="
                     " (SELECT max(seq) FROM chunk WHERE seq < 10000)");
  resume_and_add (path, 9000);
  g_assert_cmpint (ts_test_number (path, "SELECT lod_seq FROM series"), ==, last - last % 4096);
  g_autoptr (TsReader) reader = ts_test_reader (path);
  ts_reader_read_points (reader, 1, 20000, G_MAXUINT, points, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (points->len, ==, 9000);
  expect_damage (path);
  ts_test_remove (folder);
}

/* --- Bytes --- */

static void
random_buckets (guint64 *seed, TsBucket *buckets)
{
  memset (buckets, 0, TS_LOD_BUCKETS * sizeof *buckets);
  for (guint i = 0; i < TS_LOD_BUCKETS; i++) {
    TsPoint points[64];
    for (guint k = 0; k < 64; k++)
      points[k] = (TsPoint){next_step (10 * i, seed), (gint64) (ts_test_random (seed) >> 20),
                            exact_bits (seed, 64 * i + k)};
    ts_bucket_add (&buckets[i], points, 64, TS_WALL_US, 1 + i / 40);
  }
}

static void
test_codec (void)
{
  TsBucket buckets[TS_LOD_BUCKETS], got[TS_LOD_BUCKETS];
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 seed = 10;
  GError *error = NULL;

  random_buckets (&seed, buckets);
  ts_lod_encode (bytes, 1, buckets);
  guint32 crc = ts_crc32c (bytes->data, bytes->len);
  memset (got, 0, sizeof got);
  ts_lod_decode (bytes->data, bytes->len, crc, 1, TS_LOD_BUCKETS, got, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (got, sizeof got, buckets, sizeof buckets);
  g_assert_false (ts_lod_decode (bytes->data, bytes->len, crc, 2, TS_LOD_BUCKETS, got, NULL));
  g_assert_false (ts_lod_decode (bytes->data, bytes->len, crc, 1, TS_LOD_BUCKETS - 1, got, NULL));
  for (guint i = 0; i < bytes->len; i++) {
    g_autofree guint8 *exact = g_memdup2 (bytes->data, bytes->len);
    g_autofree guint8 *shorter = g_memdup2 (bytes->data, MAX (i, 1));
    g_autoptr (GError) trouble = NULL;
    exact[i] ^= (guint8) (1 + ts_test_random (&seed) % 255);
    g_assert_false (ts_lod_decode (exact, bytes->len, crc, 1, TS_LOD_BUCKETS, got, &trouble));
    g_assert_error (trouble, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
    ts_lod_decode (exact, bytes->len, ts_crc32c (exact, bytes->len), 1, TS_LOD_BUCKETS, got, NULL);
    g_assert_false (
        ts_lod_decode (shorter, i, ts_crc32c (shorter, i), 1, TS_LOD_BUCKETS, got, NULL));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lod/codec", test_codec);
  g_test_add_func ("/lod/long", test_long);
  g_test_add_func ("/lod/attempts", test_attempts);
  g_test_add_func ("/lod/live", test_live);
  g_test_add_func ("/lod/turns", test_turns);
  g_test_add_func ("/lod/derived", test_derived);
  g_test_add_func ("/lod/damaged", test_damaged);
  return g_test_run ();
}
