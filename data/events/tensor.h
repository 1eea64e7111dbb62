/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/wire.h"

G_BEGIN_DECLS

/* A TensorProto (tensorflow/core/framework/tensor.proto), read where it lies.  Its elements may be raw bytes
 * (tensor_content) or a list of its type, packed or not; a list that is shorter than the shape repeats its last
 * element, an empty one is of zeros. */

/* tensorflow/core/framework/types.proto */
typedef enum {
  TS_PROTO_FLOAT = 1,
  TS_PROTO_DOUBLE = 2,
  TS_PROTO_INT32 = 3,
  TS_PROTO_UINT8 = 4,
  TS_PROTO_INT16 = 5,
  TS_PROTO_INT8 = 6,
  TS_PROTO_STRING = 7,
  TS_PROTO_INT64 = 9,
  TS_PROTO_BOOL = 10,
  TS_PROTO_BFLOAT16 = 14,
  TS_PROTO_UINT16 = 17,
  TS_PROTO_HALF = 19,
  TS_PROTO_UINT32 = 22,
  TS_PROTO_UINT64 = 23,
} TsProtoType;

#define TS_PROTO_RANK_MAX 8

typedef struct {
  int type; /* a TsProtoType, or another number of that list */
  guint rank;
  gint64 dim[TS_PROTO_RANK_MAX];
  guint64 elems; /* product of the dimensions; 1 for a scalar */
  gconstpointer content;
  gsize content_size;
  TsWire message; /* for the lists */
} TsTensorProto;

/* FALSE: malformed, or a shape with negative, too many or too large dimensions. */
gboolean ts_tensor_proto_parse (TsTensorProto *tensor, gconstpointer data, gsize size);

/* "float32", "string", …; NULL for a type that has no name here. */
const char *ts_tensor_proto_type_name (int type);

/* The elements as numbers, at most @max of them into @out.  Their number in the tensor; -1 when they are not
 * numbers (or of a type that is not read: complex, quantised, 8 bit and less) or the list is malformed. */
gint64 ts_tensor_proto_numbers (const TsTensorProto *tensor, double *out, gsize max);

/* Likewise the bits of each element, in the low bytes of its type; of a half in a list those of the list,
 * which may be a float's. */
gint64 ts_tensor_proto_bits (const TsTensorProto *tensor, guint64 *out, gsize max);

/* Calls @func for each string, in order, @elems of them. */
typedef void (*TsStringFunc) (const guint8 *bytes, gsize size, gpointer user_data);
void ts_tensor_proto_strings (const TsTensorProto *tensor, guint64 max, TsStringFunc func,
                              gpointer user_data);

G_END_DECLS
