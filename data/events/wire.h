/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* The wire format of protocol buffers, read field by field without a schema and without believing a length.
 * A message is a range of bytes; what it holds is borrowed from it. */

typedef struct {
  const guint8 *p, *end; /* what is left; p NULL: the message is malformed */
} TsWire;

typedef enum {
  TS_WIRE_VARINT = 0,
  TS_WIRE_FIXED64 = 1,
  TS_WIRE_BYTES = 2,
  TS_WIRE_FIXED32 = 5
} TsWireType;

typedef struct {
  guint32 number;
  TsWireType type;
  guint64 value;      /* VARINT, FIXED64, FIXED32 */
  const guint8 *data; /* BYTES */
  gsize size;
} TsField;

static inline TsWire
ts_wire (gconstpointer data, gsize size)
{
  return (TsWire){data, (const guint8 *) data + size};
}

static inline gboolean
ts_wire_fail (TsWire *wire)
{
  wire->p = NULL;
  return FALSE;
}

static inline gboolean
ts_wire_varint (TsWire *wire, guint64 *value)
{
  const guint8 *p = wire->p;
  guint64 v = 0;

  if (p < wire->end && *p < 0x80) { /* most are short */
    *value = *p;
    wire->p = p + 1;
    return TRUE;
  }
  for (guint shift = 0; shift < 70 && p < wire->end; shift += 7) {
    guint8 byte = *p++;
    if (shift < 64)
      v |= (guint64) (byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      *value = v;
      wire->p = p;
      return TRUE;
    }
  }
  return ts_wire_fail (wire);
}

/* The next field; FALSE at the end and where the message is malformed. */
static inline gboolean
ts_wire_next (TsWire *wire, TsField *field)
{
  guint64 key, size;

  if (!wire->p || wire->p >= wire->end)
    return FALSE;
  if (!ts_wire_varint (wire, &key))
    return FALSE;
  *field = (TsField){.number = (guint32) (key >> 3), .type = (TsWireType) (key & 7)};
  if (key >> 3 == 0 || key >> 3 > 0x1fffffff)
    return ts_wire_fail (wire);
  switch (field->type) {
  case TS_WIRE_VARINT:
    return ts_wire_varint (wire, &field->value);
  case TS_WIRE_FIXED64:
    if (wire->end - wire->p < 8)
      return ts_wire_fail (wire);
    memcpy (&field->value, wire->p, 8);
    field->value = GUINT64_FROM_LE (field->value);
    wire->p += 8;
    return TRUE;
  case TS_WIRE_FIXED32: {
    guint32 v;
    if (wire->end - wire->p < 4)
      return ts_wire_fail (wire);
    memcpy (&v, wire->p, 4);
    field->value = GUINT32_FROM_LE (v);
    wire->p += 4;
    return TRUE;
  }
  case TS_WIRE_BYTES:
    if (!ts_wire_varint (wire, &size))
      return FALSE;
    if (size > (guint64) (wire->end - wire->p))
      return ts_wire_fail (wire);
    field->data = wire->p;
    field->size = (gsize) size;
    wire->p += size;
    return TRUE;
  }
  return ts_wire_fail (wire); /* groups are not in use */
}

static inline gboolean
ts_wire_is_good (const TsWire *wire)
{
  return wire->p != NULL;
}

static inline TsWire
ts_field_wire (const TsField *field)
{
  return ts_wire (field->data, field->size);
}

static inline double
ts_field_double (const TsField *field)
{
  double v;

  memcpy (&v, &field->value, 8);
  return v;
}

G_END_DECLS
