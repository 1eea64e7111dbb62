/* SPDX-License-Identifier: MIT */
#include "ui/widgets/ridge-view.h"

#include <adwaita.h>
#include <math.h>

#include "ui/models/figure.h"
#include "ui/plot/draw.h"

struct _TsRidgeView {
  GtkWidget parent;
  char *title;
  GArray *items;  /* of TsStoredHistogram, whose arrays the ridges borrow */
  GArray *ridges; /* of TsRidge */
  TsRidgeMode mode;
  double lo, hi;
  gssize hovered;
  TsRidgeLayout *layout; /* of the present size; NULL: to be made */
};

G_DEFINE_FINAL_TYPE (TsRidgeView, ts_ridge_view, GTK_TYPE_WIDGET)

static void
invalidate (TsRidgeView *view)
{
  g_clear_pointer (&view->layout, ts_ridge_layout_free);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

char *
ts_ridge_view_dup_words (TsRidgeView *view, guint index)
{
  const TsHistogram *h = &g_array_index (view->items, TsStoredHistogram, index).histogram;
  double n = (double) (h->count - h->nonfinite), mean = n > 0 ? h->sum / n : NAN;
  double std = n > 0 ? sqrt (MAX (h->sum_squares / n - mean * mean, 0)) : NAN;
  g_autofree char *step =
      ts_figure_count (g_array_index (view->items, TsStoredHistogram, index).step);
  g_autofree char *a = ts_figure_number (mean), *b = ts_figure_number (std),
                  *c = ts_figure_number (h->min);
  g_autofree char *d = ts_figure_number (h->max), *bad = ts_figure_count ((gint64) h->nonfinite);

  return g_strdup_printf ("step %s · mean %s · std %s · min %s · max %s%s%s%s", step, a, b, c, d,
                          h->nonfinite ? " · " : "", h->nonfinite ? bad : "",
                          h->nonfinite ? " non-finite" : "");
}

static TsRidgeLayout *
get_layout (TsRidgeView *view)
{
  int width = gtk_widget_get_width (GTK_WIDGET (view)),
      height = gtk_widget_get_height (GTK_WIDGET (view));
  g_autofree char *subtitle = NULL, *words = NULL;

  if (view->layout && view->layout->chart.width == width && view->layout->chart.height == height)
    return view->layout;
  g_clear_pointer (&view->layout, ts_ridge_layout_free);
  if (view->items->len)
    subtitle = ts_figure_count (
        (gint64) g_array_index (view->items, TsStoredHistogram, 0).histogram.count);
  TsRidgeChart chart = {.title = view->title,
                        .subtitle = subtitle,
                        .ridges = (const TsRidge *) (gpointer) view->ridges->data,
                        .n = view->ridges->len,
                        .mode = view->mode,
                        .width = width,
                        .height = height,
                        .dark = adw_style_manager_get_dark (adw_style_manager_get_default ()),
                        .range_given = view->lo <= view->hi,
                        .lo = view->lo,
                        .hi = view->hi,
                        .cursor = view->hovered};
  view->layout = ts_ridge_layout_new (&chart);
  if (view->hovered >= 0 && view->hovered < (gssize) view->items->len) {
    words = ts_ridge_view_dup_words (view, (guint) view->hovered);
    g_free (view->layout->foot);
    view->layout->foot = g_steal_pointer (&words);
  }
  return view->layout;
}

static void
ts_ridge_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsRidgeView *view = TS_RIDGE_VIEW (widget);
  float width = (float) gtk_widget_get_width (widget),
        height = (float) gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  TsRidgeLayout *layout = get_layout (view);

  ts_draw_card (cr, 0, 0, (double) width, (double) height, layout->chart.dark);
  ts_ridge_draw (cr, layout);
  cairo_destroy (cr);
}

static void
ts_ridge_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 220 : 260;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 360 : 320;
}

static void
set_hovered (TsRidgeView *view, gssize index)
{
  if (view->hovered == index)
    return;
  view->hovered = index;
  invalidate (view);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsRidgeView *view)
{
  set_hovered (view, ts_ridge_find (get_layout (view), x, y));
}

static void
on_leave (GtkEventControllerMotion *motion, TsRidgeView *view)
{
  set_hovered (view, -1);
}

static gboolean
on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
        TsRidgeView *view)
{
  gssize last = (gssize) view->items->len - 1;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || last < 0)
    return FALSE;
  set_hovered (
      view,
      CLAMP (view->hovered < 0 ? last : view->hovered + (key == GDK_KEY_Right ? 1 : -1), 0, last));
  g_autofree char *words = ts_ridge_view_dup_words (view, (guint) view->hovered);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words,
                                  -1);
  return TRUE;
}

static void
ts_ridge_view_finalize (GObject *object)
{
  TsRidgeView *view = TS_RIDGE_VIEW (object);

  g_clear_pointer (&view->layout, ts_ridge_layout_free);
  g_array_unref (view->items);
  g_array_unref (view->ridges);
  g_free (view->title);
  G_OBJECT_CLASS (ts_ridge_view_parent_class)->finalize (object);
}

static void
ts_ridge_view_class_init (TsRidgeViewClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ts_ridge_view_finalize;
  widget->snapshot = ts_ridge_view_snapshot;
  widget->measure = ts_ridge_view_measure;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "ridgeview");
}

static void
ts_ridge_view_init (TsRidgeView *view)
{
  GtkEventController *motion = gtk_event_controller_motion_new (),
                     *keys = gtk_event_controller_key_new ();

  view->items = g_array_new (FALSE, FALSE, sizeof (TsStoredHistogram));
  view->ridges = g_array_new (FALSE, FALSE, sizeof (TsRidge));
  view->lo = 1;
  view->hi = 0;
  view->hovered = -1;
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), view);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), view);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), view);
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (invalidate), view, G_CONNECT_SWAPPED);
}

GtkWidget *
ts_ridge_view_new (void)
{
  return g_object_new (TS_TYPE_RIDGE_VIEW, NULL);
}

void
ts_ridge_view_set_data (TsRidgeView *view, const char *title, const TsStoredHistogram *items,
                        guint n)
{
  g_autofree char *words = g_strdup_printf ("%s, %u histograms", title, n);

  g_free (view->title);
  view->title = g_strdup (title);
  g_array_set_size (view->items, 0);
  g_array_append_vals (view->items, items, n);
  g_array_set_size (view->ridges, 0);
  for (guint i = 0; i < n; i++) { /* borrows from items, which do not grow any more */
    const TsStoredHistogram *s = &g_array_index (view->items, TsStoredHistogram, i);
    TsRidge r = {(double) s->step,   s->histogram.n,      s->histogram.left,
                 s->histogram.right, s->histogram.bucket, (double) s->histogram.nonfinite};
    g_array_append_val (view->ridges, r);
  }
  view->hovered = MIN (view->hovered, (gssize) n - 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  invalidate (view);
}

void
ts_ridge_view_set_mode (TsRidgeView *view, TsRidgeMode mode)
{
  view->mode = mode;
  invalidate (view);
}

void
ts_ridge_view_set_range (TsRidgeView *view, double lo, double hi)
{
  view->lo = lo;
  view->hi = hi;
  invalidate (view);
}

gboolean
ts_ridge_view_get_range (TsRidgeView *view, double *lo, double *hi)
{
  return ts_ridge_range ((const TsRidge *) (gpointer) view->ridges->data, view->ridges->len, lo,
                         hi);
}

guint
ts_ridge_view_get_n (TsRidgeView *view)
{
  return view->items->len;
}
