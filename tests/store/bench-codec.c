/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <math.h>
#include <stdio.h>

#include "data/store/chunk.h"
#include "data/store/crc32c.h"

/* Bytes and time per point of chunks, one JSON line for each kind of signal; medians of ROUNDS.  Wall
 * times come about every 10 ms with 2 ms of jitter, and every 1000 points there is a pause. */

#define ROUNDS 7
#define CHUNKS 100
#define POINTS (CHUNKS * TS_CHUNK_POINTS)

static double
uniform (guint64 *seed)
{
  return (double) (ts_test_random (seed) >> 11) * 0x1p-53;
}

static double
signal_at (guint kind, gint64 i, guint64 *seed)
{
  switch (kind) {
  case 0:
    return (float) (2 * exp (-1e-6 * (double) i) + 0.1 * uniform (seed));
  case 1:
    return 1e-3 * 0.5 * (1 + cos ((double) i * 1e-6));
  case 2:
    return 0.1;
  case 3:
    return (double) (i / 100);
  case 4:
    return 2 * exp (-1e-6 * (double) i) + 0.1 * uniform (seed);
  case 5:
    return i % 17 == 3 ? NAN : i % 1001 == 5 ? INFINITY : (float) uniform (seed);
  default:
    return (double) (ts_test_random (seed) % 10000) / 10000;
  }
}

static const char *const names[] = {
    "noisy f32 loss", "smooth f64 learning rate",  "constant f64",       "integer counter",
    "noisy f64 loss", "f32 with NaN and infinity", "f64 share of 10,000"};

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

static void
measure (guint kind, TsPoint *points, GArray *got, double *encode, double *decode, gsize *bytes)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();

  *encode = *decode = 0;
  *bytes = 0;
  for (guint i = 0; i < POINTS; i += TS_CHUNK_POINTS) {
    TsWallKind wall;
    g_byte_array_set_size (out, 0);
    g_array_set_size (got, 0);
    double begin = now ();
    int codec = ts_chunk_encode (out, TS_WALL_US, points + i, TS_CHUNK_POINTS);
    guint32 crc = ts_crc32c (out->data, out->len);
    double middle = now ();
    g_assert_true (
        ts_chunk_decode (out->data, out->len, crc, codec, TS_CHUNK_POINTS, got, &wall, NULL));
    *decode += now () - middle;
    *encode += middle - begin;
    *bytes += out->len;
    g_assert_cmpmem (got->data, got->len * sizeof (TsPoint), points + i,
                     TS_CHUNK_POINTS * sizeof (TsPoint));
  }
}

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

int
main (void)
{
  g_autofree TsPoint *points = g_new (TsPoint, POINTS);
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (TsPoint));

  for (guint kind = 0; kind < G_N_ELEMENTS (names); kind++) {
    guint64 seed = 1234567;
    gint64 wall = 1700000000000000;
    double encode[ROUNDS], decode[ROUNDS];
    gsize bytes;
    for (gint64 i = 0; i < POINTS; i++) {
      wall += 9000 + (gint64) (ts_test_random (&seed) % 2000) + (i % 1000 == 999 ? 2500000 : 0);
      points[i] = (TsPoint){i * 10, wall, ts_bits (signal_at (kind, i, &seed))};
    }
    for (guint i = 0; i < ROUNDS; i++)
      measure (kind, points, got, &encode[i], &decode[i], &bytes);
    qsort (encode, ROUNDS, sizeof *encode, by_size);
    qsort (decode, ROUNDS, sizeof *decode, by_size);
    printf ("{\"signal\":\"%s\",\"bytes_per_point\":%.3f,\"encode_mpoints_per_s\":%.1f,"
            "\"decode_mpoints_per_s\":%.1f}\n",
            names[kind], (double) bytes / POINTS, POINTS / encode[ROUNDS / 2] / 1e6,
            POINTS / decode[ROUNDS / 2] / 1e6);
  }
  return 0;
}
