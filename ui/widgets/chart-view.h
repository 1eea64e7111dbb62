/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/series.h"
#include "ui/widgets/chart-renderer.h"
#include "ui/widgets/chart-viewport.h"

G_BEGIN_DECLS

/* One tag of several runs, drawn by the plot core in the thread of charts; the newest finished
 * picture is shown.  Cursor and selection lie over it, so that moving them draws no curve.
 *
 * Pointer and keys: drag zooms into a box, Shift or middle drag pans, Ctrl+wheel zooms x, double
 * click fits; with the focus arrows pan, + - zoom, 0 fits, Y switches log.  All of that goes
 * through the functions below.  px are the widget's.  Main thread.
 *
 * Signals: "drawn" (another picture is shown), "hover-changed", "look-changed" (by a key). */
#define TS_TYPE_CHART_VIEW (ts_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (TsChartView, ts_chart_view, TS, CHART_VIEW, GtkWidget)

GtkWidget *ts_chart_view_new (const char *tag);
const char *ts_chart_view_get_tag (TsChartView *view);

typedef struct {
  TsSeries *series;
  const char *name;
  guint color;
  gboolean live, selected;
  gboolean exact; /* drawn as it is, whatever the smoothing */
} TsChartRun;

/* These and no others; keeps the series, copies the names. */
void ts_chart_view_set_runs (TsChartView *view, const TsChartRun *runs, guint n);
guint ts_chart_view_get_n_runs (TsChartView *view);

typedef struct {
  double smoothing; /* 0 … 1 */
  gboolean log_y;
  TsXKind x_kind;
} TsChartLook;

/* What all charts of a page have in common.  A chart whose log was switched by itself keeps it until
 * @look's log is another. */
void ts_chart_view_set_look (TsChartView *view, const TsChartLook *look);
const TsChartLook *ts_chart_view_get_look (TsChartView *view);
/* Of this chart alone. */
void ts_chart_view_set_log_y (TsChartView *view, gboolean log_y);
/* A fitted axis of steps goes on until here; 0: it ends with the data. */
void ts_chart_view_set_planned (TsChartView *view, gint64 steps);

/* --- What is shown --- */

/* Of the picture; NULL before the first. */
const TsLayout *ts_chart_view_get_layout (TsChartView *view);
const TsChartViewport *ts_chart_view_get_viewport (TsChartView *view);
void ts_chart_view_fit (TsChartView *view);
void ts_chart_view_zoom (TsChartView *view, double px, double factor);
void ts_chart_view_pan (TsChartView *view, double dx, double dy);
/* "val/loss, 6 runs, lowest fork 0.2375, lr 1e-2 NaN at 11,800" (new). */
char *ts_chart_view_dup_description (TsChartView *view);
/* A request for the same chart of another size, for files: px at scale 1 (new). */
TsChartRequest *ts_chart_view_dup_request (TsChartView *view, int width, int height);

/* --- Hover and cursor --- */

/* The pointer is at (px, py), or has left. */
void ts_chart_view_point (TsChartView *view, double px, double py);
void ts_chart_view_leave (TsChartView *view);
gboolean ts_chart_view_is_pointed (TsChartView *view);

/* The cursor, in data; hovering sets it to the nearest point's x, and pages link it to other
 * charts. NULL: none. */
void ts_chart_view_set_cursor (TsChartView *view, const double *x);
gboolean ts_chart_view_get_cursor (TsChartView *view, double *x);

/* --- Dragging --- */

typedef enum { TS_CHART_DRAG_BOX, TS_CHART_DRAG_PAN } TsChartDragKind;

void ts_chart_view_drag_begin (TsChartView *view, TsChartDragKind kind, double px, double py);
void ts_chart_view_drag_update (TsChartView *view, double px, double py);
/* @done: zoom into the box; otherwise everything is as before the drag. */
void ts_chart_view_drag_end (TsChartView *view, gboolean done);

/* FALSE: no key of charts. */
gboolean ts_chart_view_press_key (TsChartView *view, guint keyval, GdkModifierType modifiers);

/* chart-gestures.c */
void ts_chart_view_add_gestures (TsChartView *view);

G_END_DECLS
