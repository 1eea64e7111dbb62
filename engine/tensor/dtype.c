/* SPDX-License-Identifier: MIT */
#include "engine/tensor/dtype.h"

#include <string.h>

static const struct {
  const char *name;
  gsize size;
} dtypes[TS_N_DTYPES] = {
    [TS_F32] = {"f32", 4}, [TS_F64] = {"f64", 8}, [TS_I32] = {"i32", 4},
    [TS_I64] = {"i64", 8}, [TS_U8] = {"u8", 1},   [TS_BOOL] = {"bool", 1},
};

gsize
ts_dtype_size (TsDtype dtype)
{
  return dtypes[dtype].size;
}

const char *
ts_dtype_name (TsDtype dtype)
{
  return dtypes[dtype].name;
}

gboolean
ts_dtype_parse (const char *name, TsDtype *dtype)
{
  for (guint i = 0; i < TS_N_DTYPES; i++)
    if (strcmp (dtypes[i].name, name) == 0) {
      *dtype = (TsDtype) i;
      return TRUE;
    }
  return FALSE;
}

double
ts_dtype_get (TsDtype dtype, const void *data, gint64 i)
{
  switch (dtype) {
  case TS_F32:
    return ((const float *) data)[i];
  case TS_F64:
    return ((const double *) data)[i];
  case TS_I32:
    return ((const gint32 *) data)[i];
  case TS_I64:
    return (double) ((const gint64 *) data)[i];
  case TS_U8:
  case TS_BOOL:
    return ((const guint8 *) data)[i];
  }
  return 0;
}

void
ts_dtype_set (TsDtype dtype, void *data, gint64 i, double value)
{
  switch (dtype) {
  case TS_F32:
    ((float *) data)[i] = (float) value;
    break;
  case TS_F64:
    ((double *) data)[i] = value;
    break;
  case TS_I32:
    ((gint32 *) data)[i] = (gint32) value;
    break;
  case TS_I64:
    ((gint64 *) data)[i] = (gint64) value;
    break;
  case TS_U8:
  case TS_BOOL:
    ((guint8 *) data)[i] = dtype == TS_BOOL ? value != 0 : (guint8) value;
    break;
  }
}
