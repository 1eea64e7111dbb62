/* SPDX-License-Identifier: MIT */
#include "data/store/array.h"

#include <math.h>
#include <string.h>

#include "data/store/bytes-private.h"
#include "data/store/error.h"
#include "data/store/item.h"
#include "engine/base/param.h"

static const struct {
  const char *name;
  guint bytes;
} types[] = {
    [TS_ARRAY_F32] = {"float32", 4}, [TS_ARRAY_F64] = {"float64", 8},
    [TS_ARRAY_I32] = {"int32", 4},   [TS_ARRAY_U8] = {"uint8", 1},
    [TS_ARRAY_I16] = {"int16", 2},   [TS_ARRAY_I8] = {"int8", 1},
    [TS_ARRAY_I64] = {"int64", 8},   [TS_ARRAY_BOOL] = {"bool", 1},
    [TS_ARRAY_U16] = {"uint16", 2},  [TS_ARRAY_U32] = {"uint32", 4},
    [TS_ARRAY_U64] = {"uint64", 8},
};

guint
ts_array_type_bytes (int type)
{
  return type >= 0 && type < (int) G_N_ELEMENTS (types) ? types[type].bytes : 0;
}

const char *
ts_array_type_name (int type)
{
  return ts_array_type_bytes (type) ? types[type].name : NULL;
}

void
ts_array_begin (GByteArray *out, TsArrayType type, guint rank, const gint64 *dim)
{
  ts_put_u32 (out, TS_ITEM_ARRAY);
  ts_put_u32 (out, type);
  ts_put_u32 (out, rank);
  for (guint i = 0; i < rank; i++)
    ts_put_u64 (out, (guint64) dim[i]);
}

/* The dimensions; their product is never more than the bytes that are there. */
static gboolean
decode_shape (TsCursor *c, TsArray *array)
{
  guint64 most = (guint64) (c->end - c->at);

  array->elems = 1;
  for (guint i = 0; i < array->rank; i++) {
    guint64 n = ts_get_u64 (c);
    if (c->bad || n > most || (array->elems *= n) > most)
      return FALSE;
    array->dim[i] = (gint64) n;
  }
  return TRUE;
}

gboolean
ts_array_decode (const guint8 *data, gsize size, TsArray *array, GError **error)
{
  TsCursor c = {data, data + size, FALSE};
  guint32 codec = ts_get_u32 (&c), type = ts_get_u32 (&c);
  guint bytes = type <= G_MAXINT ? ts_array_type_bytes ((int) type) : 0;

  *array = (TsArray){.type = (TsArrayType) type, .rank = ts_get_u32 (&c)};
  if (c.bad || codec != TS_ITEM_ARRAY || !bytes || array->rank > TS_ARRAY_RANK_MAX ||
      !decode_shape (&c, array) || (guint64) (c.end - c.at) != array->elems * bytes) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "an array is damaged: its type, shape and length do not fit");
    return FALSE;
  }
  array->data = c.at;
  return TRUE;
}

static guint64
element (const TsArray *array, guint64 i)
{
  guint bytes = types[array->type].bytes;
  guint64 v = 0;

  memcpy (&v, array->data + i * bytes, bytes); /* little-endian, like the machine */
  return v;
}

/* A whole number with its sign; U64 is left out. */
static gint64
whole (const TsArray *array, guint64 i)
{
  guint64 v = element (array, i);

  switch (array->type) {
  case TS_ARRAY_I8:
    return (gint8) v;
  case TS_ARRAY_I16:
    return (gint16) v;
  case TS_ARRAY_I32:
    return (gint32) v;
  default:
    return (gint64) v;
  }
}

double
ts_array_get (const TsArray *array, guint64 i)
{
  guint64 v = element (array, i);
  guint32 narrow = (guint32) v;
  float single;
  double d;

  switch (array->type) {
  case TS_ARRAY_F32:
    memcpy (&single, &narrow, sizeof single);
    return (double) single;
  case TS_ARRAY_F64:
    memcpy (&d, &v, sizeof d);
    return d;
  case TS_ARRAY_U64:
    return (double) v;
  default:
    return (double) whole (array, i);
  }
}

void
ts_array_append_text (const TsArray *array, guint64 i, GString *text)
{
  if (array->type == TS_ARRAY_F32 || array->type == TS_ARRAY_F64) {
    double d = ts_array_get (array, i);
    g_autofree char *digits = ts_number_dup_text (d);
    g_string_append_printf (text, isfinite (d) ? "%s" : "\"%s\"", digits);
  } else if (array->type == TS_ARRAY_U64) {
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, element (array, i));
  } else {
    g_string_append_printf (text, "%" G_GINT64_FORMAT, whole (array, i));
  }
}
