/* SPDX-License-Identifier: MIT */
#include "data/events/tensor.h"

#include <math.h>

/* Field numbers of TensorProto. */
enum {
  DTYPE = 1,
  SHAPE = 2,
  CONTENT = 4,
  FLOAT_VAL = 5,
  DOUBLE_VAL = 6,
  INT_VAL = 7,
  STRING_VAL = 8,
  INT64_VAL = 10,
  BOOL_VAL = 11,
  HALF_VAL = 13,
  UINT32_VAL = 16,
  UINT64_VAL = 17,
};

/* How elements of a type look: bytes in tensor_content, which list, and that list's wire type. */
static const struct {
  const char *name;
  guint8 bytes, list, wire;
} types[] = {
    [TS_PROTO_FLOAT] = {"float32", 4, FLOAT_VAL, TS_WIRE_FIXED32},
    [TS_PROTO_DOUBLE] = {"float64", 8, DOUBLE_VAL, TS_WIRE_FIXED64},
    [TS_PROTO_INT32] = {"int32", 4, INT_VAL, TS_WIRE_VARINT},
    [TS_PROTO_UINT8] = {"uint8", 1, INT_VAL, TS_WIRE_VARINT},
    [TS_PROTO_INT16] = {"int16", 2, INT_VAL, TS_WIRE_VARINT},
    [TS_PROTO_INT8] = {"int8", 1, INT_VAL, TS_WIRE_VARINT},
    [TS_PROTO_STRING] = {"string", 0, STRING_VAL, TS_WIRE_BYTES},
    [8] = {"complex64", 0, 0, 0},
    [TS_PROTO_INT64] = {"int64", 8, INT64_VAL, TS_WIRE_VARINT},
    [TS_PROTO_BOOL] = {"bool", 1, BOOL_VAL, TS_WIRE_VARINT},
    [TS_PROTO_BFLOAT16] = {"bfloat16", 2, HALF_VAL, TS_WIRE_VARINT},
    [TS_PROTO_UINT16] = {"uint16", 2, INT_VAL, TS_WIRE_VARINT},
    [18] = {"complex128", 0, 0, 0},
    [TS_PROTO_HALF] = {"float16", 2, HALF_VAL, TS_WIRE_VARINT},
    [TS_PROTO_UINT32] = {"uint32", 4, UINT32_VAL, TS_WIRE_VARINT},
    [TS_PROTO_UINT64] = {"uint64", 8, UINT64_VAL, TS_WIRE_VARINT},
};

const char *
ts_tensor_proto_type_name (int type)
{
  return type >= 0 && type < (int) G_N_ELEMENTS (types) ? types[type].name : NULL;
}

static gboolean
parse_shape (TsTensorProto *t, TsWire wire)
{
  TsField f, g;

  while (ts_wire_next (&wire, &f)) {
    gint64 size = 0;
    if (f.number != 2 || f.type != TS_WIRE_BYTES)
      continue;
    TsWire dim = ts_field_wire (&f);
    while (ts_wire_next (&dim, &g))
      if (g.number == 1 && g.type == TS_WIRE_VARINT)
        size = (gint64) g.value;
    if (!ts_wire_is_good (&dim) || t->rank == TS_PROTO_RANK_MAX || size < 0 || size > G_MAXINT32 ||
        (t->elems *= (guint64) size) > G_MAXINT32)
      return FALSE;
    t->dim[t->rank++] = size;
  }
  return ts_wire_is_good (&wire);
}

gboolean
ts_tensor_proto_parse (TsTensorProto *t, gconstpointer data, gsize size)
{
  TsWire wire = ts_wire (data, size);
  TsField f;

  *t = (TsTensorProto){.elems = 1, .message = wire};
  while (ts_wire_next (&wire, &f)) {
    if (f.number == DTYPE && f.type == TS_WIRE_VARINT) {
      t->type = (int) MIN (f.value, 1000);
    } else if (f.number == SHAPE && f.type == TS_WIRE_BYTES) {
      t->rank = 0;
      t->elems = 1;
      if (!parse_shape (t, ts_field_wire (&f)))
        return FALSE;
    } else if (f.number == CONTENT && f.type == TS_WIRE_BYTES) {
      t->content = f.data;
      t->content_size = f.size;
    }
  }
  return ts_wire_is_good (&wire);
}

static double
half_value (guint16 h)
{
  double sign = h >> 15 ? -1 : 1;
  int exponent = h >> 10 & 31;
  guint mantissa = h & 1023;

  if (exponent == 31)
    return mantissa ? (double) NAN : sign * (double) INFINITY;
  if (exponent == 0)
    return sign * ldexp (mantissa, -24);
  return sign * ldexp (1024 + mantissa, exponent - 25);
}

static double
float_value (guint32 bits)
{
  float v;

  memcpy (&v, &bits, sizeof v);
  return (double) v;
}

/* One element from the bits of its type in @v.  A half in a list that does not fit in 16 bits is what
 * torch's add_tensor writes: the bits of a float. */
static double
number_value (int type, guint64 v)
{
  double d;

  switch (type) {
  case TS_PROTO_FLOAT:
    return float_value ((guint32) v);
  case TS_PROTO_DOUBLE:
    memcpy (&d, &v, sizeof d);
    return d;
  case TS_PROTO_HALF:
    return v > 0xffff ? float_value ((guint32) v) : half_value ((guint16) v);
  case TS_PROTO_BFLOAT16:
    return float_value (v > 0xffff ? (guint32) v : (guint32) v << 16);
  case TS_PROTO_UINT8:
  case TS_PROTO_UINT16:
  case TS_PROTO_UINT32:
  case TS_PROTO_UINT64:
    return (double) v;
  case TS_PROTO_BOOL:
    return v != 0;
  case TS_PROTO_INT8:
    return (gint8) v;
  case TS_PROTO_INT16:
    return (gint16) v;
  case TS_PROTO_INT32:
    return (gint32) v;
  default:
    return (double) (gint64) v;
  }
}

static guint64
content_bits (const guint8 *p, gsize bytes)
{
  guint64 v = 0;

  memcpy (&v, p, bytes); /* little-endian, as event files are */
  return GUINT64_FROM_LE (v);
}

typedef struct {
  int type;
  double *out;   /* one of these two */
  guint64 *bits; /* is NULL */
  guint64 last;
  gsize max;
  guint64 n;
} Numbers;

static void
put_number (Numbers *to, guint64 bits)
{
  to->last = bits;
  if (to->n < to->max && to->out)
    to->out[to->n] = number_value (to->type, bits);
  else if (to->n < to->max)
    to->bits[to->n] = bits;
  to->n++;
}

/* A list's field: one element, or packed many. */
static gboolean
put_list (Numbers *to, const TsField *f)
{
  TsWireType wire = (TsWireType) types[to->type].wire;
  gsize bytes = wire == TS_WIRE_FIXED32 ? 4 : 8;
  guint64 value;

  if (f->type == wire) {
    put_number (to, f->value);
    return TRUE;
  }
  if (f->type != TS_WIRE_BYTES)
    return FALSE;
  TsWire packed = ts_field_wire (f);
  if (wire == TS_WIRE_VARINT) {
    while (packed.p && packed.p < packed.end && ts_wire_varint (&packed, &value))
      put_number (to, value);
    return ts_wire_is_good (&packed);
  }
  for (; packed.end - packed.p >= (gssize) bytes; packed.p += bytes)
    put_number (to, content_bits (packed.p, bytes));
  return packed.p == packed.end;
}

static gint64
read_elements (const TsTensorProto *t, Numbers to)
{
  TsWire wire = t->message;
  TsField f;

  if (!ts_tensor_proto_type_name (t->type) || !types[t->type].list || t->type == TS_PROTO_STRING)
    return -1;
  if (t->content_size) {
    gsize bytes = types[t->type].bytes;
    const guint8 *p = t->content;
    for (; to.n < t->elems && (to.n + 1) * bytes <= t->content_size; p += bytes)
      put_number (&to, content_bits (p, bytes));
    return to.n == t->elems ? (gint64) to.n : -1;
  }
  while (ts_wire_next (&wire, &f))
    if (f.number == types[t->type].list && !put_list (&to, &f))
      return -1;
  while (to.n < MIN (t->elems, to.max))
    put_number (&to, to.last);
  return (gint64) t->elems;
}

gint64
ts_tensor_proto_numbers (const TsTensorProto *t, double *out, gsize max)
{
  return read_elements (t, (Numbers){.type = t->type, .out = out, .max = max});
}

gint64
ts_tensor_proto_bits (const TsTensorProto *t, guint64 *out, gsize max)
{
  return read_elements (t, (Numbers){.type = t->type, .bits = out, .max = max});
}

void
ts_tensor_proto_strings (const TsTensorProto *t, guint64 max, TsStringFunc func, gpointer data)
{
  TsWire wire = t->message;
  TsField f, last = {0};
  guint64 n = 0;

  max = MIN (max, t->elems);
  while (n < max && ts_wire_next (&wire, &f))
    if (f.number == STRING_VAL && f.type == TS_WIRE_BYTES) {
      func (f.data, f.size, data);
      last = f;
      n++;
    }
  for (; last.data && n < max; n++)
    func (last.data, last.size, data);
}
