/* SPDX-License-Identifier: MIT */
#include "data/store/pack.h"

#include "data/store/point.h"

/* Values as bits: arithmetic on them would lose NaN payloads, and denormals in a thread that flushes
 * them. */

#define MANTISSA  0xfffffffffffffull
#define HIDDEN    (1ull << 52)
#define LEAST     (-1074) /* the exponent of the smallest denormal */
#define WHOLE_MAX ((1ull << 53) - 1)
#define GREATEST  971 /* of the last bit of the largest value */

/* A finite value other than 0 is ±@m times 2^@e. */
static inline guint64
split (guint64 bits, int *e)
{
  int exponent = (int) (bits >> 52 & 0x7ff);

  *e = exponent ? exponent - 1075 : LEAST;
  return exponent ? (bits & MANTISSA) | HIDDEN : bits & MANTISSA;
}

/* The exponent of the lowest bit of all values, when counting in it none needs more than 53 bits. */
static gboolean
find_scale (const guint64 *bits, guint n, int *scale)
{
  int low = GREATEST, high = LEAST;

  for (guint i = 0; i < n; i++) {
    int e;
    if (bits[i] == 0)
      continue;
    guint64 m = split (bits[i], &e);
    if (m == 0 || e > GREATEST)
      return FALSE; /* -0.0, infinite or NaN */
    low = MIN (low, e + __builtin_ctzll (m));
    high = MAX (high, e + 63 - __builtin_clzll (m));
    if (high - low > 52)
      return FALSE;
  }
  *scale = low <= high ? low : 0;
  return TRUE;
}

static inline guint64
to_whole (guint64 bits, int scale)
{
  int e;
  guint64 m = split (bits, &e);

  if (bits == 0)
    return 0;
  m = e >= scale ? m << (e - scale) : m >> (scale - e);
  return bits >> 63 ? 0 - m : m;
}

/* FALSE: no binary64 is exactly that. */
static inline gboolean
from_whole (guint64 whole, int scale, guint64 *bits)
{
  guint64 sign = whole & 1ull << 63, m = sign ? 0 - whole : whole;

  if (m == 0) {
    *bits = 0;
    return TRUE;
  }
  int top = 63 - __builtin_clzll (m), exponent = scale + top + 1023;
  if (top > 52 || exponent > 2046)
    return FALSE;
  *bits = sign | (exponent > 0 ? (guint64) exponent << 52 | (m << (52 - top) & MANTISSA)
                               : m << (scale - LEAST));
  return TRUE;
}

static gboolean
all_narrow (const guint64 *bits, guint n)
{
  guint32 narrow;

  for (guint i = 0; i < n; i++)
    if (!ts_bits_narrow (bits[i], &narrow))
      return FALSE;
  return TRUE;
}

static gboolean
all_equal (const guint64 *bits, guint n)
{
  for (guint i = 1; i < n; i++)
    if (bits[i] != bits[0])
      return FALSE;
  return TRUE;
}

/* --- Putting --- */

/* As whole numbers, the shorter way; nothing when that needs @most bytes or more. */
static gboolean
put_whole (GByteArray *out, const guint64 *bits, guint n, int scale, gsize most, TsPackForm *form)
{
  g_autofree guint64 *whole = g_new (guint64, n), *above = g_new (guint64, n);
  gint64 least = G_MAXINT64;
  guint start = out->len;

  for (guint i = 0; i < n; i++) {
    whole[i] = to_whole (bits[i], scale);
    least = MIN (least, (gint64) whole[i]);
  }
  for (guint i = 0; i < n; i++)
    above[i] = whole[i] - (guint64) least;
  gboolean rises = ts_pack_measure_integers (whole, n) < ts_pack_measure_list (above, n);
  ts_put_u8 (out, rises ? TS_PACK_RISING : TS_PACK_SCALED);
  ts_put_zigzag (out, (guint64) (gint64) scale);
  if (rises) {
    ts_pack_put_integers (out, whole, n);
  } else {
    ts_put_zigzag (out, (guint64) least);
    ts_pack_put_list (out, above, n);
  }
  if (out->len - start >= most) {
    g_byte_array_set_size (out, start);
    return FALSE;
  }
  *form = rises ? TS_PACK_RISING : TS_PACK_SCALED;
  return TRUE;
}

static void
put_fixed (GByteArray *out, const guint64 *bits, guint n, gboolean narrow)
{
  guint32 f = 0;

  ts_put_u8 (out, narrow ? TS_PACK_NARROW : TS_PACK_WIDE);
  guint at = out->len;
  g_byte_array_set_size (out, at + n * (narrow ? 4 : 8));
  guint8 *p = out->data + at;
  for (guint i = 0; narrow && i < n; i++) {
    ts_bits_narrow (bits[i], &f);
    ts_store_u32 (p, i, f);
  }
  for (guint i = 0; !narrow && i < n; i++)
    ts_store_u64 (p, i, bits[i]);
}

TsPackForm
ts_pack_put_values (GByteArray *out, const guint64 *bits, guint n)
{
  guint start = out->len;
  int scale;

  if (all_equal (bits, n)) {
    ts_put_u8 (out, TS_PACK_CONSTANT);
    ts_put_u64 (out, bits[0]);
    return TS_PACK_CONSTANT;
  }
  gboolean narrow = all_narrow (bits, n);
  TsPackForm form = narrow ? TS_PACK_NARROW : TS_PACK_WIDE;
  gsize best = 1 + (gsize) n * (narrow ? 4 : 8);
  if (find_scale (bits, n, &scale) && put_whole (out, bits, n, scale, best, &form))
    best = out->len - start;
  if (1 + ts_pack_measure_xor (bits, n, best) < best)
    form = TS_PACK_XOR;
  if (form == TS_PACK_SCALED || form == TS_PACK_RISING)
    return form;
  g_byte_array_set_size (out, start);
  if (form != TS_PACK_XOR) {
    put_fixed (out, bits, n, narrow);
  } else {
    ts_put_u8 (out, TS_PACK_XOR);
    ts_pack_put_xor (out, bits, n);
  }
  return form;
}

/* --- Getting --- */

/* Where neither a denormal nor infinity can come of it, the processor does the same faster. */
static gboolean
scale_normal (guint64 *bits, guint n, guint64 least, int scale)
{
  double factor = ts_unbits ((guint64) (scale + 1023) << 52);
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++) {
    guint64 whole = bits[i] + least;
    ok &= whole + WHOLE_MAX <= 2 * WHOLE_MAX;
    bits[i] = ts_bits ((double) (gint64) whole * factor);
  }
  return ok;
}

static gboolean
scale_any (guint64 *bits, guint n, guint64 least, int scale)
{
  for (guint i = 0; i < n; i++)
    if (!from_whole (bits[i] + least, scale, &bits[i]))
      return FALSE;
  return TRUE;
}

static gboolean
get_whole (TsCursor *c, guint64 *bits, guint n, TsPackForm form)
{
  gint64 scale = (gint64) ts_get_zigzag (c);
  guint64 least = form == TS_PACK_SCALED ? ts_get_zigzag (c) : 0;

  if (c->bad || scale < LEAST || scale > GREATEST ||
      !(form == TS_PACK_SCALED ? ts_pack_get_list (c, bits, n) : ts_pack_get_integers (c, bits, n)))
    return FALSE;
  return scale >= -1022 && scale < 970 ? scale_normal (bits, n, least, (int) scale)
                                       : scale_any (bits, n, least, (int) scale);
}

static gboolean
get_fixed (TsCursor *c, guint64 *bits, guint n, gboolean narrow)
{
  const guint8 *p = ts_get_bytes (c, (gsize) n * (narrow ? 4 : 8));

  if (!p)
    return FALSE;
  for (guint i = 0; narrow && i < n; i++)
    bits[i] = ts_bits_widen (ts_load_u32 (p, i));
  for (guint i = 0; !narrow && i < n; i++)
    bits[i] = ts_load_u64 (p, i);
  return TRUE;
}

gboolean
ts_pack_get_values (TsCursor *c, guint64 *bits, guint n)
{
  guint8 form = ts_get_u8 (c);

  switch (form) {
  case TS_PACK_WIDE:
  case TS_PACK_NARROW:
    return !c->bad && get_fixed (c, bits, n, form == TS_PACK_NARROW);
  case TS_PACK_CONSTANT:
    bits[0] = ts_get_u64 (c);
    for (guint i = 1; i < n; i++)
      bits[i] = bits[0];
    return !c->bad;
  case TS_PACK_SCALED:
  case TS_PACK_RISING:
    return get_whole (c, bits, n, (TsPackForm) form);
  case TS_PACK_XOR:
    return ts_pack_get_xor (c, bits, n);
  default:
    return FALSE;
  }
}
