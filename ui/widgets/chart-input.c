/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ui/widgets/chart-view-private.h"

/* What pointer and keys do to a chart. */

#define PAN_SHARE  .1
#define KEY_FACTOR 1.25

/* --- Hover and cursor --- */

void
ts_chart_view_point (TsChartView *view, double px, double py)
{
  const TsLayout *l = ts_chart_view_get_layout (view);
  TsHit hit;

  if (!l || view->drag.active || px < l->plot.x - 2 || px > l->plot.x + l->plot.width + 2 ||
      py < l->plot.y - 4 || py > l->plot.y + l->plot.height + 20 ||
      !ts_layout_find_nearest (l, px, py, &hit)) {
    ts_chart_view_leave (view);
    return;
  }
  if (view->pointed && view->has_cursor && view->cursor == hit.x)
    return;
  view->pointed = TRUE;
  ts_chart_view_set_cursor (view, &hit.x);
  g_signal_emit_by_name (view, "hover-changed");
}

void
ts_chart_view_leave (TsChartView *view)
{
  if (!view->pointed)
    return;
  view->pointed = FALSE;
  ts_chart_view_set_cursor (view, NULL);
  g_signal_emit_by_name (view, "hover-changed");
}

gboolean
ts_chart_view_is_pointed (TsChartView *view)
{
  return view->pointed;
}

void
ts_chart_view_set_cursor (TsChartView *view, const double *x)
{
  if (x ? view->has_cursor && view->cursor == *x : !view->has_cursor)
    return;
  view->has_cursor = x != NULL;
  view->cursor = x ? *x : 0;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

gboolean
ts_chart_view_get_cursor (TsChartView *view, double *x)
{
  *x = view->cursor;
  return view->has_cursor;
}

/* --- Dragging and keys --- */

void
ts_chart_view_drag_begin (TsChartView *view, TsChartDragKind kind, double px, double py)
{
  if (!view->frame)
    return;
  ts_chart_view_leave (view);
  view->drag = (TsChartDrag){TRUE, kind, px, py, px, py, view->viewport, view->viewport};
  ts_chart_viewport_freeze (&view->drag.base, view->frame->layout);
}

void
ts_chart_view_drag_update (TsChartView *view, double px, double py)
{
  TsChartDrag *drag = &view->drag;

  if (!drag->active)
    return;
  drag->x1 = px;
  drag->y1 = py;
  if (drag->kind == TS_CHART_DRAG_BOX) {
    gtk_widget_queue_draw (GTK_WIDGET (view));
    return;
  }
  /* from where it began, so that nothing adds up; an axis that hardly moves stays as it was */
  TsChartViewport moved = drag->base;
  double dx = px - drag->x0, dy = py - drag->y0;
  ts_chart_viewport_pan (&moved, view->frame->layout, dx, dy);
  view->viewport = drag->before;
  ts_chart_viewport_take (&view->viewport, &moved, fabs (dx) >= TS_CHART_BOX_MIN / 2.,
                          fabs (dy) >= TS_CHART_BOX_MIN);
  ts_chart_view_invalidate (view);
}

void
ts_chart_view_drag_end (TsChartView *view, gboolean done)
{
  TsChartDrag *drag = &view->drag;

  if (!drag->active)
    return;
  drag->active = FALSE;
  if (!done)
    view->viewport = drag->before;
  else if (drag->kind == TS_CHART_DRAG_BOX)
    ts_chart_viewport_zoom_box (&view->viewport, view->frame->layout, drag->x0, drag->y0, drag->x1,
                                drag->y1);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  ts_chart_view_invalidate (view);
}

static double
get_middle (TsChartView *view)
{
  const TsLayout *l = view->frame->layout;

  return view->has_cursor ? ts_scale_to_px (&l->x_scale, view->cursor)
                          : l->plot.x + l->plot.width / 2;
}

gboolean
ts_chart_view_press_key (TsChartView *view, guint keyval, GdkModifierType modifiers)
{
  const TsLayout *l = ts_chart_view_get_layout (view);

  if (!l || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)))
    return FALSE;
  switch (keyval) {
  case GDK_KEY_Left:
    ts_chart_view_pan (view, l->plot.width * PAN_SHARE, 0);
    return TRUE;
  case GDK_KEY_Right:
    ts_chart_view_pan (view, -l->plot.width * PAN_SHARE, 0);
    return TRUE;
  case GDK_KEY_Up:
    ts_chart_view_pan (view, 0, l->plot.height * PAN_SHARE);
    return TRUE;
  case GDK_KEY_Down:
    ts_chart_view_pan (view, 0, -l->plot.height * PAN_SHARE);
    return TRUE;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add:
    ts_chart_view_zoom (view, get_middle (view), 1 / KEY_FACTOR);
    return TRUE;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    ts_chart_view_zoom (view, get_middle (view), KEY_FACTOR);
    return TRUE;
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
    ts_chart_view_fit (view);
    return TRUE;
  case GDK_KEY_y:
  case GDK_KEY_Y:
    ts_chart_view_set_log_y (view, !view->look.log_y);
    return TRUE;
  case GDK_KEY_Escape:
    if (!view->drag.active)
      return FALSE;
    ts_chart_view_drag_end (view, FALSE);
    return TRUE;
  default:
    return FALSE;
  }
}
