/* SPDX-License-Identifier: MIT */
#include "data/store/point.h"

#include <math.h>

#define EXPONENT_64 0x7ff
#define MANTISSA_64 0xfffffffffffffull

guint64
ts_bits_widen_rare (guint32 narrow)
{
  guint64 sign = (guint64) (narrow >> 31) << 63;
  guint32 exponent = narrow >> 23 & 0xff, mantissa = narrow & 0x7fffff;

  if (exponent == 0xff)
    return sign | (guint64) EXPONENT_64 << 52 | (guint64) mantissa << 29;
  if (exponent)
    return sign | (guint64) (exponent + 896) << 52 | (guint64) mantissa << 29;
  if (!mantissa)
    return sign;
  /* A denormal of binary32 is normal in binary64. */
  int shift = __builtin_clz (mantissa) - 8;
  mantissa = mantissa << shift & 0x7fffff;
  return sign | (guint64) (897 - shift) << 52 | (guint64) mantissa << 29;
}

gboolean
ts_bits_narrow_rare (guint64 bits, guint32 *narrow)
{
  guint32 sign = (guint32) (bits >> 63) << 31, result;
  int exponent = (int) (bits >> 52 & EXPONENT_64);
  guint64 mantissa = bits & MANTISSA_64;

  if (exponent == EXPONENT_64)
    result = sign | 0x7f800000u | (guint32) (mantissa >> 29);
  else if (exponent >= 897 && exponent <= 1150)
    result = sign | (guint32) (exponent - 896) << 23 | (guint32) (mantissa >> 29);
  else if (exponent >= 874 && exponent < 897)
    result = sign | (guint32) ((mantissa | 1ull << 52) >> (29 + 897 - exponent));
  else
    result = sign;
  *narrow = result;
  return ts_bits_widen_rare (result) == bits;
}

gint64
ts_wall_us (gint64 wall, TsWallKind kind)
{
  if (kind == TS_WALL_US)
    return wall;
  double us = ts_unbits ((guint64) wall) * 1e6;
  if (isnan (us))
    return 0;
  if (us >= 0x1p63)
    return G_MAXINT64;
  if (us <= -0x1p63)
    return G_MININT64;
  return (gint64) llrint (us);
}

double
ts_wall_seconds (gint64 wall, TsWallKind kind)
{
  return kind == TS_WALL_SECONDS ? ts_unbits ((guint64) wall) : (double) wall / 1e6;
}

void
ts_stats_add_item (TsStats *stats, gint64 step, gint64 us)
{
  if (stats->count++ == 0) {
    stats->first_step = stats->min_step = stats->max_step = step;
  } else {
    stats->unordered |= step <= stats->last_step;
    stats->min_step = MIN (stats->min_step, step);
    stats->max_step = MAX (stats->max_step, step);
  }
  stats->last_step = step;
  stats->last_us = us;
}

static void
add_value (TsStats *stats, guint64 bits)
{
  guint64 magnitude = bits & ~(1ull << 63);

  if (magnitude > 0x7ff0000000000000ull) {
    stats->nan++;
  } else if (magnitude == 0x7ff0000000000000ull) {
    if (bits >> 63)
      stats->neg_inf++;
    else
      stats->pos_inf++;
  } else {
    double v = ts_unbits (bits);
    if (stats->finite++ == 0) {
      stats->min = stats->max = stats->sum = v;
    } else {
      if (v < stats->min)
        stats->min = v;
      if (v > stats->max)
        stats->max = v;
      stats->sum += v;
    }
  }
}

/* As add_value, for as long as all is finite.  Returns how many it has taken. */
static gsize
add_finite (TsStats *stats, const TsPoint *points, gsize n)
{
  double min = stats->min, max = stats->max, sum = stats->sum;
  gsize i = 0;

  if (stats->finite == 0)
    return 0;
  for (; i < n && (points[i].bits & ~(1ull << 63)) < 0x7ff0000000000000ull; i++) {
    double v = ts_unbits (points[i].bits);
    min = v < min ? v : min;
    max = v > max ? v : max;
    sum += v;
  }
  stats->finite += (gint64) i;
  stats->min = min;
  stats->max = max;
  stats->sum = sum;
  return i;
}

void
ts_stats_add_points (TsStats *stats, const TsPoint *points, gsize n, TsWallKind kind)
{
  TsStats s = *stats;

  if (n == 0)
    return;
  if (s.count == 0) {
    s.first_bits = points[0].bits;
    s.first_step = s.min_step = s.max_step = points[0].step;
  } else {
    s.unordered |= points[0].step <= s.last_step;
  }
  for (gsize i = 1; i < n; i++)
    s.unordered |= points[i].step <= points[i - 1].step;
  for (gsize i = 0; i < n; i++) {
    s.min_step = MIN (s.min_step, points[i].step);
    s.max_step = MAX (s.max_step, points[i].step);
  }
  for (gsize i = 0; i < n;) {
    i += add_finite (&s, points + i, n - i);
    if (i < n)
      add_value (&s, points[i++].bits);
  }
  s.count += (gint64) n;
  s.last_step = points[n - 1].step;
  s.last_us = ts_wall_us (points[n - 1].wall, kind);
  s.last_bits = points[n - 1].bits;
  *stats = s;
}
