/* SPDX-License-Identifier: MIT */
#include "ui/plot/track.h"

#include <math.h>

/* Marks look at one neighbour more than they draw. */
#define MARGIN (TS_TRACK_PAD + 2)

void
ts_track_init (TsTrack *t, int n)
{
  gsize size = (gsize) n + 2 * MARGIN;

  *t = (TsTrack){.n = n};
  t->floats = g_new0 (float, size * 4);
  t->bytes = g_new0 (guint8, size * 2);
  t->top = t->floats + MARGIN;
  t->bottom = t->top + size;
  t->first = t->bottom + size;
  t->last = t->first + size;
  t->filled = t->bytes + MARGIN;
  t->linked = t->filled + size;
}

void
ts_track_clear (TsTrack *t)
{
  g_clear_pointer (&t->floats, g_free);
  g_clear_pointer (&t->bytes, g_free);
  t->n = 0;
}

static float
row (const TsScale *scale, double value)
{
  double y = ts_scale_to_px (scale, value);

  return (float) CLAMP (y, -1e5, 1e5);
}

static void
set_point (TsTrack *t, int c, float y)
{
  t->top[c] = t->bottom[c] = t->first[c] = t->last[c] = y;
  t->filled[c] = 1;
}

/* Joins column @a, where the curve is at @ya, to @b; either may lie far outside (then it is a place
 * between columns) and is filled itself when it lies in the margin. */
static void
join (TsTrack *t, double a, float ya, double b, float yb)
{
  int lo = -TS_TRACK_PAD, hi = t->n + TS_TRACK_PAD - 1;
  int from = a < lo ? lo : (int) a, to = b > hi ? hi : (int) b;

  for (int c = from; c <= to; c++) {
    if (c == a && c >= 0 && c < t->n)
      continue;
    if (c == b && c >= 0 && c < t->n)
      continue;
    double f = b > a ? (c - a) / (b - a) : 0;
    set_point (t, c, (float) (ya + (yb - ya) * f));
  }
  for (int c = from; c < to; c++)
    t->linked[c] = 1;
}

static void
set_column (TsTrack *t, int c, const TsColumn *column, const TsScale *scale)
{
  float a = row (scale, column->min), b = row (scale, column->max);

  t->top[c] = MIN (a, b);
  t->bottom[c] = MAX (a, b);
  t->first[c] = row (scale, column->first);
  t->last[c] = row (scale, column->last);
  t->filled[c] = 1;
}

void
ts_track_from_columns (TsTrack *t, const TsColumns *columns, const TsScale *scale)
{
  gboolean joined = columns->has_before; /* there is something to go on from */
  double at = columns->has_before ? floor (MAX (columns->before_px, -1e9)) : 0;
  float y = columns->has_before ? row (scale, columns->before_y) : 0;

  ts_track_init (t, columns->n);
  if (joined && at >= -TS_TRACK_PAD)
    set_point (t, (int) at, y);
  for (int c = 0; c < columns->n; c++) {
    const TsColumn *column = &columns->column[c];
    if (!column->count) {
      if (ts_column_lost (column))
        joined = FALSE;
      continue;
    }
    set_column (t, c, column, scale);
    if (joined && !(column->flags & TS_COLUMN_CUT_BEFORE))
      join (t, at, y, c, t->first[c]);
    joined = !(column->flags & TS_COLUMN_CUT_AFTER);
    at = c;
    y = t->last[c];
  }
  if (!columns->has_after)
    return;
  double end = floor (MIN (columns->after_px, 1e9));
  float y_end = row (scale, columns->after_y);
  if (end < t->n + TS_TRACK_PAD)
    set_point (t, (int) end, y_end);
  if (joined)
    join (t, at, y, end, y_end);
}

/* How far the curve turns back where it leaves a column that it crossed from @from to @to, going on
 * over @next1 to @next2: what would be lost if the corner were cut. */
static float
turn (float from, float to, gboolean goes_on, float next1, float next2)
{
  float way = fabsf (to - from), sign = to < from ? -1 : 1;

  if (!goes_on)
    return way;
  float back = MAX (sign * (to - next1), sign * (to - next2));
  return CLAMP (back, 0, way);
}

void
ts_track_ease (TsTrack *t)
{
  float before_first = 0, before_last = 0; /* of the column before, as it was */

  for (int c = -TS_TRACK_PAD; c < t->n + TS_TRACK_PAD; c++) {
    float first = t->first[c], last = t->last[c], middle = (first + last) * .5f;
    float lo = MIN (first, last), hi = MAX (first, last), half = (hi - lo) * .5f;
    float up = lo - t->top[c], down = t->bottom[c] - hi; /* beyond first and last */
    if (!t->filled[c])
      continue;
    float end = turn (first, last, t->linked[c], t->first[c + 1], t->last[c + 1]);
    float start = turn (last, first, t->linked[c - 1], before_last, before_first);
    float keep_up = CLAMP (MAX (up, last < first ? end : start), 0, 1);
    float keep_down = CLAMP (MAX (down, last < first ? start : end), 0, 1);
    float keep = MAX (keep_up, keep_down);
    before_first = first;
    before_last = last;
    t->top[c] = middle - up - half * keep_up;
    t->bottom[c] = middle + down + half * keep_down;
    t->first[c] = CLAMP (middle + (first - middle) * keep, t->top[c], t->bottom[c]);
    t->last[c] = CLAMP (middle + (last - middle) * keep, t->top[c], t->bottom[c]);
  }
}

void
ts_track_from_band (TsTrack *t, const double *top, const double *bottom, int n)
{
  ts_track_init (t, n);
  for (int c = 0; c < n; c++) {
    if (isnan (top[c]) || isnan (bottom[c]))
      continue;
    t->top[c] = (float) CLAMP (MIN (top[c], bottom[c]), -1e5, 1e5);
    t->bottom[c] = (float) CLAMP (MAX (top[c], bottom[c]), -1e5, 1e5);
    t->first[c] = t->last[c] = (t->top[c] + t->bottom[c]) * .5f;
    t->filled[c] = 1;
    if (c > 0 && t->filled[c - 1])
      t->linked[c - 1] = 1;
  }
}
