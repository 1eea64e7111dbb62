/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What one pixel column holds of a series: exact extremes, never a sample.  Data units.  A plain
 * value that a store may fill from its own levels of detail just as ts_decimate does from arrays.
 */
typedef struct {
  double min, max;    /* over the values that can be drawn */
  double first, last; /* by x; of equal x the first and the last given */
  guint32 count;      /* of values that can be drawn; 0: none of the four above means anything */
  guint32 n_nan, n_pos_inf, n_neg_inf;
  guint32 n_hidden; /* finite, but without a place on the axis (not above 0 on a log scale) */
  guint32 flags;    /* of TsColumnFlags */
} TsColumn;

/* Where the curve has to stop: what cannot be drawn came before the first or after the last value
 * that can.  In between it shows only as a mark. */
typedef enum {
  TS_COLUMN_CUT_BEFORE = 1 << 0,
  TS_COLUMN_CUT_AFTER = 1 << 1,
} TsColumnFlags;

static inline guint32
ts_column_lost (const TsColumn *c)
{
  return c->n_nan + c->n_pos_inf + c->n_neg_inf + c->n_hidden;
}

/* The columns of one series, and the nearest point on either side of them, towards which the curve
 * leaves the picture. */
typedef struct {
  TsColumn *column; /* @n of them, owned */
  int n;
  gboolean has_before, has_after;    /* there is such a point and it can be drawn */
  double before_px, before_y;        /* px: in columns from the left edge of column 0; < 0 */
  double after_px, after_y;          /* >= n */
  gsize n_points;                    /* all that were looked at, seen or not */
  gsize n_nan, n_pos_inf, n_neg_inf; /* of all of them */
  gsize n_hidden;
  gsize n_no_x; /* x is not finite: nowhere to draw it */
} TsColumns;

void ts_columns_init (TsColumns *columns, int n); /* all empty */
void ts_columns_clear (TsColumns *columns);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsColumns, ts_columns_clear)

/* Extremes over all columns; FALSE when nothing can be drawn. */
gboolean ts_columns_range (const TsColumns *columns, double *min, double *max);

G_END_DECLS
