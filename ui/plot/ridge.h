/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "ui/plot/layout.h"

G_BEGIN_DECLS

/* Distributions over steps, two ways: ridges (a curve per step, old ones behind, new ones in front)
 * and bands (where 38, 68, 90 % and all of the values lie, and the median).  As with charts a
 * layout is made first, in any thread, and is not changed afterwards; positions are px at scale 1.
 */

typedef struct {
  double step;
  guint n;                            /* buckets; 0: nothing finite */
  const double *left, *right, *count; /* n each, borrowed as long as the layout lives; left rises */
  double nonfinite;                   /* how many values were NaN or infinite */
} TsRidge;

typedef enum { TS_RIDGE_OFFSET, TS_RIDGE_BANDS } TsRidgeMode;

typedef struct {
  const char *title;     /* NULL: none, and no room for it */
  const char *subtitle;  /* beside it, lighter; may be NULL */
  const TsRidge *ridges; /* by rising step; borrowed */
  guint n;
  TsRidgeMode mode;
  int width, height;
  gboolean dark;
  gboolean range_given; /* the range of values below, so that several charts compare */
  double lo, hi;
  gssize cursor; /* the ridge that is drawn in the cursor's colour; -1: none */
} TsRidgeChart;

/* At most so many ridges are drawn, evenly chosen, first and last among them. */
#define TS_RIDGES_MAX 40

typedef struct {
  TsRidgeChart chart; /* title, subtitle copied */
  TsBox plot;
  TsScale value, step; /* to px */
  TsTicks value_ticks, step_ticks;
  guint drawn[TS_RIDGES_MAX];
  guint n_drawn;
  double peak;         /* largest density drawn */
  double ridge_height; /* px of the peak */
  char *foot;          /* "every 100 steps · 143 kept, 26 drawn · 0 non-finite" */
} TsRidgeLayout;

TsRidgeLayout *ts_ridge_layout_new (const TsRidgeChart *chart);
void ts_ridge_layout_free (TsRidgeLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsRidgeLayout, ts_ridge_layout_free)

/* With the top left corner at the origin of @cr; the card's colour is there already. */
void ts_ridge_draw (cairo_t *cr, const TsRidgeLayout *layout);

/* The range of finite values of @n ridges; FALSE when there are none. */
gboolean ts_ridge_range (const TsRidge *ridges, guint n, double *lo, double *hi);

/* The value below which the share @q of the finite values lies, evenly spread inside a bucket. */
double ts_ridge_quantile (const TsRidge *ridge, double q);

/* The ridge whose step is nearest to the place; -1 when there is none. */
gssize ts_ridge_find (const TsRidgeLayout *layout, double px, double py);

G_END_DECLS
