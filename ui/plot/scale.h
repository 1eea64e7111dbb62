/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A map between data values and pixels, both ways.  A plain value; any thread. */
typedef enum {
  TS_SCALE_LINEAR,
  TS_SCALE_LOG10,
  TS_SCALE_SYMLOG, /* linear near 0, logarithmic on both sides of it */
} TsScaleKind;

typedef struct {
  TsScaleKind kind;
  double lo, hi;           /* data; lo < hi */
  double px_lo, px_hi;     /* where lo and hi lie; px_lo > px_hi for an axis that points up */
  double linear;           /* symlog: the value up to which it is about linear */
  double u_lo, half, gain; /* derived: px = px_lo + (u · half - u_lo) · gain */
} TsScale;

/* Any lo and hi that are finite (log: and positive) will do: an empty or reversed range is widened.
 * @linear: only for symlog, > 0. */
void ts_scale_init (TsScale *scale, TsScaleKind kind, double lo, double hi, double px_lo,
                    double px_hi);
void ts_scale_init_symlog (TsScale *scale, double lo, double hi, double linear, double px_lo,
                           double px_hi);

/* NaN for a value that has no place: NaN, and on a log scale what is not above 0.  Infinities keep
 * their sign in pixels. */
double ts_scale_to_px (const TsScale *scale, double value);
double ts_scale_to_data (const TsScale *scale, double px);

/* The range that shows [lo, hi] with air around it, before it is rounded to ticks: 5 % on each
 * side, not across 0 when the data stay on one side of it; an empty range becomes [-1, 1] around 0,
 * [0, 2v] or [2v, 0].  Log: 5 % of the decades, at least half a decade in all; what is not above 0
 * counts as missing.  Without data (lo > hi): [0, 1], log [0.1, 1]. */
void ts_scale_pad (TsScaleKind kind, double *lo, double *hi);

G_END_DECLS
