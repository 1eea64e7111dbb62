/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include "data/store/chunk.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/flush.h"
#include "data/store/histogram.h"
#include "data/store/item.h"

/* The bytes inside the blobs: round trips, known answers, and damage. */

static void
test_crc32c (void)
{
  /* RFC 3720, appendix B.4, and the usual check value. */
  guint8 data[48];
  guint32 (*const sums[]) (guint32, gconstpointer, gsize) = {ts_crc32c_extend,
                                                             ts_crc32c_extend_table};

  for (guint k = 0; k < G_N_ELEMENTS (sums); k++) {
    g_assert_cmphex (sums[k](0, "", 0), ==, 0);
    g_assert_cmphex (sums[k](0, "123456789", 9), ==, 0xe3069283);
    memset (data, 0, sizeof data);
    g_assert_cmphex (sums[k](0, data, 32), ==, 0x8a9136aa);
    memset (data, 0xff, sizeof data);
    g_assert_cmphex (sums[k](0, data, 32), ==, 0x62a8ab43);
    for (guint i = 0; i < 32; i++)
      data[i] = (guint8) i;
    g_assert_cmphex (sums[k](0, data, 32), ==, 0x46dd794e);
    g_assert_cmphex (sums[k](sums[k](0, data, 13), data + 13, 19), ==, 0x46dd794e);
  }
  guint64 seed = 5;
  for (guint n = 0; n < sizeof data; n++) {
    data[n] = (guint8) ts_test_random (&seed);
    for (guint from = 0; from <= n; from++)
      g_assert_cmphex (ts_crc32c (data + from, n + 1 - from), ==,
                       ts_crc32c_extend_table (0, data + from, n + 1 - from));
  }
}

static void
test_narrow (void)
{
  static const struct {
    guint64 bits;
    gboolean fits;
    guint32 narrow;
  } known[] = {
      {0x0000000000000000, TRUE, 0x00000000}, {0x8000000000000000, TRUE, 0x80000000},
      {0x3ff0000000000000, TRUE, 0x3f800000}, {0x3ff0000000000001, FALSE, 0},
      {0x36a0000000000000, TRUE, 0x00000001}, {0x3690000000000000, FALSE, 0},
      {0x380fffffc0000000, TRUE, 0x007fffff}, {0x3810000000000000, TRUE, 0x00800000},
      {0x47efffffe0000000, TRUE, 0x7f7fffff}, {0x47f0000000000000, FALSE, 0},
      {0x7ff0000000000000, TRUE, 0x7f800000}, {0x7ff8000000000000, TRUE, 0x7fc00000},
      {0x7ff8000000000001, FALSE, 0},         {0xfff4000020000000, TRUE, 0xffa00001},
      {0x7ff0000000000001, FALSE, 0},
  };
  guint64 seed = 3;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    guint32 narrow = 0;
    g_assert_cmpint (ts_bits_narrow (known[i].bits, &narrow), ==, known[i].fits);
    if (known[i].fits)
      g_assert_cmphex (narrow, ==, known[i].narrow);
  }
  /* As the processor does it, quiet NaNs included. */
  for (guint i = 0; i < 200000; i++) {
    guint32 bits = (guint32) ts_test_random (&seed), back = 0;
    float f;
    memcpy (&f, &bits, sizeof f);
    if ((bits & 0x7f800000) == 0x7f800000 && bits & 0x7fffff)
      bits |= 0x400000;
    g_assert_cmphex (ts_bits_widen (bits), ==, ts_bits ((double) f));
    g_assert_true (ts_bits_narrow (ts_bits_widen (bits), &back));
    g_assert_cmphex (back, ==, bits);
  }
}

static gint64
random_number (guint64 *seed)
{
  return (gint64) (ts_test_random (seed) >> ts_test_random (seed) % 64);
}

static void
random_points (guint64 *seed, TsPoint *points, guint n, gboolean narrow)
{
  gint64 step = random_number (seed);

  for (guint i = 0; i < n; i++) {
    step = ts_test_random (seed) % 8 ? (gint64) ((guint64) step + 1) : random_number (seed);
    points[i].step = ts_test_random (seed) % 50 ? step : G_MININT64;
    points[i].wall = ts_test_random (seed) % 50 ? random_number (seed) : G_MAXINT64;
    points[i].bits = narrow ? ts_bits_widen ((guint32) ts_test_random (seed)) : ts_test_bits (seed);
  }
}

#define GROUPS 5
#define POINTS 40

typedef struct {
  gint64 series_id[GROUPS], seq[GROUPS];
  TsWallKind wall[GROUPS];
  guint n[GROUPS];
  TsPoint points[GROUPS][POINTS];
  guint groups, seen;
} Row;

static gboolean
check_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
             gpointer data, GError **error)
{
  Row *row = data;
  guint i = row->seen++;

  g_assert_cmpuint (i, <, row->groups);
  g_assert_cmpint (series_id, ==, row->series_id[i]);
  g_assert_cmpint (seq, ==, row->seq[i]);
  g_assert_cmpint (wall, ==, row->wall[i]);
  g_assert_cmpmem (points, n * sizeof *points, row->points[i], row->n[i] * sizeof *points);
  return TRUE;
}

static void
random_row (guint64 *seed, Row *row, GByteArray *bytes)
{
  row->groups = (guint) (ts_test_random (seed) % (GROUPS + 1));
  row->seen = 0;
  g_byte_array_set_size (bytes, 0);
  ts_flush_begin (bytes);
  for (guint g = 0; g < row->groups; g++) {
    row->series_id[g] = random_number (seed) & G_MAXINT64;
    row->seq[g] = random_number (seed) & (G_MAXINT64 >> 1);
    row->wall[g] = ts_test_random (seed) % 2 ? TS_WALL_US : TS_WALL_SECONDS;
    row->n[g] = 1 + (guint) (ts_test_random (seed) % POINTS);
    random_points (seed, row->points[g], row->n[g], ts_test_random (seed) % 2);
    ts_flush_add (bytes, row->series_id[g], row->seq[g], row->wall[g], row->points[g], row->n[g]);
  }
}

static gboolean
ignore_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
              gpointer data, GError **error)
{
  return TRUE;
}

static void
test_flush (void)
{
  guint64 seed = 17;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GError *error = NULL;

  for (guint round = 0; round < 300; round++) {
    Row row;
    random_row (&seed, &row, bytes);
    ts_flush_decode (bytes->data, bytes->len, ts_crc32c (bytes->data, bytes->len), check_group,
                     &row, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (row.seen, ==, row.groups);
  }
}

/* Damage is found by the checksum; and where the checksum was made to fit, no byte is read beyond
 * the end (the sanitizers watch). */
static void
test_flush_damage (void)
{
  guint64 seed = 23;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint round = 0; round < 20; round++) {
    Row row;
    random_row (&seed, &row, bytes);
    guint32 crc = ts_crc32c (bytes->data, bytes->len);
    for (guint i = 0; i < bytes->len; i++) {
      g_autofree guint8 *exact = g_memdup2 (bytes->data, bytes->len);
      g_autoptr (GError) error = NULL, cut = NULL;
      exact[i] ^= (guint8) (1 + ts_test_random (&seed) % 255);
      g_assert_false (ts_flush_decode (exact, bytes->len, crc, ignore_group, NULL, &error));
      g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
      ts_flush_decode (exact, bytes->len, ts_crc32c (exact, bytes->len), ignore_group, NULL, NULL);
      g_autofree guint8 *shorter = g_memdup2 (bytes->data, MAX (i, 1));
      g_assert_false (ts_flush_decode (shorter, i, crc, ignore_group, NULL, &cut));
      ts_flush_decode (shorter, i, ts_crc32c (shorter, i), ignore_group, NULL, NULL);
    }
  }
}

static void
test_chunk (void)
{
  guint64 seed = 29;
  static const guint sizes[] = {1, 2, 7, 4096};
  g_autofree TsPoint *points = g_new (TsPoint, 4096);

  for (guint round = 0; round < 16; round++) {
    guint n = sizes[round % 4];
    TsWallKind wall = round / 4 % 2 ? TS_WALL_SECONDS : TS_WALL_US, got_wall;
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (TsPoint));
    GError *error = NULL;
    random_points (&seed, points, n, round / 8);
    int codec = ts_chunk_encode (bytes, wall, points, n);
    gboolean narrow = TRUE;
    guint32 f;
    for (guint i = 0; i < n; i++)
      narrow = narrow && ts_bits_narrow (points[i].bits, &f);
    g_assert_cmpuint (bytes->len, ==, 8 + n * (narrow ? 20 : 24));
    ts_chunk_decode (bytes->data, bytes->len, ts_crc32c (bytes->data, bytes->len), codec, n, got,
                     &got_wall, &error);
    g_assert_no_error (error);
    g_assert_cmpmem (got->data, got->len * sizeof *points, points, n * sizeof *points);
    g_assert_cmpint (got_wall, ==, wall);
  }
}

static void
expect_bad_chunk (const guint8 *data, gsize size, guint32 crc, gint64 codec, gint64 n)
{
  g_autofree guint8 *exact = g_memdup2 (data, MAX (size, 1));
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  g_autoptr (GError) error = NULL;
  TsWallKind wall;

  g_assert_false (ts_chunk_decode (exact, size, crc, codec, n, got, &wall, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
  g_assert_cmpuint (got->len, ==, 0);
}

static void
test_chunk_damage (void)
{
  guint64 seed = 31;
  TsPoint points[9];
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  random_points (&seed, points, 9, FALSE);
  int codec = ts_chunk_encode (bytes, TS_WALL_US, points, 9);
  guint32 crc = ts_crc32c (bytes->data, bytes->len);
  for (guint i = 0; i < bytes->len; i++) {
    for (guint bit = 0; bit < 8; bit++) {
      bytes->data[i] ^= (guint8) (1u << bit);
      expect_bad_chunk (bytes->data, bytes->len, crc, codec, 9);
      /* A head that lies with a checksum that fits. */
      if (i < 8 && i != 2)
        expect_bad_chunk (bytes->data, bytes->len, ts_crc32c (bytes->data, bytes->len), codec, 9);
      bytes->data[i] ^= (guint8) (1u << bit);
    }
    expect_bad_chunk (bytes->data, i, ts_crc32c (bytes->data, i), codec, 9);
  }
  expect_bad_chunk (bytes->data, bytes->len, crc, codec, 8);
  expect_bad_chunk (bytes->data, bytes->len, crc, codec + 1, 9);
  expect_bad_chunk (bytes->data, bytes->len, crc ^ 1, codec, 9);
}

static void
test_histogram (void)
{
  TsHistogram h = {.min = -1, .max = 3, .sum = 7, .sum_squares = 9, .count = 5, .n = 2}, got;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GError *error = NULL;

  h.left[1] = h.right[0] = -0.0;
  h.bucket[1] = 5;
  ts_histogram_encode (bytes, &h);
  ts_histogram_decode (bytes->data, bytes->len, &got, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (&got, sizeof got, &h, sizeof h);
  for (guint i = 0; i < bytes->len; i++) {
    bytes->data[i] ^= 0x40;
    gboolean ok = ts_histogram_decode (bytes->data, bytes->len, &got, NULL);
    g_assert_cmpint (ok, ==, i >= 8); /* codec and number of buckets */
    bytes->data[i] ^= 0x40;
    g_autofree guint8 *shorter = g_memdup2 (bytes->data, MAX (i, 1));
    g_assert_false (ts_histogram_decode (shorter, i, &got, NULL));
  }
}

/* Buckets of event files: exact when they come back, and fit to draw. */
static void
test_buckets (void)
{
  double rows[3 * 100];
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree double *got_rows = NULL;
  TsBuckets got, b = {TS_BUCKETS_LIMITS, -2, 98, 7, 9, 4950, 100, rows};
  GError *error = NULL;
  TsHistogram h;
  double total = 0;

  for (guint i = 0; i < 100; i++) {
    rows[3 * i] = i ? (double) i - 1 : -DBL_MAX;
    rows[3 * i + 1] = i == 99 ? DBL_MAX : (double) i;
    rows[3 * i + 2] = i;
  }
  ts_buckets_encode (bytes, &b);
  ts_buckets_decode (bytes->data, bytes->len, &got, &got_rows, &error);
  g_assert_no_error (error);
  g_assert_cmpint (got.form, ==, b.form);
  g_assert_cmpfloat (got.sum_squares, ==, 9);
  g_assert_cmpmem (got.rows, 3 * 8 * got.n, rows, sizeof rows);
  for (guint i = 0; i < bytes->len; i += 5) {
    double *cut = NULL;
    g_assert_false (ts_buckets_decode (bytes->data, i, &got, &cut, NULL));
    g_assert_null (cut);
  }
  ts_buckets_reduce (&b, &h);
  g_assert_cmpint (h.n, ==, TS_HISTOGRAM_BUCKETS);
  g_assert_cmpfloat (h.left[0], ==, 0); /* the first one with anything in it */
  g_assert_cmpfloat (h.right[h.n - 1], ==, 98);
  for (guint i = 0; i < h.n; i++)
    total += h.bucket[i];
  g_assert_cmpfloat_with_epsilon (total, 4950, 1e-9);
  b.n = 0;
  ts_buckets_reduce (&b, &h);
  g_assert_cmpint (h.n, ==, 0);
}

static void
take_string (guint index, const guint8 *bytes, gsize size, gpointer data)
{
  g_string_append_len (data, (const char *) bytes, (gssize) size);
  g_string_append_c (data, '|');
}

static void
test_strings (void)
{
  const gint64 shape[] = {3, 1};
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  guint rank;
  gint64 dim[TS_STRINGS_RANK_MAX];

  ts_strings_begin (bytes, 2, shape);
  ts_strings_add (bytes, "a\0b", 3);
  ts_strings_add (bytes, NULL, 0);
  ts_strings_add (bytes, "\xff", 1);
  g_assert_true (ts_strings_decode (bytes->data, bytes->len, &rank, dim, take_string, text));
  g_assert_cmpmem (text->str, text->len, "a\0b||\xff|", 7);
  g_assert_cmpint (rank, ==, 2);
  g_assert_cmpmem (dim, sizeof shape, shape, sizeof shape);
  for (guint i = 0; i < bytes->len; i++)
    g_assert_false (ts_strings_decode (bytes->data, i, &rank, dim, take_string, text));
  for (guint i = 0; i < bytes->len; i++) { /* a number that lies never leads astray */
    bytes->data[i] ^= 0xff;
    ts_strings_decode (bytes->data, bytes->len, &rank, dim, take_string, text);
    bytes->data[i] ^= 0xff;
  }
}

static void
test_wall (void)
{
  g_assert_cmpint (ts_wall_us (-5, TS_WALL_US), ==, -5);
  g_assert_cmpint (ts_wall_us ((gint64) ts_bits (1.5), TS_WALL_SECONDS), ==, 1500000);
  g_assert_cmpint (ts_wall_us ((gint64) 0x7ff8000000000000, TS_WALL_SECONDS), ==, 0);
  g_assert_cmpint (ts_wall_us ((gint64) ts_bits (1e300), TS_WALL_SECONDS), ==, G_MAXINT64);
  g_assert_cmpint (ts_wall_us ((gint64) 0xfff0000000000000, TS_WALL_SECONDS), ==, G_MININT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/codec/crc32c", test_crc32c);
  g_test_add_func ("/codec/narrow", test_narrow);
  g_test_add_func ("/codec/flush", test_flush);
  g_test_add_func ("/codec/flush-damage", test_flush_damage);
  g_test_add_func ("/codec/chunk", test_chunk);
  g_test_add_func ("/codec/chunk-damage", test_chunk_damage);
  g_test_add_func ("/codec/histogram", test_histogram);
  g_test_add_func ("/codec/buckets", test_buckets);
  g_test_add_func ("/codec/strings", test_strings);
  g_test_add_func ("/codec/wall", test_wall);
  return g_test_run ();
}
