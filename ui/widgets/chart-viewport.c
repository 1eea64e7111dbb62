/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-viewport.h"

#include <float.h>
#include <math.h>

gboolean
ts_chart_viewport_is_fit (const TsChartViewport *v)
{
  return !v->x_given && !v->y_given;
}

void
ts_chart_viewport_fit (TsChartViewport *v)
{
  *v = (TsChartViewport){0};
}

static void
get_scales (const TsChartViewport *v, const TsLayout *l, TsScale *x, TsScale *y)
{
  *x = l->x_scale;
  *y = l->y_scale;
  if (v->x_given)
    ts_scale_init (x, x->kind, v->x_min, v->x_max, x->px_lo, x->px_hi);
  if (v->y_given && (y->kind != TS_SCALE_LOG10 || v->y_min > 0))
    ts_scale_init (y, y->kind, v->y_min, v->y_max, y->px_lo, y->px_hi);
}

/* A range that doubles can still divide into pixels. */
static gboolean
is_range (double lo, double hi)
{
  return isfinite (lo) && isfinite (hi) &&
         hi - lo > 1e4 * DBL_EPSILON * MAX (fabs (lo), fabs (hi)) && hi - lo > 1e-300 &&
         hi - lo < 1e300;
}

static void
set_x (TsChartViewport *v, double lo, double hi)
{
  if (!is_range (lo, hi))
    return;
  v->x_given = TRUE;
  v->x_min = lo;
  v->x_max = hi;
}

static void
set_y (TsChartViewport *v, double lo, double hi)
{
  if (!is_range (lo, hi))
    return;
  v->y_given = TRUE;
  v->y_min = lo;
  v->y_max = hi;
}

gboolean
ts_chart_viewport_zoom_box (TsChartViewport *v, const TsLayout *l, double x0, double y0, double x1,
                            double y1)
{
  gboolean wide = fabs (x1 - x0) >= TS_CHART_BOX_MIN, high = fabs (y1 - y0) >= TS_CHART_BOX_MIN;
  double left = l->plot.x, right = left + l->plot.width;
  double top = l->plot.y, bottom = top + l->plot.height;
  TsScale x, y;

  get_scales (v, l, &x, &y);
  if (wide)
    set_x (v, ts_scale_to_data (&x, CLAMP (MIN (x0, x1), left, right)),
           ts_scale_to_data (&x, CLAMP (MAX (x0, x1), left, right)));
  if (high)
    set_y (v, ts_scale_to_data (&y, CLAMP (MAX (y0, y1), top, bottom)),
           ts_scale_to_data (&y, CLAMP (MIN (y0, y1), top, bottom)));
  return wide || high;
}

void
ts_chart_viewport_zoom_x (TsChartViewport *v, const TsLayout *l, double px, double factor)
{
  TsScale x, y;

  get_scales (v, l, &x, &y);
  set_x (v, ts_scale_to_data (&x, px + (x.px_lo - px) * factor),
         ts_scale_to_data (&x, px + (x.px_hi - px) * factor));
}

void
ts_chart_viewport_pan (TsChartViewport *v, const TsLayout *l, double dx, double dy)
{
  TsScale x, y;

  get_scales (v, l, &x, &y);
  if (dx)
    set_x (v, ts_scale_to_data (&x, x.px_lo - dx), ts_scale_to_data (&x, x.px_hi - dx));
  if (dy)
    set_y (v, ts_scale_to_data (&y, y.px_lo - dy), ts_scale_to_data (&y, y.px_hi - dy));
}

void
ts_chart_viewport_limit (TsChartViewport *v, double lo, double hi)
{
  if (v->x_given && v->x_min <= lo && v->x_max >= hi)
    v->x_given = FALSE;
}

void
ts_chart_viewport_freeze (TsChartViewport *v, const TsLayout *l)
{
  TsScale x, y;

  get_scales (v, l, &x, &y);
  *v = (TsChartViewport){TRUE, TRUE, x.lo, x.hi, y.lo, y.hi};
}

void
ts_chart_viewport_take (TsChartViewport *v, const TsChartViewport *other, gboolean x, gboolean y)
{
  if (x) {
    v->x_given = other->x_given;
    v->x_min = other->x_min;
    v->x_max = other->x_max;
  }
  if (y) {
    v->y_given = other->y_given;
    v->y_min = other->y_min;
    v->y_max = other->y_max;
  }
}
