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
__attribute__ ((target ("sse4.2"))) static guint32
extend_sse42 (guint32 crc, const guint8 *p, gsize size)
{
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
