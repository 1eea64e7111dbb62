/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TS_ITEM_ARRAY: numbers of one type, row-major (docs/run-file.md, "Items"). */

/* The numbers of tensorflow/core/framework/types.proto. */
typedef enum {
  TS_ARRAY_F32 = 1,
  TS_ARRAY_F64 = 2,
  TS_ARRAY_I32 = 3,
  TS_ARRAY_U8 = 4,
  TS_ARRAY_I16 = 5,
  TS_ARRAY_I8 = 6,
  TS_ARRAY_I64 = 9,
  TS_ARRAY_BOOL = 10,
  TS_ARRAY_U16 = 17,
  TS_ARRAY_U32 = 22,
  TS_ARRAY_U64 = 23,
} TsArrayType;

#define TS_ARRAY_RANK_MAX 8

typedef struct {
  TsArrayType type;
  guint rank;
  gint64 dim[TS_ARRAY_RANK_MAX];
  guint64 elems;      /* product of the dimensions; 1 for a scalar */
  const guint8 *data; /* elems times ts_array_type_bytes, little-endian; borrowed */
} TsArray;

/* 0: no type of an array. */
guint ts_array_type_bytes (int type);
/* "float32", "uint8", …; NULL likewise. */
const char *ts_array_type_name (int type);

/* The head alone; the elements are appended after it. */
void ts_array_begin (GByteArray *out, TsArrayType type, guint rank, const gint64 *dim);
/* Errors: TS_STORE_ERROR_CORRUPT. */
gboolean ts_array_decode (const guint8 *data, gsize size, TsArray *array, GError **error);

/* Element @i, rounded where it is a whole number beyond 2^53. */
double ts_array_get (const TsArray *array, guint64 i);
/* Appends its digits, all of them; NaN, Infinity and -Infinity in quotes, as JSON has no such numbers. */
void ts_array_append_text (const TsArray *array, guint64 i, GString *text);

G_END_DECLS
