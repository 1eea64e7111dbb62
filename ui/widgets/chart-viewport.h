/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/layout.h"

G_BEGIN_DECLS

/* Which part of its data a chart shows.  An axis that is not given fits all, also when data come; a
 * given one stays where it is.  A plain value; all zeros fit.
 *
 * Pixels are those of the layout that was drawn last, but ranges go on from the viewport's own, so
 * that several steps may be taken before the next layout is there. */
typedef struct {
  gboolean x_given, y_given;
  double x_min, x_max, y_min, y_max; /* data */
} TsChartViewport;

gboolean ts_chart_viewport_is_fit (const TsChartViewport *viewport);
void ts_chart_viewport_fit (TsChartViewport *viewport);

/* Shows what lies between two px.  Where the box is thinner than TS_CHART_BOX_MIN in one direction
 * the other axis alone is zoomed; FALSE: thin both ways, nothing was done. */
#define TS_CHART_BOX_MIN 8
gboolean ts_chart_viewport_zoom_box (TsChartViewport *viewport, const TsLayout *layout, double x0,
                                     double y0, double x1, double y1);

/* Makes the x range @factor times as wide; what lies at @px stays there. */
void ts_chart_viewport_zoom_x (TsChartViewport *viewport, const TsLayout *layout, double px,
                               double factor);

/* Moves what is seen by @dx, @dy px.  An axis that does not move keeps fitting. */
void ts_chart_viewport_pan (TsChartViewport *viewport, const TsLayout *layout, double dx,
                            double dy);

/* Gives the ranges that are seen now. */
void ts_chart_viewport_freeze (TsChartViewport *viewport, const TsLayout *layout);
/* The axes of @other that are asked for. */
void ts_chart_viewport_take (TsChartViewport *viewport, const TsChartViewport *other, gboolean x,
                             gboolean y);

/* What is wider than [@lo, @hi], where all x lie, fits again. */
void ts_chart_viewport_limit (TsChartViewport *viewport, double lo, double hi);

G_END_DECLS
