/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-view-private.h"

#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "ui/models/figure.h"
#include "ui/plot/palette.h"
#include "ui/widgets/palette.h"

#define MIN_WIDTH      180
#define NATURAL_WIDTH  420
#define HEIGHT         246 /* a plot of 200, its axis, the exact line */
#define LABELS_FROM_PX 300
#define DOTS_MAX       64
#define DOT_NEAR_PX    16
#define SEEN_MARGIN_PX 120

typedef struct {
  TsSeries *series;
  gulong handler;
  char *name;
  guint color;
  gboolean live, selected, exact;
} Run;

G_DEFINE_FINAL_TYPE (TsChartView, ts_chart_view, GTK_TYPE_WIDGET)

enum { DRAWN, LOOK_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- Asking for pictures --- */

TsChartRequest *
ts_chart_view_dup_request (TsChartView *view, int width, int height)
{
  TsChartRequest *request = ts_chart_request_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  for (guint i = 0; i < view->runs->len; i++) {
    const Run *run = &g_array_index (view->runs, Run, i);
    TsChartLine line = {g_strdup (run->name), run->color, run->live,
                        run->selected,        run->exact, {0}};
    ts_series_slice (run->series, &line.slice);
    ts_chart_request_add (request, &line);
  }
  request->planned = (double) view->planned;
  request->options = (TsChartOptions){
      .width = width,
      .height = height,
      .scale = 1,
      .dark = adw_style_manager_get_dark (adw_style_manager_get_default ()),
      .smoothing = view->look.smoothing,
      .log_y = view->look.log_y,
      .x_kind = view->look.x_kind,
      .x_given = view->viewport.x_given,
      .y_given = view->viewport.y_given,
      .x_min = view->viewport.x_min,
      .x_max = view->viewport.x_max,
      .y_min = view->viewport.y_min,
      .y_max = view->viewport.y_max,
      .end_labels = width >= LABELS_FROM_PX,
      .utc_offset_s = (int) (g_date_time_get_utc_offset (now) / G_TIME_SPAN_SECOND),
  };
  return request;
}

/* GTK before 4.18 converts textures pixel by pixel when it draws with Cairo. */
static gboolean
wants_texture (TsChartView *view)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (view));
  GskRenderer *renderer = native ? gtk_native_get_renderer (native) : NULL;

  return renderer && (!GSK_IS_CAIRO_RENDERER (renderer) || gtk_get_minor_version () >= 18);
}

/* On the part of the page that is seen, or nearly? */
static gboolean
is_seen (TsChartView *view)
{
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t box;

  if (!page || !gtk_widget_compute_bounds (GTK_WIDGET (view), page, &box))
    return TRUE;
  return box.origin.y < (float) gtk_widget_get_height (page) + SEEN_MARGIN_PX &&
         box.origin.y + box.size.height > -SEEN_MARGIN_PX;
}

static gboolean
submit (gpointer data)
{
  TsChartView *view = data;
  int width = gtk_widget_get_width (GTK_WIDGET (view));
  int height = gtk_widget_get_height (GTK_WIDGET (view));

  view->source = 0;
  if (!view->dirty || width < 1 || height < 1 || !is_seen (view))
    return G_SOURCE_REMOVE;
  view->dirty = FALSE;
  TsChartRequest *request = ts_chart_view_dup_request (view, width, height);
  request->options.scale = gtk_widget_get_scale_factor (GTK_WIDGET (view));
  request->texture = wants_texture (view);
  ts_chart_renderer_submit (view->renderer, request);
  return G_SOURCE_REMOVE;
}

static void
queue_submit (TsChartView *view)
{
  if (view->dirty && !view->source && gtk_widget_get_mapped (GTK_WIDGET (view)))
    view->source = g_idle_add_full (GTK_PRIORITY_RESIZE + 1, submit, view, NULL);
}

void
ts_chart_view_invalidate (TsChartView *view)
{
  view->dirty = TRUE;
  queue_submit (view);
}

static GskRenderNode *
make_node (const TsChartFrame *frame)
{
  const TsChartOptions *o = &frame->layout->options;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) o->width, (float) o->height);

  if (frame->texture)
    return gsk_texture_node_new (frame->texture, &bounds);
  GskRenderNode *node = gsk_cairo_node_new (&bounds);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);
  cairo_scale (cr, 1 / o->scale, 1 / o->scale);
  cairo_set_source_surface (cr, frame->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  return node;
}

static void
describe (TsChartView *view)
{
  g_autofree char *words = ts_chart_view_dup_description (view);

  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words,
                                  -1);
}

static void
on_drawn (TsChartFrame *frame, gpointer data)
{
  TsChartView *view = data;

  g_clear_pointer (&view->frame, ts_chart_frame_free);
  g_clear_pointer (&view->node, gsk_render_node_unref);
  view->frame = frame;
  view->node = make_node (frame);
  describe (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit (view, signals[DRAWN], 0);
}

/* --- Drawing --- */

static GdkRGBA
rgba (guint32 rgb, float alpha)
{
  return (GdkRGBA){(float) (rgb >> 16 & 255) / 255.f, (float) (rgb >> 8 & 255) / 255.f,
                   (float) (rgb & 255) / 255.f, alpha};
}

static void
append_disc (GtkSnapshot *snapshot, double x, double y, double r, const GdkRGBA *color)
{
  graphene_rect_t box =
      GRAPHENE_RECT_INIT ((float) (x - r), (float) (y - r), (float) (2 * r), (float) (2 * r));
  GskRoundedRect disc;

  gsk_rounded_rect_init_from_rect (&disc, &box, (float) r);
  gtk_snapshot_push_rounded_clip (snapshot, &disc);
  gtk_snapshot_append_color (snapshot, color, &box);
  gtk_snapshot_pop (snapshot);
}

static void
snapshot_cursor (TsChartView *view, GtkSnapshot *snapshot)
{
  const TsLayout *l = view->frame->layout;
  const TsTheme *theme = ts_theme_get (l->options.dark);
  double px = ts_scale_to_px (&l->x_scale, view->cursor), right = l->plot.x + l->plot.width;
  GdkRGBA ink = rgba (theme->ink1, .6f), card = rgba (theme->card, 1);

  if (!(px >= l->plot.x && px <= right))
    return;
  gtk_snapshot_append_color (
      snapshot, &ink,
      &GRAPHENE_RECT_INIT ((float) floor (px), (float) l->plot.y, 1, (float) l->plot.height));
  for (guint i = 0; i < MIN (l->n_series, DOTS_MAX); i++) {
    guint k = l->order[i];
    TsHit hit;
    if (!ts_layout_find_point (l, k, px, &hit) || fabs (hit.px - px) > DOT_NEAR_PX ||
        !(hit.py >= l->plot.y - 1 && hit.py <= l->plot.y + l->plot.height + 1))
      continue;
    GdkRGBA color = rgba (ts_palette_color (l->series[k].color, l->options.dark), 1);
    append_disc (snapshot, hit.px, hit.py, 4.5, &card);
    append_disc (snapshot, hit.px, hit.py, 3.5, &color);
  }
}

static void
snapshot_box (TsChartView *view, GtkSnapshot *snapshot)
{
  const TsBox *plot = &view->frame->layout->plot;
  const TsTheme *theme = ts_theme_get (view->frame->layout->options.dark);
  double x0 = MIN (view->drag.x0, view->drag.x1), x1 = MAX (view->drag.x0, view->drag.x1);
  double y0 = MIN (view->drag.y0, view->drag.y1), y1 = MAX (view->drag.y0, view->drag.y1);
  GdkRGBA fill = rgba (theme->accent, .14f), edge = rgba (theme->accent, 1);

  if (x1 - x0 < TS_CHART_BOX_MIN && y1 - y0 < TS_CHART_BOX_MIN)
    return;
  if (x1 - x0 < TS_CHART_BOX_MIN)
    x0 = plot->x, x1 = plot->x + plot->width;
  if (y1 - y0 < TS_CHART_BOX_MIN)
    y0 = plot->y, y1 = plot->y + plot->height;
  x0 = floor (MAX (x0, plot->x));
  x1 = ceil (MIN (x1, plot->x + plot->width));
  y0 = floor (MAX (y0, plot->y));
  y1 = ceil (MIN (y1, plot->y + plot->height));
  graphene_rect_t box = GRAPHENE_RECT_INIT ((float) x0, (float) y0, (float) MAX (x1 - x0, 1),
                                            (float) MAX (y1 - y0, 1));
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, &box, 0);
  gtk_snapshot_append_color (snapshot, &fill, &box);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){1, 1, 1, 1},
                              (GdkRGBA[4]){edge, edge, edge, edge});
}

static void
ts_chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsChartView *view = TS_CHART_VIEW (widget);

  if (!view->node)
    return;
  gtk_snapshot_append_node (snapshot, view->node);
  if (view->has_cursor)
    snapshot_cursor (view, snapshot);
  if (view->drag.active && view->drag.kind == TS_CHART_DRAG_BOX)
    snapshot_box (view, snapshot);
}

/* --- Life --- */

static void
ts_chart_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? NATURAL_WIDTH : HEIGHT;
}

static void
ts_chart_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsChartView *view = TS_CHART_VIEW (widget);
  const TsChartOptions *o = view->frame ? &view->frame->layout->options : NULL;

  if (!o || o->width != width || o->height != height)
    ts_chart_view_invalidate (view);
  else
    queue_submit (view);
}

static void
ts_chart_view_map (GtkWidget *widget)
{
  TsChartView *view = TS_CHART_VIEW (widget);
  GtkWidget *page = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  GTK_WIDGET_CLASS (ts_chart_view_parent_class)->map (widget);
  if (page) {
    view->scrolling = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (page));
    g_object_ref (view->scrolling);
    g_signal_connect_swapped (view->scrolling, "value-changed", G_CALLBACK (queue_submit), view);
    g_signal_connect_swapped (view->scrolling, "changed", G_CALLBACK (queue_submit), view);
  }
  queue_submit (view);
}

static void
ts_chart_view_unmap (GtkWidget *widget)
{
  TsChartView *view = TS_CHART_VIEW (widget);

  if (view->scrolling)
    g_signal_handlers_disconnect_by_data (view->scrolling, view);
  g_clear_object (&view->scrolling);
  g_clear_handle_id (&view->source, g_source_remove);
  ts_chart_view_leave (view);
  GTK_WIDGET_CLASS (ts_chart_view_parent_class)->unmap (widget);
}

static void
clear_run (gpointer data)
{
  Run *run = data;

  g_signal_handler_disconnect (run->series, run->handler);
  g_object_unref (run->series);
  g_free (run->name);
}

static void
ts_chart_view_dispose (GObject *object)
{
  TsChartView *view = TS_CHART_VIEW (object);

  g_clear_handle_id (&view->source, g_source_remove);
  g_clear_pointer (&view->renderer, ts_chart_renderer_free);
  g_array_set_size (view->runs, 0);
  G_OBJECT_CLASS (ts_chart_view_parent_class)->dispose (object);
}

static void
ts_chart_view_finalize (GObject *object)
{
  TsChartView *view = TS_CHART_VIEW (object);

  g_clear_pointer (&view->node, gsk_render_node_unref);
  g_clear_pointer (&view->frame, ts_chart_frame_free);
  g_array_unref (view->runs);
  g_free (view->tag);
  G_OBJECT_CLASS (ts_chart_view_parent_class)->finalize (object);
}

static void
ts_chart_view_class_init (TsChartViewClass *klass)
{
  static const char *const names[N_SIGNALS] = {"drawn", "look-changed"};
  GObjectClass *object = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  object->dispose = ts_chart_view_dispose;
  object->finalize = ts_chart_view_finalize;
  widget->measure = ts_chart_view_measure;
  widget->size_allocate = ts_chart_view_size_allocate;
  widget->snapshot = ts_chart_view_snapshot;
  widget->map = ts_chart_view_map;
  widget->unmap = ts_chart_view_unmap;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "chart");
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], TS_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
  g_signal_new ("hover-changed", TS_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
ts_chart_view_init (TsChartView *view)
{
  view->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_array_set_clear_func (view->runs, clear_run);
  view->renderer = ts_chart_renderer_new (on_drawn, view);
  view->dirty = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (view), GTK_OVERFLOW_HIDDEN);
  ts_chart_view_add_gestures (view);
  g_signal_connect (view, "notify::scale-factor", G_CALLBACK (ts_chart_view_invalidate), NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (ts_chart_view_invalidate), view, G_CONNECT_SWAPPED);
}

GtkWidget *
ts_chart_view_new (const char *tag)
{
  TsChartView *view = g_object_new (TS_TYPE_CHART_VIEW, NULL);

  view->tag = g_utf8_make_valid (tag, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, view->tag,
                                  -1);
  return GTK_WIDGET (view);
}

const char *
ts_chart_view_get_tag (TsChartView *view)
{
  return view->tag;
}

/* --- What it shows --- */

static gboolean
has_runs (TsChartView *view, const TsChartRun *runs, guint n)
{
  if (view->runs->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const Run *run = &g_array_index (view->runs, Run, i);
    if (run->series != runs[i].series || run->color != runs[i].color || run->live != runs[i].live ||
        run->exact != runs[i].exact || run->selected != runs[i].selected ||
        strcmp (run->name, runs[i].name) != 0)
      return FALSE;
  }
  return TRUE;
}

void
ts_chart_view_set_runs (TsChartView *view, const TsChartRun *runs, guint n)
{
  if (has_runs (view, runs, n))
    return;
  GArray *old = g_steal_pointer (&view->runs);
  view->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_array_set_clear_func (view->runs, clear_run);
  for (guint i = 0; i < n; i++) {
    Run run = {g_object_ref (runs[i].series),
               0,
               g_strdup (runs[i].name),
               runs[i].color,
               runs[i].live,
               runs[i].selected,
               runs[i].exact};
    run.handler = g_signal_connect_swapped (run.series, "changed",
                                            G_CALLBACK (ts_chart_view_invalidate), view);
    g_array_append_val (view->runs, run);
  }
  g_array_unref (old);
  ts_chart_view_invalidate (view);
}

guint
ts_chart_view_get_n_runs (TsChartView *view)
{
  return view->runs->len;
}

/* Ranges mean nothing on another axis. */
static void
take_log_y (TsChartView *view, gboolean log_y)
{
  if (view->look.log_y != log_y)
    view->viewport.y_given = FALSE;
  view->look.log_y = log_y;
}

void
ts_chart_view_set_look (TsChartView *view, const TsChartLook *look)
{
  if (view->look.x_kind != look->x_kind) {
    view->viewport.x_given = FALSE;
    ts_chart_view_set_cursor (view, NULL);
  }
  view->look.x_kind = look->x_kind;
  view->look.smoothing = look->smoothing;
  if (view->given_log_y != look->log_y)
    take_log_y (view, look->log_y);
  view->given_log_y = look->log_y;
  ts_chart_view_invalidate (view);
}

const TsChartLook *
ts_chart_view_get_look (TsChartView *view)
{
  return &view->look;
}

void
ts_chart_view_set_log_y (TsChartView *view, gboolean log_y)
{
  if (view->look.log_y == log_y)
    return;
  take_log_y (view, log_y);
  ts_chart_view_invalidate (view);
  g_signal_emit (view, signals[LOOK_CHANGED], 0);
}

void
ts_chart_view_set_planned (TsChartView *view, gint64 steps)
{
  if (view->planned == steps)
    return;
  view->planned = steps;
  ts_chart_view_invalidate (view);
}

const TsLayout *
ts_chart_view_get_layout (TsChartView *view)
{
  return view->frame ? view->frame->layout : NULL;
}

const TsChartViewport *
ts_chart_view_get_viewport (TsChartView *view)
{
  return &view->viewport;
}

void
ts_chart_view_fit (TsChartView *view)
{
  ts_chart_viewport_fit (&view->viewport);
  view->drag.active = FALSE;
  ts_chart_view_invalidate (view);
}

void
ts_chart_view_zoom (TsChartView *view, double px, double factor)
{
  if (!view->frame)
    return;
  ts_chart_viewport_zoom_x (&view->viewport, view->frame->layout, px, factor);
  if (factor > 1)
    ts_chart_viewport_limit (&view->viewport, view->frame->x_lo, view->frame->x_hi);
  ts_chart_view_invalidate (view);
}

void
ts_chart_view_pan (TsChartView *view, double dx, double dy)
{
  if (!view->frame)
    return;
  ts_chart_viewport_pan (&view->viewport, view->frame->layout, dx, dy);
  ts_chart_view_invalidate (view);
}

/* The best and the worst end, and what is not finite. */
char *
ts_chart_view_dup_description (TsChartView *view)
{
  const TsLayout *l = ts_chart_view_get_layout (view);
  guint n = view->runs->len;
  GString *text = g_string_new (view->tag);
  const TsLayoutSeries *low = NULL, *high = NULL;
  double lowest = INFINITY, highest = -INFINITY;

  g_string_append_printf (text, ", %u run%s", n, n == 1 ? "" : "s");
  for (guint i = 0; l && i < l->n_series; i++) {
    const TsLayoutSeries *s = &l->series[i];
    double value = s->last < 0 ? NAN : s->smooth ? s->smooth[s->last] : s->y[s->last];
    if (value < lowest)
      lowest = value, low = s;
    if (value > highest)
      highest = value, high = s;
  }
  g_autofree char *a = ts_figure_number (lowest), *b = ts_figure_number (highest);
  if (low)
    g_string_append_printf (text, ", lowest %s %s", low->name, a);
  if (high && high != low)
    g_string_append_printf (text, ", highest %s %s", high->name, b);
  if (l && l->where)
    g_string_append_printf (text, ", %s", l->where);
  return g_string_free (text, FALSE);
}
