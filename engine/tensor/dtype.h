/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Element types.  f32 is the default; f64 exists for every differentiable op (gradient checks);
 * the integer types hold labels, indices and raw data. */
typedef enum { TS_F32, TS_F64, TS_I32, TS_I64, TS_U8, TS_BOOL } TsDtype;
#define TS_N_DTYPES 6

/* Bytes per element. */
gsize ts_dtype_size (TsDtype dtype);

/* "f32", "f64", "i32", "i64", "u8", "bool": the name on disk. */
const char *ts_dtype_name (TsDtype dtype);

/* FALSE when @name is none of the above. */
gboolean ts_dtype_parse (const char *name, TsDtype *dtype);

/* Element @i of @data as a double, whatever the type (i64 beyond 2^53 rounds). */
double ts_dtype_get (TsDtype dtype, const void *data, gint64 i);
void ts_dtype_set (TsDtype dtype, void *data, gint64 i, double value);

static inline gboolean
ts_dtype_is_float (TsDtype dtype)
{
  return dtype == TS_F32 || dtype == TS_F64;
}

/* What arithmetic takes: floats, i32 and i64. */
static inline gboolean
ts_dtype_is_number (TsDtype dtype)
{
  return ts_dtype_is_float (dtype) || dtype == TS_I32 || dtype == TS_I64;
}

G_END_DECLS
