/* SPDX-License-Identifier: MIT */
#include "data/store/crc32c.h"

#include <pthread.h>

static guint32 table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void
make_table (void)
{
  for (guint i = 0; i < 256; i++) {
    guint32 c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0x82f63b78u : c >> 1;
    table[0][i] = c;
  }
  for (guint i = 0; i < 256; i++)
    for (int k = 1; k < 8; k++)
      table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

/* Eight bytes at a time ("slicing by 8"). */
guint32
ts_crc32c_extend_table (guint32 crc, gconstpointer data, gsize size)
{
  const guint8 *p = data;
  guint32 c = ~crc;

  pthread_once (&table_once, make_table);
  for (; size >= 8; p += 8, size -= 8) {
    c ^= (guint32) p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
    c = table[7][c & 0xff] ^ table[6][c >> 8 & 0xff] ^ table[5][c >> 16 & 0xff] ^
        table[4][c >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
  }
  while (size--)
    c = c >> 8 ^ table[0][(c ^ *p++) & 0xff];
  return ~c;
}

#if defined(__x86_64__)

/* Three lanes of LANE bytes side by side: the instruction takes three cycles but can begin in each.  Then the
 * CRC of what lies before a lane is moved over it: that is linear, so it goes by a table for each byte. */
#define LANE 1024

static guint32 skip[4][256]; /* a CRC register over LANE zeros, by its bytes */
static pthread_once_t skip_once = PTHREAD_ONCE_INIT;

__attribute__ ((target ("sse4.2"))) static void
make_skip (void)
{
  for (guint k = 0; k < 4; k++)
    for (guint i = 0; i < 256; i++) {
      guint64 c = (guint64) i << 8 * k;
      for (guint n = 0; n < LANE / 8; n++)
        c = _mm_crc32_u64 (c, 0);
      skip[k][i] = (guint32) c;
    }
}

static guint32
skip_lane (guint32 c)
{
  return skip[0][c & 0xff] ^ skip[1][c >> 8 & 0xff] ^ skip[2][c >> 16 & 0xff] ^ skip[3][c >> 24];
}

__attribute__ ((target ("sse4.2"))) static guint32
extend_lanes (guint32 crc, const guint8 *p)
{
  guint64 a = ~crc, b = 0, c = 0, words[3];

  for (guint n = 0; n < LANE; n += 8) {
    memcpy (&words[0], p + n, 8);
    memcpy (&words[1], p + LANE + n, 8);
    memcpy (&words[2], p + 2 * LANE + n, 8);
    a = _mm_crc32_u64 (a, words[0]);
    b = _mm_crc32_u64 (b, words[1]);
    c = _mm_crc32_u64 (c, words[2]);
  }
  return ~(skip_lane (skip_lane ((guint32) a) ^ (guint32) b) ^ (guint32) c);
}

__attribute__ ((target ("sse4.2"))) static guint32
extend_sse42 (guint32 crc, const guint8 *p, gsize size)
{
  if (size >= 3 * LANE)
    pthread_once (&skip_once, make_skip);
  for (; size >= 3 * LANE; p += 3 * LANE, size -= 3 * LANE)
    crc = extend_lanes (crc, p);
  return ts_crc32c_sse42 (crc, p, size);
}
#endif

guint32
ts_crc32c_extend (guint32 crc, gconstpointer data, gsize size)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports ("sse4.2"))
    return extend_sse42 (crc, data, size);
#endif
  return ts_crc32c_extend_table (crc, data, size);
}

guint32
ts_crc32c (gconstpointer data, gsize size)
{
  return ts_crc32c_extend (0, data, size);
}
