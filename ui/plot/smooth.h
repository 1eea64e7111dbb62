/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The debiased exponential moving average of TensorBoard, over all points of a series in their
 * order (it looks at no x): last = last·w + (1 - w)·y, out = last / (1 - wⁿ).  A value that is not
 * finite comes out as it went in and leaves the state alone; a series whose values are all equal
 * comes out unchanged; w = 0 is the raw series, w = 1 is 0 everywhere (as there).
 *
 * The state can be kept at any point and gone on with later: the same bits as in one go, but for an
 * opening stretch of equal values (see ts_smooth_run). */
typedef struct {
  double weight; /* 0..1; anything else is clamped, what is not finite counts as 0 */
  double last;
  gint64 n;     /* finite values so far */
  double first; /* the first value of all, for the rule about equal values */
  gboolean started, varied;
} TsSmooth;

void ts_smooth_init (TsSmooth *smooth, double weight);

/* @out may be @y.  Whether all values of a series are equal is known only at its end: while only
 * equal ones have come they go out unchanged, which is right up to rounding (w < 1) either way. */
void ts_smooth_run (TsSmooth *smooth, const double *y, double *out, gsize n);

/* All in one. */
void ts_smooth (double weight, const double *y, double *out, gsize n);

G_END_DECLS
