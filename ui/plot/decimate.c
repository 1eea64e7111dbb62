/* SPDX-License-Identifier: MIT */
#include "ui/plot/decimate.h"

#include <math.h>
#include <string.h>

/* The order of points within a column is that of x, then that of their index. */
typedef struct {
  double x;
  gsize i;
} Place;

/* Which points were the outermost so far: first and last drawn, first and last lost. */
typedef struct {
  Place first, last, lost_first, lost_last;
} Edges;

static inline gboolean
before (Place a, Place b)
{
  return a.x < b.x || (a.x == b.x && a.i < b.i);
}

static void
add_drawn (TsColumn *c, Edges *e, Place at, double y)
{
  if (!c->count) {
    c->min = c->max = c->first = c->last = y;
    e->first = e->last = at;
  } else {
    c->min = MIN (c->min, y);
    c->max = MAX (c->max, y);
    if (before (at, e->first)) {
      e->first = at;
      c->first = y;
    }
    if (before (e->last, at)) {
      e->last = at;
      c->last = y;
    }
  }
  c->count++;
}

static void
add_lost (TsColumn *c, Edges *e, Place at, double y)
{
  if (!ts_column_lost (c) || before (at, e->lost_first))
    e->lost_first = at;
  if (!ts_column_lost (c) || before (e->lost_last, at))
    e->lost_last = at;
  if (isnan (y))
    c->n_nan++;
  else if (isfinite (y))
    c->n_hidden++;
  else if (y > 0)
    c->n_pos_inf++;
  else
    c->n_neg_inf++;
}

static void
count_total (TsColumns *columns, double y, gboolean drawn)
{
  if (isnan (y))
    columns->n_nan++;
  else if (isinf (y) && y > 0)
    columns->n_pos_inf++;
  else if (isinf (y))
    columns->n_neg_inf++;
  else if (!drawn)
    columns->n_hidden++;
}

void
ts_decimate (TsColumns *columns, const double *x, const double *y, gsize n, const TsScale *x_scale,
             gboolean positive_only)
{
  int width = columns->n;
  g_autofree Edges *edges = g_new (Edges, MAX (width, 1));
  TsColumn *column = columns->column;
  Place left = {-INFINITY, 0}, right = {INFINITY, 0};
  gboolean has_left = FALSE, has_right = FALSE;

  memset (column, 0, sizeof *column * (gsize) width);
  *columns = (TsColumns){.column = column, .n = width, .n_points = n};
  for (gsize i = 0; i < n; i++) {
    double px = ts_scale_to_px (x_scale, x[i]);
    gboolean drawn = isfinite (y[i]) && (!positive_only || y[i] > 0);
    Place at = {x[i], i};
    if (!isfinite (x[i]) || isnan (px)) {
      columns->n_no_x++;
      continue;
    }
    count_total (columns, y[i], drawn);
    if (px < 0) {
      if (!has_left || before (left, at))
        left = at;
      has_left = TRUE;
    } else if (px >= width) {
      if (!has_right || before (at, right))
        right = at;
      has_right = TRUE;
    } else if (drawn) {
      add_drawn (&column[(int) px], &edges[(int) px], at, y[i]);
    } else {
      add_lost (&column[(int) px], &edges[(int) px], at, y[i]);
    }
  }
  for (int c = 0; c < width; c++) {
    if (!column[c].count || !ts_column_lost (&column[c]))
      continue;
    if (before (edges[c].lost_first, edges[c].first))
      column[c].flags |= TS_COLUMN_CUT_BEFORE;
    if (before (edges[c].last, edges[c].lost_last))
      column[c].flags |= TS_COLUMN_CUT_AFTER;
  }
  if (has_left) {
    columns->before_px = ts_scale_to_px (x_scale, left.x);
    columns->before_y = y[left.i];
    columns->has_before = isfinite (y[left.i]) && (!positive_only || y[left.i] > 0);
  }
  if (has_right) {
    columns->after_px = ts_scale_to_px (x_scale, right.x);
    columns->after_y = y[right.i];
    columns->has_after = isfinite (y[right.i]) && (!positive_only || y[right.i] > 0);
  }
}
