/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Protocol buffers, written: each appends one field to @out. */

static inline void
ts_wire_put_varint (GByteArray *out, guint64 v)
{
  guint8 bytes[10];
  guint n = 0;

  for (; v > 0x7f; v >>= 7)
    bytes[n++] = (guint8) (v | 0x80);
  bytes[n++] = (guint8) v;
  g_byte_array_append (out, bytes, n);
}

static inline void
ts_wire_put_key (GByteArray *out, guint number, guint type)
{
  ts_wire_put_varint (out, (guint64) number << 3 | type);
}

static inline void
ts_wire_put_int (GByteArray *out, guint number, gint64 value)
{
  ts_wire_put_key (out, number, 0);
  ts_wire_put_varint (out, (guint64) value);
}

static inline void
ts_wire_put_fixed64 (GByteArray *out, guint number, guint64 bits)
{
  ts_wire_put_key (out, number, 1);
  bits = GUINT64_TO_LE (bits);
  g_byte_array_append (out, (const guint8 *) &bits, 8);
}

static inline void
ts_wire_put_double (GByteArray *out, guint number, double value)
{
  guint64 bits;

  memcpy (&bits, &value, 8);
  ts_wire_put_fixed64 (out, number, bits);
}

static inline void
ts_wire_put_fixed32 (GByteArray *out, guint number, guint32 bits)
{
  ts_wire_put_key (out, number, 5);
  bits = GUINT32_TO_LE (bits);
  g_byte_array_append (out, (const guint8 *) &bits, 4);
}

static inline void
ts_wire_put_bytes (GByteArray *out, guint number, gconstpointer data, gsize size)
{
  ts_wire_put_key (out, number, 2);
  ts_wire_put_varint (out, size);
  if (size)
    g_byte_array_append (out, data, (guint) size);
}

static inline void
ts_wire_put_text (GByteArray *out, guint number, const char *text)
{
  ts_wire_put_bytes (out, number, text, strlen (text));
}

/* @message becomes a field and is emptied. */
static inline void
ts_wire_put_message (GByteArray *out, guint number, GByteArray *message)
{
  ts_wire_put_bytes (out, number, message->data, message->len);
  g_byte_array_set_size (message, 0);
}

G_END_DECLS
