/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/plot/layout.h"

G_BEGIN_DECLS

/* What a chart holds at its cursor, as rows and as a table that floats over the page.  Main thread.
 */

typedef struct {
  TsHit hit; /* the nearest point of this run, exact */
  const char *name;
  guint color;
  double delta;  /* of what is drawn, to the best run; NaN for the best one and where unknown */
  gboolean away; /* its nearest point lies at another x */
} TsChartHover;

/* TRUE for accuracies and the like, FALSE for losses: by the tag's words. */
gboolean ts_tag_wants_high (const char *tag);

/* A row for each run, the best first, NaN last; at the point nearest to @x.  Borrows names from the
 * layout.  A GArray of TsChartHover (new). */
GArray *ts_chart_hover_new (const TsLayout *layout, const char *tag, double x);

/* The shortest decimal that is this very number (or its float, if it is one): "0.24812354". */
char *ts_figure_exact (double value);

#define TS_HOVER_ROWS 12

#define TS_TYPE_HOVER_TABLE (ts_hover_table_get_type ())
G_DECLARE_FINAL_TYPE (TsHoverTable, ts_hover_table, TS, HOVER_TABLE, GtkWidget)

GtkWidget *ts_hover_table_new (void);
/* At most TS_HOVER_ROWS rows, then "+ N more". */
void ts_hover_table_set (TsHoverTable *table, const TsLayout *layout, const char *tag, double x);

/* Where a table of that size goes, all in the page's px: under the chart, or at least under its
 * axis, or above its plot; right of the cursor @px; within @page. */
void ts_hover_table_place (const TsBox *chart, const TsBox *plot, const TsBox *page, double px,
                           double width, double height, double *x, double *y);

G_END_DECLS
