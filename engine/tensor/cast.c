/* SPDX-License-Identifier: MIT */
#include "engine/tensor/cast.h"

#include <string.h>

/* Exact conversions: the same on every level, so there is one copy for all. */

#define LOOP(from, to, convert)                                                                    \
  {                                                                                                \
    const from *in = x;                                                                            \
    to *out = y;                                                                                   \
    for (gsize i = 0; i < n; i++)                                                                  \
      out[i] = (to) (convert);                                                                     \
  }                                                                                                \
  break

/* @above: the least double that no longer fits.  Every branch is of type @to: a common float type would
 * round the greatest out of the range. */
#define CLAMPED(to, least, greatest, above)                                                        \
  in[i] != in[i]                       ? (to) 0                                                    \
  : (double) in[i] >= (above)          ? (to) (greatest)                                           \
  : (double) in[i] <= (double) (least) ? (to) (least)                                              \
                                       : (to) in[i]

#define FROM_FLOAT(from)                                                                           \
  switch (to) {                                                                                    \
  case TS_F32:                                                                                     \
    LOOP (from, float, in[i]);                                                                     \
  case TS_F64:                                                                                     \
    LOOP (from, double, in[i]);                                                                    \
  case TS_I32:                                                                                     \
    LOOP (from, gint32, CLAMPED (gint32, G_MININT32, G_MAXINT32, 2147483648.0));                   \
  case TS_I64:                                                                                     \
    LOOP (from, gint64, CLAMPED (gint64, G_MININT64, G_MAXINT64, 9223372036854775808.0));          \
  case TS_U8:                                                                                      \
    LOOP (from, guint8, CLAMPED (guint8, 0, 255, 256.0));                                          \
  case TS_BOOL:                                                                                    \
    LOOP (from, guint8, in[i] != 0);                                                               \
  }                                                                                                \
  break

#define FROM_INTEGER(from)                                                                         \
  switch (to) {                                                                                    \
  case TS_F32:                                                                                     \
    LOOP (from, float, in[i]);                                                                     \
  case TS_F64:                                                                                     \
    LOOP (from, double, in[i]);                                                                    \
  case TS_I32:                                                                                     \
    LOOP (from, gint32, (guint32) in[i]);                                                          \
  case TS_I64:                                                                                     \
    LOOP (from, gint64, in[i]);                                                                    \
  case TS_U8:                                                                                      \
    LOOP (from, guint8, in[i]);                                                                    \
  case TS_BOOL:                                                                                    \
    LOOP (from, guint8, in[i] != 0);                                                               \
  }                                                                                                \
  break

static void
cast_float (TsDtype from, const void *x, TsDtype to, void *y, gsize n)
{
  switch (from) {
  case TS_F32:
    FROM_FLOAT (float);
  default:
    FROM_FLOAT (double);
  }
}

static void
cast_integer (TsDtype from, const void *x, TsDtype to, void *y, gsize n)
{
  switch (from) {
  case TS_I32:
    FROM_INTEGER (gint32);
  case TS_I64:
    FROM_INTEGER (gint64);
  default:
    FROM_INTEGER (guint8);
  }
}

void
ts_cast (TsDtype from, const void *x, TsDtype to, void *y, gsize n)
{
  if (from == to)
    memmove (y, x, n * ts_dtype_size (from));
  else if (ts_dtype_is_float (from))
    cast_float (from, x, to, y, n);
  else
    cast_integer (from, x, to, y, n);
}
