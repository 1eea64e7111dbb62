/* SPDX-License-Identifier: MIT */
#include "data/store/chunk.h"

#include "data/store/bytes-private.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"

#define HEAD 8

int
ts_chunk_encode (GByteArray *out, TsWallKind wall, const TsPoint *points, guint n)
{
  guint32 f;
  gboolean narrow = TRUE;

  for (guint i = 0; i < n && narrow; i++)
    narrow = ts_bits_narrow (points[i].bits, &f);
  ts_put_u8 (out, TS_CHUNK_PLAIN);
  ts_put_u8 (out, narrow);
  ts_put_u8 (out, (guint8) wall);
  ts_put_u8 (out, 0);
  ts_put_u32 (out, n);
  for (guint i = 0; i < n; i++)
    ts_put_u64 (out, (guint64) points[i].step);
  for (guint i = 0; i < n; i++)
    ts_put_u64 (out, (guint64) points[i].wall);
  for (guint i = 0; i < n; i++) {
    if (narrow && ts_bits_narrow (points[i].bits, &f))
      ts_put_u32 (out, f);
    else
      ts_put_u64 (out, points[i].bits);
  }
  return TS_CHUNK_PLAIN;
}

static gboolean
corrupt (const char *what, GError **error)
{
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT, "a chunk is damaged: %s", what);
  return FALSE;
}

gboolean
ts_chunk_decode (const guint8 *data, gsize size, guint32 crc, gint64 codec, gint64 n,
                 GArray *points, TsWallKind *wall, GError **error)
{
  TsCursor c = {data, data + size, FALSE};

  if (ts_crc32c (data, size) != crc)
    return corrupt ("its checksum does not fit", error);
  guint8 own_codec = ts_get_u8 (&c), narrow = ts_get_u8 (&c), kind = ts_get_u8 (&c);
  guint8 zero = ts_get_u8 (&c);
  guint32 own_n = ts_get_u32 (&c);
  if (c.bad || own_codec != codec || own_codec != TS_CHUNK_PLAIN)
    return corrupt ("its encoding is unknown", error);
  if (narrow > 1 || kind > TS_WALL_SECONDS || zero || own_n != n || n < 1 ||
      n > TS_CHUNK_POINTS_MAX)
    return corrupt ("its head is out of range", error);
  if (size != HEAD + (gsize) n * (narrow ? 20 : 24))
    return corrupt ("its length does not fit", error);

  guint base = points->len;
  g_array_set_size (points, base + (guint) n);
  TsPoint *p = &g_array_index (points, TsPoint, base);
  for (gint64 i = 0; i < n; i++)
    p[i].step = (gint64) ts_get_u64 (&c);
  for (gint64 i = 0; i < n; i++)
    p[i].wall = (gint64) ts_get_u64 (&c);
  for (gint64 i = 0; i < n; i++)
    p[i].bits = narrow ? ts_bits_widen (ts_get_u32 (&c)) : ts_get_u64 (&c);
  *wall = (TsWallKind) kind;
  return TRUE;
}
