/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/point.h"

G_BEGIN_DECLS

/* What consecutive points of a series amount to: exact extremes, never a sample. */
typedef struct {
  gint64 count;                 /* of points; 0: nothing below means anything */
  gint64 nan, pos_inf, neg_inf; /* of them */
  gint64 attempt_id;            /* 0: they are of several attempts */
  gint64 step_min, step_max;
  gint64 us_min, us_max; /* over the finite wall times, rounded; without any, min > max */
  double min, max, sum;  /* over the finite values, as in TsStats; 0 without any */
  double first, last;    /* finite value in seq order; 0 without any */
  guint8 cut;            /* of TsBucketCut */
} TsBucket;

/* Where a curve has to stop: NaN or an infinity came before the first or after the last finite
 * value, or there is none. */
typedef enum { TS_BUCKET_CUT_BEFORE = 1, TS_BUCKET_CUT_AFTER = 2 } TsBucketCut;

static inline gint64
ts_bucket_finite (const TsBucket *b)
{
  return b->count - b->nan - b->pos_inf - b->neg_inf;
}

/* The points, or the bucket, that come next.  Zero-initialise the first one. */
void ts_bucket_add (TsBucket *bucket, const TsPoint *points, guint n, TsWallKind wall,
                    gint64 attempt_id);
void ts_bucket_merge (TsBucket *bucket, const TsBucket *next);

G_END_DECLS
