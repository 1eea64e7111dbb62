/* SPDX-License-Identifier: MIT */
#include "data/store/bucket.h"

#include <math.h>

#define INFINITE 0x7ff0000000000000ull /* without the sign; above it: NaN */

static void
add_value (TsBucket *b, guint64 bits)
{
  guint64 magnitude = bits & ~(1ull << 63);

  if (magnitude < INFINITE) {
    double v = ts_unbits (bits);
    if (ts_bucket_finite (b) == 0) {
      b->min = b->max = b->sum = b->first = v;
      b->cut = b->count ? TS_BUCKET_CUT_BEFORE : 0;
    } else {
      if (v < b->min)
        b->min = v;
      if (v > b->max)
        b->max = v;
      b->sum += v;
      b->cut &= TS_BUCKET_CUT_BEFORE;
    }
    b->last = v;
    return;
  }
  b->cut |= TS_BUCKET_CUT_AFTER | (ts_bucket_finite (b) ? 0 : TS_BUCKET_CUT_BEFORE);
  if (magnitude > INFINITE)
    b->nan++;
  else if (bits >> 63)
    b->neg_inf++;
  else
    b->pos_inf++;
}

/* As add_value, for as long as all is ordinary.  Returns how many it has taken. */
static guint
add_finite (TsBucket *b, const TsPoint *points, guint n)
{
  double min = b->min, max = b->max, sum = b->sum, v = b->last;
  guint i = 0;

  if (ts_bucket_finite (b) == 0)
    return 0;
  for (; i < n && (points[i].bits & ~(1ull << 63)) < INFINITE; i++) {
    v = ts_unbits (points[i].bits);
    min = v < min ? v : min;
    max = v > max ? v : max;
    sum += v;
  }
  if (i)
    b->cut &= TS_BUCKET_CUT_BEFORE;
  b->count += i;
  b->min = min;
  b->max = max;
  b->sum = sum;
  b->last = v;
  return i;
}

static void
begin (TsBucket *b, gint64 attempt_id)
{
  *b = (TsBucket){.attempt_id = attempt_id,
                  .step_min = G_MAXINT64,
                  .step_max = G_MININT64,
                  .us_min = G_MAXINT64,
                  .us_max = G_MININT64};
}

/* Seconds some of which are negative or not finite. */
static void
add_odd_seconds (TsBucket *b, const TsPoint *points, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (!isfinite (ts_unbits ((guint64) points[i].wall)))
      continue;
    gint64 us = ts_wall_us (points[i].wall, TS_WALL_SECONDS);
    b->us_min = MIN (b->us_min, us);
    b->us_max = MAX (b->us_max, us);
  }
}

/* The bits of doubles that are not negative are in the order of the numbers, and rounding keeps it: only the ends
 * are turned into µs. */
static void
add_times (TsBucket *b, const TsPoint *points, guint n, TsWallKind wall)
{
  gint64 step_min = b->step_min, step_max = b->step_max, low = G_MAXINT64, high = G_MININT64;

  for (guint i = 0; i < n; i++) {
    step_min = MIN (step_min, points[i].step);
    step_max = MAX (step_max, points[i].step);
    low = MIN (low, points[i].wall);
    high = MAX (high, points[i].wall);
  }
  b->step_min = step_min;
  b->step_max = step_max;
  if (wall == TS_WALL_SECONDS && (low < 0 || high >= (gint64) INFINITE)) {
    add_odd_seconds (b, points, n);
    return;
  }
  b->us_min = MIN (b->us_min, ts_wall_us (low, wall));
  b->us_max = MAX (b->us_max, ts_wall_us (high, wall));
}

void
ts_bucket_add (TsBucket *b, const TsPoint *points, guint n, TsWallKind wall, gint64 attempt_id)
{
  if (b->count == 0)
    begin (b, attempt_id);
  else if (b->attempt_id != attempt_id)
    b->attempt_id = 0;
  for (guint i = 0; i < n;) {
    i += add_finite (b, points + i, n - i);
    if (i < n) {
      add_value (b, points[i++].bits);
      b->count++;
    }
  }
  add_times (b, points, n, wall);
}

static void
merge_values (TsBucket *b, const TsBucket *next)
{
  gboolean has = ts_bucket_finite (b) > 0;

  if (ts_bucket_finite (next) == 0) {
    b->cut |= TS_BUCKET_CUT_AFTER;
    return;
  }
  if (!has) {
    b->min = next->min;
    b->max = next->max;
    b->sum = next->sum;
    b->first = next->first;
    b->cut = TS_BUCKET_CUT_BEFORE;
  } else {
    if (next->min < b->min)
      b->min = next->min;
    if (next->max > b->max)
      b->max = next->max;
    b->sum += next->sum;
  }
  b->last = next->last;
  b->cut = (b->cut & TS_BUCKET_CUT_BEFORE) | (next->cut & TS_BUCKET_CUT_AFTER);
}

void
ts_bucket_merge (TsBucket *b, const TsBucket *next)
{
  if (next->count == 0)
    return;
  if (b->count == 0) {
    *b = *next;
    return;
  }
  merge_values (b, next);
  b->count += next->count;
  b->nan += next->nan;
  b->pos_inf += next->pos_inf;
  b->neg_inf += next->neg_inf;
  if (b->attempt_id != next->attempt_id)
    b->attempt_id = 0;
  b->step_min = MIN (b->step_min, next->step_min);
  b->step_max = MAX (b->step_max, next->step_max);
  b->us_min = MIN (b->us_min, next->us_min);
  b->us_max = MAX (b->us_max, next->us_max);
}
