/* SPDX-License-Identifier: MIT */
#include "ui/plot/scale.h"

#include <float.h>
#include <math.h>

static double
transform (const TsScale *s, double v)
{
  switch (s->kind) {
  case TS_SCALE_LOG10:
    return v > 0 ? log10 (v) : NAN;
  case TS_SCALE_SYMLOG:
    return copysign (log10 (1 + fabs (v) / s->linear), v);
  case TS_SCALE_LINEAR:
    break;
  }
  return v;
}

/* A range a double can divide: not empty, and wide enough that neighbours differ. */
static void
widen (TsScaleKind kind, double *lo, double *hi)
{
  if (*lo > *hi) {
    double t = *lo;
    *lo = *hi;
    *hi = t;
  }
  if (kind == TS_SCALE_LOG10) {
    *lo = MAX (*lo, DBL_MIN);
    *hi = MAX (*hi, *lo);
    if (*hi < *lo * (1 + 1e-12)) {
      *hi = MIN (*hi * 1.01, DBL_MAX);
      *lo = *lo / 1.01;
    }
    return;
  }
  double least = MAX (MAX (fabs (*lo), fabs (*hi)) * 1e-13, 1e-300);
  if (*hi * .5 - *lo * .5 < least * .5) {
    *lo = MAX (*lo - least, -DBL_MAX);
    *hi = MIN (*hi + least, DBL_MAX);
  }
}

static void
derive (TsScale *s)
{
  widen (s->kind, &s->lo, &s->hi);
  double a = transform (s, s->lo), b = transform (s, s->hi);
  /* halves, so that a range of twice DBL_MAX does not overflow */
  s->half = isfinite (b - a) ? 1 : .5;
  s->u_lo = a * s->half;
  s->gain = (s->px_hi - s->px_lo) / (b * s->half - s->u_lo);
}

void
ts_scale_init (TsScale *s, TsScaleKind kind, double lo, double hi, double px_lo, double px_hi)
{
  g_return_if_fail (isfinite (lo) && isfinite (hi));
  *s = (TsScale){kind, lo, hi, px_lo, px_hi, 1};
  derive (s);
}

void
ts_scale_init_symlog (TsScale *s, double lo, double hi, double linear, double px_lo, double px_hi)
{
  g_return_if_fail (isfinite (lo) && isfinite (hi) && linear > 0);
  *s = (TsScale){TS_SCALE_SYMLOG, lo, hi, px_lo, px_hi, linear};
  derive (s);
}

double
ts_scale_to_px (const TsScale *s, double value)
{
  double u = s->kind == TS_SCALE_LINEAR ? value : transform (s, value);

  return s->px_lo + (u * s->half - s->u_lo) * s->gain;
}

double
ts_scale_to_data (const TsScale *s, double px)
{
  double u = (s->u_lo + (px - s->px_lo) / s->gain) / s->half;

  switch (s->kind) {
  case TS_SCALE_LOG10:
    return pow (10, u);
  case TS_SCALE_SYMLOG:
    return copysign ((pow (10, fabs (u)) - 1) * s->linear, u);
  case TS_SCALE_LINEAR:
    break;
  }
  return u;
}

static void
pad_log (double *lo, double *hi)
{
  double a = log10 (*lo), b = log10 (*hi);
  double air = MAX ((b - a) * .05, (.5 - (b - a)) / 2);

  *lo = MAX (pow (10, a - air), DBL_MIN);
  *hi = MIN (pow (10, b + air), DBL_MAX);
}

void
ts_scale_pad (TsScaleKind kind, double *lo, double *hi)
{
  gboolean log = kind == TS_SCALE_LOG10;

  if (!(*lo <= *hi) || (log && *hi <= 0)) {
    *lo = log ? .1 : 0;
    *hi = 1;
    return;
  }
  if (log) {
    *lo = MAX (*lo, DBL_MIN);
    pad_log (lo, hi);
    return;
  }
  if (*lo == *hi) {
    double v = *lo;
    *lo = v == 0 ? -1 : v < 0 ? MAX (2 * v, -DBL_MAX) : 0;
    *hi = v == 0 ? 1 : v < 0 ? 0 : MIN (2 * v, DBL_MAX);
    return;
  }
  double air = (*hi * .5 - *lo * .5) * .1;
  double a = MAX (*lo - air, -DBL_MAX), b = MIN (*hi + air, DBL_MAX);
  *lo = *lo >= 0 && a < 0 ? 0 : a;
  *hi = *hi <= 0 && b > 0 ? 0 : b;
}
