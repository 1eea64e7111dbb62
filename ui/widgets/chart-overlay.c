/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-overlay.h"

#include "ui/widgets/chart-hover.h"

struct _TsChartOverlay {
  GtkWidget parent;
  GtkWidget *overlay, *table;
  GPtrArray *views;     /* borrowed */
  TsChartView *pointed; /* one of them, or NULL */
};

G_DEFINE_FINAL_TYPE (TsChartOverlay, ts_chart_overlay, GTK_TYPE_WIDGET)

enum { PROP_CHILD = 1 };

static void
show_table (TsChartOverlay *overlay)
{
  const TsLayout *layout = overlay->pointed ? ts_chart_view_get_layout (overlay->pointed) : NULL;
  double x;

  gtk_widget_set_visible (overlay->table, layout != NULL);
  if (!layout || !ts_chart_view_get_cursor (overlay->pointed, &x))
    return;
  ts_hover_table_set (TS_HOVER_TABLE (overlay->table), layout,
                      ts_chart_view_get_tag (overlay->pointed), x);
  gtk_widget_queue_allocate (overlay->overlay);
}

static void
on_hover (TsChartOverlay *overlay, TsChartView *view)
{
  double x = 0;
  gboolean pointed = ts_chart_view_is_pointed (view) && ts_chart_view_get_cursor (view, &x);

  if (!pointed && overlay->pointed != view)
    return;
  overlay->pointed = pointed ? view : NULL;
  for (guint i = 0; i < overlay->views->len; i++)
    if (overlay->views->pdata[i] != view)
      ts_chart_view_set_cursor (overlay->views->pdata[i], pointed ? &x : NULL);
  show_table (overlay);
}

static void
on_drawn (TsChartOverlay *overlay, TsChartView *view)
{
  if (overlay->pointed == view)
    show_table (overlay);
}

static gboolean
place_table (TsChartOverlay *overlay, GtkWidget *widget, GdkRectangle *place)
{
  const TsLayout *l = overlay->pointed ? ts_chart_view_get_layout (overlay->pointed) : NULL;
  graphene_rect_t box;
  double x, y, cursor;
  int width, height;

  if (widget != overlay->table || !l ||
      !gtk_widget_compute_bounds (GTK_WIDGET (overlay->pointed), overlay->overlay, &box))
    return FALSE;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  ts_chart_view_get_cursor (overlay->pointed, &cursor);
  TsBox chart = {box.origin.x, box.origin.y, box.size.width, box.size.height};
  TsBox plot = {chart.x + l->plot.x, chart.y + l->plot.y, l->plot.width, l->plot.height};
  TsBox whole = {0, 0, gtk_widget_get_width (overlay->overlay),
                 gtk_widget_get_height (overlay->overlay)};
  ts_hover_table_place (&chart, &plot, &whole, chart.x + ts_scale_to_px (&l->x_scale, cursor),
                        width, height, &x, &y);
  *place = (GdkRectangle){(int) x, (int) y, width, height};
  return TRUE;
}

void
ts_chart_overlay_add (TsChartOverlay *overlay, TsChartView *view)
{
  g_ptr_array_add (overlay->views, view);
  g_signal_connect_object (view, "hover-changed", G_CALLBACK (on_hover), overlay,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "drawn", G_CALLBACK (on_drawn), overlay, G_CONNECT_SWAPPED);
}

void
ts_chart_overlay_remove (TsChartOverlay *overlay, TsChartView *view)
{
  if (overlay->pointed == view) {
    overlay->pointed = NULL;
    show_table (overlay);
  }
  g_signal_handlers_disconnect_by_data (view, overlay);
  g_ptr_array_remove (overlay->views, view);
}

static void
ts_chart_overlay_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  TsChartOverlay *overlay = TS_CHART_OVERLAY (object);

  g_value_set_object (value, gtk_overlay_get_child (GTK_OVERLAY (overlay->overlay)));
}

static void
ts_chart_overlay_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  TsChartOverlay *overlay = TS_CHART_OVERLAY (object);

  gtk_overlay_set_child (GTK_OVERLAY (overlay->overlay), g_value_get_object (value));
}

static void
ts_chart_overlay_dispose (GObject *object)
{
  TsChartOverlay *overlay = TS_CHART_OVERLAY (object);

  overlay->pointed = NULL;
  g_ptr_array_set_size (overlay->views, 0);
  g_clear_pointer (&overlay->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_chart_overlay_parent_class)->dispose (object);
}

static void
ts_chart_overlay_finalize (GObject *object)
{
  g_ptr_array_unref (TS_CHART_OVERLAY (object)->views);
  G_OBJECT_CLASS (ts_chart_overlay_parent_class)->finalize (object);
}

static void
ts_chart_overlay_class_init (TsChartOverlayClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->get_property = ts_chart_overlay_get_property;
  object->set_property = ts_chart_overlay_set_property;
  object->dispose = ts_chart_overlay_dispose;
  object->finalize = ts_chart_overlay_finalize;
  g_object_class_install_property (
      object, PROP_CHILD,
      g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ts_chart_overlay_init (TsChartOverlay *overlay)
{
  overlay->views = g_ptr_array_new ();
  overlay->overlay = gtk_overlay_new ();
  overlay->table = ts_hover_table_new ();
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay->overlay), overlay->table);
  gtk_widget_set_visible (overlay->table, FALSE);
  gtk_widget_set_parent (overlay->overlay, GTK_WIDGET (overlay));
  g_signal_connect_object (overlay->overlay, "get-child-position", G_CALLBACK (place_table),
                           overlay, G_CONNECT_SWAPPED);
}

GtkWidget *
ts_chart_overlay_new (GtkWidget *child)
{
  return g_object_new (TS_TYPE_CHART_OVERLAY, "child", child, NULL);
}
