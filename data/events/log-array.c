/* SPDX-License-Identifier: MIT */
#include "data/events/log-items.h"

#include "data/store/array.h"

/* A list that is shorter than its shape is filled up to so many elements: a few bytes cannot ask for more. */
#define LISTED_MAX (1u << 22)

static void
put_element (GByteArray *out, guint64 bits, guint bytes)
{
  bits = GUINT64_TO_LE (bits);
  g_byte_array_append (out, (const guint8 *) &bits, bytes);
}

/* Of 16 bits: as binary32, which has all their values. */
static gboolean
put_halves (GByteArray *out, const TsTensorProto *t)
{
  g_autofree double *numbers = NULL;
  guint32 bits;

  if (t->elems > LISTED_MAX)
    return FALSE;
  numbers = g_new0 (double, t->elems + 1);
  if (ts_tensor_proto_numbers (t, numbers, t->elems) < 0)
    return FALSE;
  ts_array_begin (out, TS_ARRAY_F32, t->rank, t->dim);
  for (guint64 i = 0; i < t->elems; i++) {
    float v = (float) numbers[i];
    memcpy (&bits, &v, sizeof bits);
    put_element (out, bits, 4);
  }
  return TRUE;
}

static gboolean
put_list (GByteArray *out, const TsTensorProto *t, guint bytes)
{
  g_autofree guint64 *bits = NULL;

  if (t->elems > LISTED_MAX)
    return FALSE;
  bits = g_new0 (guint64, t->elems + 1);
  if (ts_tensor_proto_bits (t, bits, t->elems) < 0)
    return FALSE;
  ts_array_begin (out, (TsArrayType) t->type, t->rank, t->dim);
  for (guint64 i = 0; i < t->elems; i++)
    put_element (out, t->type == TS_PROTO_BOOL ? bits[i] != 0 : bits[i], bytes);
  return TRUE;
}

gboolean
ts_log_array (GByteArray *out, const TsTensorProto *t)
{
  guint bytes = ts_array_type_bytes (t->type);

  if (t->type == TS_PROTO_HALF || t->type == TS_PROTO_BFLOAT16)
    return put_halves (out, t);
  if (!bytes)
    return FALSE;
  if (!t->content_size)
    return put_list (out, t, bytes);
  if (t->content_size != t->elems * bytes)
    return FALSE;
  ts_array_begin (out, (TsArrayType) t->type, t->rank, t->dim);
  g_byte_array_append (out, t->content, (guint) t->content_size);
  return TRUE;
}
