/* SPDX-License-Identifier: MIT */
#include "tests/events/support.h"

#include "data/events/record.h"

void
ts_test_put_record (GByteArray *out, gconstpointer data, gsize size)
{
  guint64 length = GUINT64_TO_LE ((guint64) size);
  guint32 crc = GUINT32_TO_LE (ts_record_masked_crc (&length, 8));

  g_byte_array_append (out, (const guint8 *) &length, 8);
  g_byte_array_append (out, (const guint8 *) &crc, 4);
  g_byte_array_append (out, data, (guint) size);
  crc = GUINT32_TO_LE (ts_record_masked_crc (data, size));
  g_byte_array_append (out, (const guint8 *) &crc, 4);
}
