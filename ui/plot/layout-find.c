/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ui/plot/layout.h"

/* The last index whose x is not above @x, by bisection; -1: none. */
static gssize
last_not_above (const TsLayoutSeries *s, double x)
{
  gsize lo = 0, hi = s->n;

  while (lo < hi) {
    gsize middle = lo + (hi - lo) / 2;
    if (s->x[middle] <= x)
      lo = middle + 1;
    else
      hi = middle;
  }
  return (gssize) lo - 1;
}

static gssize
nearest_sorted (const TsLayoutSeries *s, double x)
{
  gssize left = last_not_above (s, x), right = left + 1;

  if (left < 0 || isinf (s->x[left]))
    return right < (gssize) s->n && isfinite (s->x[right]) ? last_not_above (s, s->x[right]) : -1;
  if (right >= (gssize) s->n || isinf (s->x[right]) || x - s->x[left] <= s->x[right] - x)
    return left;
  return last_not_above (s, s->x[right]);
}

static gssize
nearest_unsorted (const TsLayoutSeries *s, double x)
{
  gssize best = -1;

  for (gsize i = 0; i < s->n; i++) {
    if (!isfinite (s->x[i]))
      continue;
    double d = fabs (s->x[i] - x), least = best < 0 ? INFINITY : fabs (s->x[best] - x);
    if (best < 0 || d < least || (d == least && s->x[i] <= s->x[best]))
      best = (gssize) i;
  }
  return best;
}

gboolean
ts_layout_find_point (const TsLayout *l, guint series, double px, TsHit *hit)
{
  g_return_val_if_fail (series < l->n_series, FALSE);
  const TsLayoutSeries *s = &l->series[series];
  double x = ts_scale_to_data (&l->x_scale, px);
  gssize i = s->sorted ? nearest_sorted (s, x) : nearest_unsorted (s, x);

  if (i < 0)
    return FALSE;
  double y = s->smooth ? s->smooth[i] : s->y[i];
  *hit = (TsHit){series, (gsize) i, s->x[i], y, s->y[i]};
  hit->px = ts_scale_to_px (&l->x_scale, s->x[i]);
  hit->py = isfinite (y) ? ts_scale_to_px (&l->y_scale, y) : NAN;
  hit->distance = fabs (hit->px - px);
  return TRUE;
}

gboolean
ts_layout_find_nearest (const TsLayout *l, double px, double py, TsHit *hit)
{
  gboolean any = FALSE;

  for (guint k = 0; k < l->n_series; k++) {
    TsHit candidate;
    if (!ts_layout_find_point (l, k, px, &candidate))
      continue;
    candidate.distance =
        isnan (candidate.py) ? INFINITY : hypot (candidate.px - px, candidate.py - py);
    if (!any || candidate.distance < hit->distance)
      *hit = candidate;
    any = TRUE;
  }
  return any;
}
