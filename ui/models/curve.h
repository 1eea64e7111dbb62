/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"

G_BEGIN_DECLS

/* The visible points of one series as columns of numbers, growing at the end.  It is filled on one
 * thread; slices of it may be read on any other meanwhile, without a lock and without a copy:
 * numbers that a slice covers never change or move while the slice lives. */
typedef struct TsCurve TsCurve;

TsCurve *ts_curve_new (void);
/* Slices stay valid. */
void ts_curve_free (TsCurve *curve);

/* Appends those of @points that no later attempt has overtaken. */
void ts_curve_append (TsCurve *curve, const TsStoredPoint *points, guint n);
/* Forgets all points; slices keep theirs. */
void ts_curve_reset (TsCurve *curve);
gsize ts_curve_get_n (const TsCurve *curve);

typedef struct {
  struct TsCurveStore *store;      /* keeps the numbers */
  const double *step, *wall_s, *y; /* @n each; seconds since the epoch */
  gsize n;
} TsCurveSlice;

/* All points so far.  Thread of the curve. */
void ts_curve_slice (TsCurve *curve, TsCurveSlice *slice);
/* The same numbers once more; any thread. */
void ts_curve_slice_copy (const TsCurveSlice *slice, TsCurveSlice *copy);
/* Any thread. */
void ts_curve_slice_clear (TsCurveSlice *slice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsCurveSlice, ts_curve_slice_clear)

G_END_DECLS
