/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

G_BEGIN_DECLS

/* CRC-32C (Castagnoli, reflected polynomial 0x82f63b78, as in iSCSI and TensorBoard's files).  Uses
 * the processor's instruction where it has one.  Thread-safe. */
guint32 ts_crc32c (gconstpointer data, gsize size);

/* Continues: ts_crc32c_extend (ts_crc32c (a), b) is the CRC of a followed by b. */
guint32 ts_crc32c_extend (guint32 crc, gconstpointer data, gsize size);

/* The same by table alone; for tests. */
guint32 ts_crc32c_extend_table (guint32 crc, gconstpointer data, gsize size);

#if defined(__x86_64__)
/* ts_crc32c_extend inside of a function for processors with SSE 4.2 (__builtin_cpu_supports tells). */
__attribute__ ((target ("sse4.2"), always_inline)) static inline guint32
ts_crc32c_sse42 (guint32 crc, const guint8 *p, gsize size)
{
  guint64 c = ~crc, word;
  guint32 four;
  guint16 two;

  for (; size >= 8; p += 8, size -= 8) {
    memcpy (&word, p, 8);
    c = _mm_crc32_u64 (c, word);
  }
  if (size & 4) {
    memcpy (&four, p, 4);
    c = _mm_crc32_u32 ((guint32) c, four);
    p += 4;
  }
  if (size & 2) {
    memcpy (&two, p, 2);
    c = _mm_crc32_u16 ((guint32) c, two);
    p += 2;
  }
  if (size & 1)
    c = _mm_crc32_u8 ((guint32) c, *p);
  return ~(guint32) c;
}
#endif

G_END_DECLS
