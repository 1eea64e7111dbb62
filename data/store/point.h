/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* One scalar as it is stored: bits, never floating-point values, so that NaN payloads and -0.0
 * survive and a thread that flushes denormals changes nothing. */
typedef struct {
  gint64 step;
  gint64 wall;  /* µs since the epoch, or the bits of a double of seconds (TsWallKind) */
  guint64 bits; /* of the value, IEEE binary64 */
} TsPoint;

typedef enum { TS_WALL_US = 0, TS_WALL_SECONDS = 1 } TsWallKind;

static inline guint64
ts_bits (double value)
{
  guint64 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static inline double
ts_unbits (guint64 bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The two below for zeros, denormals, infinities and NaN. */
gboolean ts_bits_narrow_rare (guint64 bits, guint32 *narrow);
guint64 ts_bits_widen_rare (guint32 narrow);

/* FALSE when no binary32 widens to exactly these bits. */
static inline gboolean
ts_bits_narrow (guint64 bits, guint32 *narrow)
{
  guint exponent = (guint) (bits >> 52 & 0x7ff);

  if (exponent - 897 > 1150 - 897)
    return ts_bits_narrow_rare (bits, narrow);
  *narrow =
      (guint32) (bits >> 63) << 31 | ((guint32) ((bits & 0x7fffffffffffffff) >> 29) - (896u << 23));
  return (bits & 0x1fffffff) == 0;
}

/* Zero, a denormal, infinite or NaN. */
static inline gboolean
ts_bits_is_rare (guint32 narrow)
{
  return (narrow >> 23 & 0xff) - 1 > 253;
}

/* Of one that is not: exact also where denormals are flushed. */
static inline guint64
ts_bits_widen_normal (guint32 narrow)
{
  float value;
  memcpy (&value, &narrow, sizeof value);
  return ts_bits ((double) value);
}

static inline guint64
ts_bits_widen (guint32 narrow)
{
  return ts_bits_is_rare (narrow) ? ts_bits_widen_rare (narrow) : ts_bits_widen_normal (narrow);
}

/* The wall time in µs, rounded; 0 for NaN, clamped at the ends of gint64. */
gint64 ts_wall_us (gint64 wall, TsWallKind kind);

/* In seconds since the epoch. */
double ts_wall_seconds (gint64 wall, TsWallKind kind);

/* Exact statistics of a series over all points added so far, in their order.  Zero-initialise. */
typedef struct {
  gint64 count;
  gint64 first_step, last_step, min_step, max_step;
  gint64 last_us;
  guint64 first_bits, last_bits;
  double min, max, sum; /* over the finite values; 0 when there is none */
  gint64 finite, nan, pos_inf, neg_inf;
  gboolean unordered; /* some step was not greater than the one before it */
} TsStats;

void ts_stats_add_points (TsStats *stats, const TsPoint *points, gsize n, TsWallKind kind);

static inline void
ts_stats_add (TsStats *stats, const TsPoint *point, TsWallKind kind)
{
  ts_stats_add_points (stats, point, 1, kind);
}

/* Of a sample that is not a scalar. */
void ts_stats_add_item (TsStats *stats, gint64 step, gint64 us);

G_END_DECLS
