/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Little-endian numbers and varints: the alphabet of every blob (docs/run-file.md, "Numbers").
 * Reading goes through a cursor that remembers a failure, so that a decoder may check once. */

typedef struct {
  const guint8 *at, *end;
  gboolean bad; /* something ran past the end, or a varint was too long */
} TsCursor;

static inline void
ts_put_bytes (GByteArray *out, gconstpointer data, gsize size)
{
  g_byte_array_append (out, data, (guint) size);
}

static inline void
ts_put_u8 (GByteArray *out, guint8 v)
{
  ts_put_bytes (out, &v, 1);
}

static inline void
ts_put_u32 (GByteArray *out, guint32 v)
{
  v = GUINT32_TO_LE (v);
  ts_put_bytes (out, &v, 4);
}

static inline void
ts_put_u64 (GByteArray *out, guint64 v)
{
  v = GUINT64_TO_LE (v);
  ts_put_bytes (out, &v, 8);
}

static inline void
ts_put_varint (GByteArray *out, guint64 v)
{
  guint8 buffer[10];
  guint n = 0;

  for (; v > 0x7f; v >>= 7)
    buffer[n++] = (guint8) (v | 0x80);
  buffer[n++] = (guint8) v;
  ts_put_bytes (out, buffer, n);
}

/* A difference modulo 2^64, small in size whatever its sign. */
static inline void
ts_put_zigzag (GByteArray *out, guint64 v)
{
  ts_put_varint (out, v << 1 ^ (0 - (v >> 63)));
}

static inline const guint8 *
ts_get_bytes (TsCursor *c, gsize size)
{
  const guint8 *p = c->at;

  if ((gsize) (c->end - c->at) < size) {
    c->bad = TRUE;
    return NULL;
  }
  c->at += size;
  return p;
}

static inline guint8
ts_get_u8 (TsCursor *c)
{
  const guint8 *p = ts_get_bytes (c, 1);

  return p ? *p : 0;
}

static inline guint32
ts_get_u32 (TsCursor *c)
{
  const guint8 *p = ts_get_bytes (c, 4);
  guint32 v = 0;

  if (p)
    memcpy (&v, p, 4);
  return GUINT32_FROM_LE (v);
}

static inline guint64
ts_get_u64 (TsCursor *c)
{
  const guint8 *p = ts_get_bytes (c, 8);
  guint64 v = 0;

  if (p)
    memcpy (&v, p, 8);
  return GUINT64_FROM_LE (v);
}

static inline guint64
ts_get_varint (TsCursor *c)
{
  guint64 v = 0;

  if (c->end - c->at >= 2 && c->at[1] < 0x80) { /* most are short */
    v = c->at[0] < 0x80 ? c->at[0] : (c->at[0] & 0x7fu) | (guint) c->at[1] << 7;
    c->at += c->at[0] < 0x80 ? 1 : 2;
    return v;
  }

  for (guint shift = 0; shift < 64; shift += 7) {
    guint8 byte = ts_get_u8 (c);
    if (c->bad || (shift == 63 && byte > 1))
      break;
    v |= (guint64) (byte & 0x7f) << shift;
    if (byte < 0x80)
      return v;
  }
  c->bad = TRUE;
  return 0;
}

static inline guint64
ts_get_zigzag (TsCursor *c)
{
  guint64 v = ts_get_varint (c);

  return v >> 1 ^ (0 - (v & 1));
}

/* Where many of them follow each other: p[0], p[1], … at @p. */
static inline guint32
ts_load_u32 (const guint8 *p, guint i)
{
  guint32 v;

  memcpy (&v, p + 4 * (gsize) i, 4);
  return GUINT32_FROM_LE (v);
}

static inline guint64
ts_load_u64 (const guint8 *p, guint i)
{
  guint64 v;

  memcpy (&v, p + 8 * (gsize) i, 8);
  return GUINT64_FROM_LE (v);
}

static inline void
ts_store_u32 (guint8 *p, guint i, guint32 v)
{
  v = GUINT32_TO_LE (v);
  memcpy (p + 4 * (gsize) i, &v, 4);
}

static inline void
ts_store_u64 (guint8 *p, guint i, guint64 v)
{
  v = GUINT64_TO_LE (v);
  memcpy (p + 8 * (gsize) i, &v, 8);
}

G_END_DECLS
