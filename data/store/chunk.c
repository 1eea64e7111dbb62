/* SPDX-License-Identifier: MIT */
#include "data/store/chunk.h"

#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/pack.h"

#define HEAD 8

static void
put_head (GByteArray *out, int codec, gboolean narrow, TsWallKind wall, guint n)
{
  ts_put_u8 (out, (guint8) codec);
  ts_put_u8 (out, narrow != 0);
  ts_put_u8 (out, (guint8) wall);
  ts_put_u8 (out, 0);
  ts_put_u32 (out, n);
}

static void
put_plain (GByteArray *out, TsWallKind wall, const TsPoint *points, guint n, gboolean narrow)
{
  guint32 f = 0;

  put_head (out, TS_CHUNK_PLAIN, narrow, wall, n);
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
}

static void
put_packed (GByteArray *out, TsWallKind wall, const TsPoint *points, guint n)
{
  g_autofree guint64 *column = g_new (guint64, n);

  put_head (out, TS_CHUNK_PACKED, FALSE, wall, n);
  for (guint i = 0; i < n; i++)
    column[i] = (guint64) points[i].step;
  ts_pack_put_integers (out, column, n);
  for (guint i = 0; i < n; i++)
    column[i] = (guint64) points[i].wall;
  ts_pack_put_integers (out, column, n);
  for (guint i = 0; i < n; i++)
    column[i] = points[i].bits;
  ts_pack_put_values (out, column, n);
}

int
ts_chunk_encode (GByteArray *out, TsWallKind wall, const TsPoint *points, guint n)
{
  guint start = out->len;
  gboolean narrow = TRUE;
  guint32 f;

  put_packed (out, wall, points, n);
  if (out->len - start <= HEAD + 20 * (gsize) n)
    return TS_CHUNK_PACKED;
  for (guint i = 0; i < n && narrow; i++)
    narrow = ts_bits_narrow (points[i].bits, &f);
  if (out->len - start <= HEAD + (narrow ? 20 : 24) * (gsize) n)
    return TS_CHUNK_PACKED;
  g_byte_array_set_size (out, start);
  put_plain (out, wall, points, n, narrow);
  return TS_CHUNK_PLAIN;
}

static gboolean
corrupt (const char *what, GError **error)
{
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT, "a chunk is damaged: %s", what);
  return FALSE;
}

static gboolean
get_plain (TsCursor *c, TsPoint *p, guint n, gboolean narrow)
{
  if ((gsize) (c->end - c->at) != (gsize) n * (narrow ? 20 : 24))
    return FALSE;
  for (guint i = 0; i < n; i++)
    p[i].step = (gint64) ts_get_u64 (c);
  for (guint i = 0; i < n; i++)
    p[i].wall = (gint64) ts_get_u64 (c);
  for (guint i = 0; i < n; i++)
    p[i].bits = narrow ? ts_bits_widen (ts_get_u32 (c)) : ts_get_u64 (c);
  return TRUE;
}

static gboolean
get_packed (TsCursor *c, TsPoint *p, guint n)
{
  g_autofree guint64 *column = g_new (guint64, n);

  if (!ts_pack_get_integers (c, column, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    p[i].step = (gint64) column[i];
  if (!ts_pack_get_integers (c, column, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    p[i].wall = (gint64) column[i];
  if (!ts_pack_get_values (c, column, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    p[i].bits = column[i];
  return c->at == c->end;
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
  if (c.bad || own_codec != codec || (own_codec != TS_CHUNK_PLAIN && own_codec != TS_CHUNK_PACKED))
    return corrupt ("its encoding is unknown", error);
  if (narrow > (own_codec == TS_CHUNK_PLAIN) || kind > TS_WALL_SECONDS || zero || own_n != n ||
      n < 1 || n > TS_CHUNK_POINTS_MAX)
    return corrupt ("its head is out of range", error);

  guint base = points->len;
  g_array_set_size (points, base + (guint) n);
  TsPoint *p = &g_array_index (points, TsPoint, base);
  if (own_codec == TS_CHUNK_PLAIN ? get_plain (&c, p, (guint) n, narrow)
                                  : get_packed (&c, p, (guint) n)) {
    *wall = (TsWallKind) kind;
    return TRUE;
  }
  g_array_set_size (points, base);
  return corrupt ("its length or what it says of its columns does not fit", error);
}
