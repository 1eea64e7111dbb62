/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/widgets/chart-view.h"

G_BEGIN_DECLS

/* What charts of one page share: the cursor, which all follow, and the table of exact values of the
 * chart under the pointer, which floats over the page.  Property "child": the page's content.  Main
 * thread. */
#define TS_TYPE_CHART_OVERLAY (ts_chart_overlay_get_type ())
G_DECLARE_FINAL_TYPE (TsChartOverlay, ts_chart_overlay, TS, CHART_OVERLAY, GtkWidget)

GtkWidget *ts_chart_overlay_new (GtkWidget *child);

/* @view lies somewhere below the child.  Borrowed: to be removed before it goes. */
void ts_chart_overlay_add (TsChartOverlay *overlay, TsChartView *view);
void ts_chart_overlay_remove (TsChartOverlay *overlay, TsChartView *view);

G_END_DECLS
