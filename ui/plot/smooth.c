/* SPDX-License-Identifier: MIT */
#include "ui/plot/smooth.h"

#include <math.h>

void
ts_smooth_init (TsSmooth *s, double weight)
{
  *s = (TsSmooth){.weight = isfinite (weight) ? CLAMP (weight, 0, 1) : 0};
}

/* 1 - wⁿ; without the power where it no longer reaches the last bit of 1. */
static double
correction (double w, double log_w, gint64 n)
{
  if (w == 1 || (double) n * log_w < -40)
    return 1;
  return 1 - pow (w, (double) n);
}

void
ts_smooth_run (TsSmooth *s, const double *y, double *out, gsize n)
{
  double w = s->weight, log_w = log (w);

  for (gsize i = 0; i < n; i++) {
    double v = y[i];
    if (!s->started) {
      s->started = TRUE;
      s->first = v;
    }
    s->varied |= !(v == s->first);
    if (!isfinite (v) || w == 0) {
      out[i] = v;
      continue;
    }
    s->last = s->last * w + (1 - w) * v;
    s->n++;
    if (!s->varied)
      out[i] = v;
    else
      out[i] = s->last / correction (w, log_w, s->n);
  }
}

void
ts_smooth (double weight, const double *y, double *out, gsize n)
{
  TsSmooth s;

  ts_smooth_init (&s, weight);
  /* looked up beforehand: with w = 1 even the first points depend on whether any differs */
  for (gsize i = 0; i < n && !s.varied; i++)
    s.varied = !(y[i] == y[0]);
  ts_smooth_run (&s, y, out, n);
}
