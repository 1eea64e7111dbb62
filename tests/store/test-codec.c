/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include "data/store/chunk.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/flush.h"
#include "data/store/histogram.h"
#include "data/store/item.h"
#include "data/store/pack.h"

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

/* Long enough for lanes: one short of them, just so long, several and a rest. */
static void
test_crc32c_long (void)
{
  static const gsize sizes[] = {3071, 3072, 3073, 6143, 6144, 9217, 20000};
  g_autofree guint8 *data = g_malloc (20000);
  guint64 seed = 6;

  for (guint i = 0; i < 20000; i++)
    data[i] = (guint8) ts_test_random (&seed);
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (guint from = 0; from < 3; from++) {
      guint32 start = (guint32) ts_test_random (&seed);
      gsize n = sizes[k] - from;
      g_assert_cmphex (ts_crc32c_extend (start, data + from, n), ==,
                       ts_crc32c_extend_table (start, data + from, n));
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
  TsFlush flush;
  ts_flush_begin (&flush, bytes);
  for (guint g = 0; g < row->groups; g++) {
    row->series_id[g] = random_number (seed) & G_MAXINT64;
    row->seq[g] = random_number (seed) & (G_MAXINT64 >> 1);
    row->wall[g] = ts_test_random (seed) % 2 ? TS_WALL_US : TS_WALL_SECONDS;
    row->n[g] = 1 + (guint) (ts_test_random (seed) % POINTS);
    random_points (seed, row->points[g], row->n[g], ts_test_random (seed) % 2);
    if (g && ts_test_random (seed) % 2) { /* recorded together, or nearly so */
      row->wall[g] = ts_test_random (seed) % 8 ? row->wall[g - 1] : TS_WALL_US;
      row->n[g] = row->n[g - 1];
      for (guint i = 0; i < row->n[g]; i++) {
        row->points[g][i].step = row->points[g - 1][i].step;
        row->points[g][i].wall = row->points[g - 1][i].wall;
        row->points[g][i].bits = ts_test_bits (seed);
      }
      row->points[g][0].step ^= ts_test_random (seed) % 8 == 0;
      row->points[g][row->n[g] - 1].wall ^= ts_test_random (seed) % 8 == 0;
    }
    ts_flush_add (&flush, row->series_id[g], row->seq[g], row->wall[g], row->points[g], row->n[g]);
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
/* Only the times of a group that was there, as long and of the same kind, can be shared. */
static void
test_flush_shared (void)
{
  static const struct {
    guint8 second[4]; /* series 1, seq 2, n, flags */
    gboolean good;
  } cases[] = {
      {{1, 2, 2, 5}, TRUE}, {{1, 2, 1, 5}, FALSE}, {{1, 2, 2, 7}, FALSE}, {{1, 2, 2, 13}, FALSE}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint8 bytes[] = {1, 1, 0, 2, 1, 2, 4, 2, 4, 0, 0, 0, 0, 0, 0,
                      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    memcpy (bytes + 17, cases[i].second, 4);
    gsize size = 21 + 4 * (gsize) cases[i].second[2];
    g_assert_cmpint (
        ts_flush_decode (bytes, size, ts_crc32c (bytes, size), ignore_group, NULL, NULL), ==,
        cases[i].good);
    bytes[4] |= 4; /* the first one cannot */
    g_assert_false (
        ts_flush_decode (bytes, size, ts_crc32c (bytes, size), ignore_group, NULL, NULL));
  }
}

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

/* Encodes, decodes, compares; returns the codec. */
static int
round_trip (TsWallKind wall, const TsPoint *points, guint n, GByteArray *bytes)
{
  TsWallKind got_wall;
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  GError *error = NULL;

  g_byte_array_set_size (bytes, 0);
  int codec = ts_chunk_encode (bytes, wall, points, n);
  g_assert_cmpint (codec, ==, bytes->data[0]);
  ts_chunk_decode (bytes->data, bytes->len, ts_crc32c (bytes->data, bytes->len), codec, n, got,
                   &got_wall, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (got->data, got->len * sizeof *points, points, n * sizeof *points);
  g_assert_cmpint (got_wall, ==, wall);
  return codec;
}

static void
test_chunk (void)
{
  guint64 seed = 29;
  static const guint sizes[] = {1, 2, 7, 127, 128, 129, 130, 257, 4096, 65536};
  g_autofree TsPoint *points = g_new (TsPoint, 65536);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint plain = 0;

  for (guint round = 0; round < 40; round++) {
    guint n = sizes[round % 10];
    gboolean narrow = TRUE;
    guint32 f;
    random_points (&seed, points, n, round / 20);
    int codec = round_trip (round / 10 % 2 ? TS_WALL_SECONDS : TS_WALL_US, points, n, bytes);
    for (guint i = 0; i < n; i++)
      narrow = narrow && ts_bits_narrow (points[i].bits, &f);
    plain += codec == TS_CHUNK_PLAIN;
    g_assert_cmpuint (bytes->len, <=, 8 + n * (narrow ? 20 : 24));
    if (codec == TS_CHUNK_PLAIN)
      g_assert_cmpuint (bytes->len, ==, 8 + n * (narrow ? 20 : 24));
  }
  g_assert_cmpuint (plain, >, 0);
  g_assert_cmpuint (plain, <, 40);
}

/* Differences of every width, up to the ends of the range and around them. */
static void
test_chunk_widths (void)
{
  guint64 seed = 37;
  TsPoint points[300];
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint width = 0; width <= 64; width++) {
    guint64 mask = width == 64 ? ~0ull : (1ull << width) - 1;
    guint64 step = ts_test_random (&seed), wall = (guint64) G_MAXINT64 - 5;
    for (guint i = 0; i < 300; i++) {
      step += ts_test_random (&seed) & mask;
      wall -= ts_test_random (&seed) & mask;
      points[i] = (TsPoint){(gint64) step, (gint64) wall, ts_bits (i)};
    }
    round_trip (TS_WALL_US, points, 300, bytes);
    if (width == 0) /* a constant stride takes no bits */
      g_assert_cmpuint (bytes->len, <, 70);
    for (guint i = 0; i < 300; i++)
      points[i].step = i % 2 ? G_MAXINT64 - (gint64) (i & mask) : G_MININT64 + (gint64) (i & mask);
    round_trip (TS_WALL_SECONDS, points, 300, bytes);
  }
}

/* --- Values --- */

static guint64
share_bits (guint64 *seed, guint i)
{
  return ts_bits ((double) (ts_test_random (seed) % 1000) / 1024);
}

static guint64
index_bits (guint64 *seed, guint i)
{
  return ts_bits ((double) i * 0x1p-1074); /* denormals, a constant stride */
}

static guint64
noise_bits (guint64 *seed, guint i)
{
  return ts_test_random (seed);
}

static guint64
narrow_bits (guint64 *seed, guint i)
{
  return ts_bits_widen ((guint32) ts_test_random (seed));
}

static guint64
payload_bits (guint64 *seed, guint i)
{
  return 0x7ff4000000000003;
}

static guint64
stairs_bits (guint64 *seed, guint i)
{
  return i / 20 % 2 ? 0x8000000000000000 : ts_bits (0.1); /* -0.0 is no whole number */
}

static guint64
widest_bits (guint64 *seed, guint i)
{
  guint64 odd = (1ull << 53) - 1 - (ts_test_random (seed) & 0xfffe);

  return ts_bits ((i % 2 ? -1.0 : 1.0) * (double) odd * 0x1p900);
}

static guint64
greatest_bits (guint64 *seed, guint i)
{
  return 0x7fefffffffffffff - (ts_test_random (seed) & 0xff);
}

static const struct {
  guint64 (*bits) (guint64 *seed, guint i);
  TsPackForm form;
} value_cases[] = {{noise_bits, TS_PACK_WIDE},       {narrow_bits, TS_PACK_NARROW},
                   {payload_bits, TS_PACK_CONSTANT}, {share_bits, TS_PACK_SCALED},
                   {index_bits, TS_PACK_RISING},     {stairs_bits, TS_PACK_XOR},
                   {widest_bits, TS_PACK_SCALED},    {greatest_bits, TS_PACK_SCALED}};

static void
test_values (void)
{
  guint64 bits[300], got[300], seed = 41;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint k = 0; k < G_N_ELEMENTS (value_cases); k++) {
    for (guint i = 0; i < 300; i++)
      bits[i] = value_cases[k].bits (&seed, i);
    g_byte_array_set_size (bytes, 0);
    g_assert_cmpint (ts_pack_put_values (bytes, bits, 300), ==, value_cases[k].form);
    TsCursor c = {bytes->data, bytes->data + bytes->len, FALSE};
    g_assert_true (ts_pack_get_values (&c, got, 300));
    g_assert_true (c.at == c.end);
    g_assert_cmpmem (got, sizeof got, bits, sizeof bits);
  }
  /* Any mixture of values, near each other in many ways. */
  for (guint round = 0; round < 3000; round++) {
    guint n = 1 + (guint) (ts_test_random (&seed) % 300),
          keep = (guint) (ts_test_random (&seed) % 64);
    guint64 centre = ts_test_bits (&seed);
    for (guint i = 0; i < n; i++)
      bits[i] = ts_test_random (&seed) % 40 || round % 2 ? centre ^ ts_test_random (&seed) >> keep
                                                         : ts_test_bits (&seed);
    g_byte_array_set_size (bytes, 0);
    ts_pack_put_values (bytes, bits, n);
    g_assert_cmpuint (bytes->len, <=, 1 + 8 * n);
    TsCursor c = {bytes->data, bytes->data + bytes->len, FALSE};
    g_assert_true (ts_pack_get_values (&c, got, n));
    g_assert_cmpmem (got, n * sizeof *got, bits, n * sizeof *got);
  }
}

static gboolean
gets (const GByteArray *bytes, guint n)
{
  g_autofree guint8 *exact = g_memdup2 (bytes->data, bytes->len);
  g_autofree guint64 *bits = g_new (guint64, n);
  TsCursor c = {exact, exact + bytes->len, FALSE};

  return ts_pack_get_values (&c, bits, n);
}

/* What docs/run-file.md rules out, however long the bytes are. */
static void
test_values_refused (void)
{
  for (guint bad = 0; bad < 2; bad++) {
    static const gint64 scales[] = {-1074, -1022, 0, 969, 970, 971};
    for (guint i = 0; i < G_N_ELEMENTS (scales); i++) {
      g_autoptr (GByteArray) large = g_byte_array_new ();
      ts_put_u8 (large, TS_PACK_SCALED);
      ts_put_zigzag (large, (guint64) scales[i]);
      ts_put_zigzag (large, (1ull << 53) - 2);
      ts_pack_put_list (large, (guint64[]){0, 1 + bad}, 2);
      g_assert_cmpint (gets (large, 2), ==, !bad);
    }
    g_autoptr (GByteArray) list = g_byte_array_new (), span = g_byte_array_new ();
    ts_put_u8 (list, TS_PACK_SCALED);
    ts_put_zigzag (list, 0);
    ts_put_zigzag (list, 0);
    ts_put_u8 (list, bad ? 65 : 0);
    guint at = list->len;
    g_byte_array_set_size (list, 5000);
    memset (list->data + at, 0, 5000 - at);
    g_assert_cmpint (gets (list, 128), ==, !bad);
    list->data[at - 1] = bad ? 255 : 1;
    g_assert_cmpint (gets (list, 128), ==, !bad);
    /* Bits 1, 1, then from bit 32 on 32 or 33 of them. */
    ts_put_u8 (span, TS_PACK_XOR);
    ts_put_u64 (span, 0);
    ts_put_u64 (span, 3 | 32 << 2 | (guint64) (31 + bad) << 8);
    g_assert_cmpint (gets (span, 2), ==, !bad);
  }
  g_autoptr (GByteArray) first = g_byte_array_new ();
  ts_put_u8 (first, TS_PACK_XOR);
  ts_put_u64 (first, 0);
  ts_put_u64 (first, 1); /* the span before, of which there is none */
  g_assert_false (gets (first, 2));
}

/* --- Damage --- */

static gboolean
decode_exact (const guint8 *data, gsize size, guint32 crc, gint64 codec, gint64 n, GError **error)
{
  g_autofree guint8 *exact = g_memdup2 (data, MAX (size, 1));
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  TsWallKind wall;
  gboolean ok = ts_chunk_decode (exact, size, crc, codec, n, got, &wall, error);

  g_assert_cmpuint (got->len, ==, ok ? n : 0);
  return ok;
}

static void
expect_bad_chunk (const guint8 *data, gsize size, guint32 crc, gint64 codec, gint64 n)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (decode_exact (data, size, crc, codec, n, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
}

/* Every byte changed in three ways, every truncation; also with a checksum that fits. */
static void
damage (const TsPoint *points, guint n, int want_codec)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  int codec = ts_chunk_encode (bytes, TS_WALL_US, points, n);
  guint32 crc = ts_crc32c (bytes->data, bytes->len);
  static const guint8 changes[] = {0x01, 0x80, 0xff};

  g_assert_cmpint (codec, ==, want_codec);
  for (guint i = 0; i < bytes->len; i++) {
    for (guint k = 0; k < G_N_ELEMENTS (changes); k++) {
      bytes->data[i] ^= changes[k];
      guint32 fits = ts_crc32c (bytes->data, bytes->len);
      expect_bad_chunk (bytes->data, bytes->len, crc, codec, n);
      decode_exact (bytes->data, bytes->len, fits, codec, n, NULL);
      if (i < 8 && i != 2) /* a head that lies */
        expect_bad_chunk (bytes->data, bytes->len, fits, codec, n);
      bytes->data[i] ^= changes[k];
    }
    expect_bad_chunk (bytes->data, i, ts_crc32c (bytes->data, i), codec, n);
  }
  ts_put_u8 (bytes, 0);
  expect_bad_chunk (bytes->data, bytes->len, ts_crc32c (bytes->data, bytes->len), codec, n);
  g_byte_array_set_size (bytes, bytes->len - 1);
  expect_bad_chunk (bytes->data, bytes->len, crc, codec, n - 1);
  expect_bad_chunk (bytes->data, bytes->len, crc, codec + 1, n);
  expect_bad_chunk (bytes->data, bytes->len, crc ^ 1, codec, n);
}

static void
test_chunk_damage (void)
{
  guint64 seed = 31;
  TsPoint points[150];

  for (guint i = 0; i < 9; i++)
    points[i] = (TsPoint){(gint64) ts_test_random (&seed), (gint64) ts_test_random (&seed),
                          ts_test_random (&seed)};
  damage (points, 9, TS_CHUNK_PLAIN);
  for (guint k = 0; k < G_N_ELEMENTS (value_cases); k++) {
    for (guint i = 0; i < 150; i++)
      points[i] = (TsPoint){10 * i, 1700000000000000 + (gint64) (ts_test_random (&seed) % 2000),
                            value_cases[k].bits (&seed, i)};
    damage (points, 150, TS_CHUNK_PACKED);
  }
}

/* Bytes that nobody wrote, behind a head and a checksum that fit. */
static void
test_chunk_noise (void)
{
  guint64 seed = 43;
  guint decoded = 0;

  for (guint round = 0; round < 20000; round++) {
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    guint n = 1 + (guint) (ts_test_random (&seed) % 200),
          size = 8 + (guint) (ts_test_random (&seed) % 60);
    for (guint i = 0; i < size; i++)
      ts_put_u8 (bytes, (guint8) (ts_test_random (&seed) >> ts_test_random (&seed) % 8));
    memcpy (bytes->data, (guint8[8]){2, 0, 0, 0, (guint8) n}, 8);
    decoded +=
        decode_exact (bytes->data, size, ts_crc32c (bytes->data, size), TS_CHUNK_PACKED, n, NULL);
  }
  g_assert_cmpuint (decoded, <, 20000);
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
  g_test_add_func ("/codec/crc32c-long", test_crc32c_long);
  g_test_add_func ("/codec/narrow", test_narrow);
  g_test_add_func ("/codec/flush", test_flush);
  g_test_add_func ("/codec/flush-shared", test_flush_shared);
  g_test_add_func ("/codec/flush-damage", test_flush_damage);
  g_test_add_func ("/codec/chunk", test_chunk);
  g_test_add_func ("/codec/chunk-widths", test_chunk_widths);
  g_test_add_func ("/codec/values", test_values);
  g_test_add_func ("/codec/values-refused", test_values_refused);
  g_test_add_func ("/codec/chunk-damage", test_chunk_damage);
  g_test_add_func ("/codec/chunk-noise", test_chunk_noise);
  g_test_add_func ("/codec/histogram", test_histogram);
  g_test_add_func ("/codec/buckets", test_buckets);
  g_test_add_func ("/codec/strings", test_strings);
  g_test_add_func ("/codec/wall", test_wall);
  return g_test_run ();
}
