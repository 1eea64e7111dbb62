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
