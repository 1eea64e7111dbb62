/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/widgets/chart-view.h"

G_BEGIN_DECLS

typedef struct {
  gboolean active;
  TsChartDragKind kind;
  double x0, y0, x1, y1;
  TsChartViewport before;
  TsChartViewport base; /* the same ranges, given: layouts change under a drag */
} TsChartDrag;

struct _TsChartView {
  GtkWidget parent;
  char *tag;
  GArray *runs; /* of Run, chart-view.c */
  TsChartViewport viewport;
  TsChartLook look;
  gboolean given_log_y; /* the page's, when it last spoke of it */
  gint64 planned;
  TsChartRenderer *renderer;
  TsChartFrame *frame;
  GskRenderNode *node; /* the picture: the same node is no damage */
  gboolean dirty;      /* the picture is not what it should be */
  guint source;
  GtkAdjustment *scrolling; /* of the page, while mapped */
  gboolean pointed, has_cursor;
  double cursor; /* data */
  TsChartDrag drag;
};

/* Something is another: however often this is called, one picture is asked for. */
void ts_chart_view_invalidate (TsChartView *view);

G_END_DECLS
