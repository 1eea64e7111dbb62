/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "ui/widgets/chart-view.h"
#include "ui/widgets/chart-hover.h"

/* Charts of the Scalars page: ranges, hover, growth, several runs, one cursor. */

#define WIDTH  640
#define HEIGHT 300

/* --- Series and windows --- */

static GArray *
make_points (gint64 from, gint64 n, double (*value) (gint64 step))
{
  GArray *points = g_array_new (FALSE, TRUE, sizeof (TsStoredPoint));

  for (gint64 i = from; i < from + n; i++) {
    TsStoredPoint p = {
        .seq = i, .step = i, .wall_us = 1000000 * (1700000000 + i), .bits = ts_bits (value (i))};
    g_array_append_val (points, p);
  }
  return points;
}

static void
grow (TsSeries *series, gint64 from, gint64 n, double (*value) (gint64 step))
{
  g_autoptr (GArray) points = make_points (from, n, value);

  ts_series_take (series, points, FALSE);
}

static double
falling (gint64 step)
{
  return 1. / (1. + (double) step / 100);
}

static double
rising (gint64 step)
{
  return (double) step / 1000 + 1. / 3;
}

static double
broken (gint64 step)
{
  return step == 400 ? NAN : falling (step) / 2;
}

typedef struct {
  GtkWidget *window;
  TsChartView *view;
  TsSeries *a, *b;
  guint n_drawn;
} Bench;

static void
count_drawn (Bench *bench)
{
  bench->n_drawn++;
}

/* Until nothing has been drawn for a while that nothing asks for. */
static void
settle (Bench *bench)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  guint before;

  do {
    before = bench->n_drawn;
    for (guint quiet = 0; quiet < 30;) {
      if (g_main_context_iteration (NULL, FALSE)) {
        quiet = 0;
      } else {
        quiet++;
        g_usleep (2000);
      }
    }
    g_assert_cmpint (g_get_monotonic_time (), <, end);
  } while (bench->n_drawn != before || !ts_chart_view_get_layout (bench->view));
}

static void
show_runs (Bench *bench, gboolean a, gboolean b)
{
  TsChartRun runs[2];
  guint n = 0;

  if (a)
    runs[n++] = (TsChartRun){bench->a, "alpha", 0, FALSE, FALSE};
  if (b)
    runs[n++] = (TsChartRun){bench->b, "beta", 1, FALSE, FALSE};
  ts_chart_view_set_runs (bench->view, runs, n);
}

static void
set_up (Bench *bench, gconstpointer data)
{
  bench->window = gtk_window_new ();
  bench->view = TS_CHART_VIEW (ts_chart_view_new ("val/loss"));
  bench->a = ts_series_new (1, "val/loss");
  bench->b = ts_series_new (2, "val/loss");
  grow (bench->a, 0, 1000, falling);
  grow (bench->b, 0, 500, rising);
  gtk_widget_set_size_request (GTK_WIDGET (bench->view), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (bench->window), GTK_WIDGET (bench->view));
  g_signal_connect_swapped (bench->view, "drawn", G_CALLBACK (count_drawn), bench);
  show_runs (bench, TRUE, TRUE);
  gtk_window_present (GTK_WINDOW (bench->window));
  settle (bench);
}

static void
tear_down (Bench *bench, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (bench->view), (gpointer *) &bench->view);
  gtk_window_destroy (GTK_WINDOW (bench->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (bench->view);
  g_assert_finalize_object (bench->a);
  g_assert_finalize_object (bench->b);
}

static const TsLayout *
layout_of (Bench *bench)
{
  return ts_chart_view_get_layout (bench->view);
}

/* --- Curves that grow --- */

static void
test_fit_grows (Bench *bench, gconstpointer data)
{
  g_assert_cmpfloat (layout_of (bench)->x_scale.hi, ==, 999);
  grow (bench->a, 1000, 500, falling);
  settle (bench);
  g_assert_cmpfloat (layout_of (bench)->x_scale.hi, ==, 1499);
  g_assert_cmpuint (layout_of (bench)->series[0].n, ==, 1500);
  /* the future that is planned stays empty */
  ts_chart_view_set_planned (bench->view, 4000);
  settle (bench);
  g_assert_cmpfloat (layout_of (bench)->x_scale.hi, ==, 4000);
}

static void
test_zoom_stays (Bench *bench, gconstpointer data)
{
  const TsBox *plot = &layout_of (bench)->plot;
  double middle = plot->x + plot->width / 2;

  ts_chart_view_zoom (bench->view, middle, .5);
  settle (bench);
  double lo = layout_of (bench)->x_scale.lo, hi = layout_of (bench)->x_scale.hi;
  g_assert_cmpfloat_with_epsilon (hi - lo, 499.5, 1e-6);
  grow (bench->a, 1000, 500, falling);
  settle (bench);
  g_assert_cmpuint (layout_of (bench)->series[0].n, ==, 1500);
  g_assert_cmpfloat (layout_of (bench)->x_scale.lo, ==, lo);
  g_assert_cmpfloat (layout_of (bench)->x_scale.hi, ==, hi);
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_0, 0));
  settle (bench);
  g_assert_cmpfloat (layout_of (bench)->x_scale.hi, ==, 1499);
}

/* However often something changes, one picture is asked for. */
static void
test_latest_wins (Bench *bench, gconstpointer data)
{
  guint before = bench->n_drawn;

  for (gint64 i = 0; i < 50; i++)
    grow (bench->a, 1000 + i, 1, falling);
  settle (bench);
  g_assert_cmpuint (layout_of (bench)->series[0].n, ==, 1050);
  g_assert_cmpuint (bench->n_drawn - before, <=, 2);
}

/* A resumed run: points that were there are overtaken by new ones. */
static void
test_anew (Bench *bench, gconstpointer data)
{
  g_autoptr (GArray) points = make_points (0, 20, rising);

  ts_series_take (bench->a, points, TRUE);
  settle (bench);
  g_assert_cmpuint (layout_of (bench)->series[0].n, ==, 20);
  g_assert_cmpfloat (layout_of (bench)->series[0].y[19], ==, rising (19));
}

/* --- Runs --- */

static guint32
pixel (cairo_surface_t *image, double x, double y)
{
  const guchar *row =
      cairo_image_surface_get_data (image) + (int) y * cairo_image_surface_get_stride (image);

  return ((const guint32 *) (const void *) row)[(int) x] & 0xffffff;
}

/* What the widget puts on the screen. */
static cairo_surface_t *
grab (Bench *bench)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (image);

  GTK_WIDGET_GET_CLASS (bench->view)->snapshot (GTK_WIDGET (bench->view), snapshot);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (image);
  return image;
}

static guint
count_pixels (Bench *bench, guint32 rgb)
{
  cairo_surface_t *image = grab (bench);
  guint n = 0;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      n += pixel (image, x, y) == rgb;
  cairo_surface_destroy (image);
  return n;
}

static void
test_two_runs (Bench *bench, gconstpointer data)
{
  guint32 a = 0x0a98f0, b = 0xb93b07;

  g_assert_cmpuint (layout_of (bench)->n_series, ==, 2);
  g_assert_cmpuint (count_pixels (bench, a), >, 50);
  g_assert_cmpuint (count_pixels (bench, b), >, 50);
  show_runs (bench, TRUE, FALSE);
  settle (bench);
  g_assert_cmpuint (layout_of (bench)->n_series, ==, 1);
  g_assert_cmpuint (count_pixels (bench, a), >, 50);
  g_assert_cmpuint (count_pixels (bench, b), ==, 0);
  /* it comes back in its own colour */
  show_runs (bench, FALSE, TRUE);
  settle (bench);
  g_assert_cmpuint (count_pixels (bench, a), ==, 0);
  g_assert_cmpuint (count_pixels (bench, b), >, 50);
  show_runs (bench, FALSE, FALSE);
  settle (bench);
  g_assert_cmpuint (layout_of (bench)->n_series, ==, 0);
}

static void
test_words (Bench *bench, gconstpointer data)
{
  g_autofree char *before = ts_chart_view_dup_description (bench->view);
  g_autoptr (GArray) points = make_points (0, 401, broken);

  g_assert_cmpstr (before, ==, "val/loss, 2 runs, lowest alpha 0.0910, highest beta 0.8323");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (bench->view), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (bench->view),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, before);
  ts_series_take (bench->a, points, TRUE);
  settle (bench);
  g_autofree char *after = ts_chart_view_dup_description (bench->view);
  g_assert_nonnull (strstr (after, "NaN at 400"));
}

/* --- Hover and cursor --- */

static void
test_hover (Bench *bench, gconstpointer data)
{
  const TsLayout *l = layout_of (bench);
  double px = ts_scale_to_px (&l->x_scale, 123.4), py = ts_scale_to_px (&l->y_scale, falling (123));
  double x;

  ts_chart_view_point (bench->view, px, py);
  g_assert_true (ts_chart_view_is_pointed (bench->view));
  g_assert_true (ts_chart_view_get_cursor (bench->view, &x));
  g_assert_cmpfloat (x, ==, 123);
  g_autoptr (GArray) rows = ts_chart_hover_new (l, "val/loss", x);
  g_assert_cmpuint (rows->len, ==, 2);
  const TsChartHover *best = &g_array_index (rows, TsChartHover, 0);
  const TsChartHover *other = &g_array_index (rows, TsChartHover, 1);
  g_assert_cmpstr (best->name, ==, "alpha");
  g_assert_cmpfloat (best->hit.raw, ==, falling (123));
  g_assert_true (isnan (best->delta));
  g_assert_cmpfloat (other->hit.raw, ==, rising (123));
  g_assert_cmpfloat (other->delta, ==, rising (123) - falling (123));
  g_assert_false (other->away);
  /* beyond its end a run still says where it ended */
  g_autoptr (GArray) late = ts_chart_hover_new (l, "val/loss", 900);
  const TsChartHover *ended = &g_array_index (late, TsChartHover, 1);
  g_assert_cmpstr (ended->name, ==, "beta");
  g_assert_true (ended->away);
  g_assert_cmpfloat (ended->hit.x, ==, 499);
  /* an accuracy is best when it is high */
  g_autoptr (GArray) high = ts_chart_hover_new (l, "val/accuracy", x);
  g_assert_cmpstr (g_array_index (high, TsChartHover, 0).name, ==, "beta");
  ts_chart_view_point (bench->view, 2, py);
  g_assert_false (ts_chart_view_is_pointed (bench->view));
  g_assert_false (ts_chart_view_get_cursor (bench->view, &x));
}

/* The pixels that the cursor's line changes are those of its column and its dots. */
static void
test_cursor (Bench *bench, gconstpointer data)
{
  const TsLayout *l = layout_of (bench);
  double x = 700, y = l->plot.y + 3;
  int px = (int) floor (ts_scale_to_px (&l->x_scale, x));
  cairo_surface_t *before = grab (bench), *after;

  ts_chart_view_set_cursor (bench->view, &x);
  g_assert_false (ts_chart_view_is_pointed (bench->view));
  after = grab (bench);
  g_assert_cmpuint (pixel (before, px, y), !=, pixel (after, px, y));
  for (int at = 0; at < WIDTH; at++)
    if (ABS (at - px) > 5)
      for (int row = 0; row < HEIGHT; row++)
        g_assert_cmpuint (pixel (before, at, row), ==, pixel (after, at, row));
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
  ts_chart_view_set_cursor (bench->view, NULL);
  g_assert_false (ts_chart_view_get_cursor (bench->view, &x));
}

/* --- Dragging and keys --- */

static void
test_drag (Bench *bench, gconstpointer data)
{
  const TsLayout *l = layout_of (bench);
  double x0 = ts_scale_to_px (&l->x_scale, 200), x1 = ts_scale_to_px (&l->x_scale, 600);
  double y = l->plot.y + l->plot.height / 2;
  guint32 accent = 0x1f5fc4;

  ts_chart_view_drag_begin (bench->view, TS_CHART_DRAG_BOX, x0, y);
  g_assert_cmpuint (count_pixels (bench, accent), ==, 0);
  ts_chart_view_drag_update (bench->view, x1, y + 2);
  g_assert_cmpuint (count_pixels (bench, accent), >, 100);
  /* Escape: nothing has been */
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_Escape, 0));
  g_assert_true (ts_chart_viewport_is_fit (ts_chart_view_get_viewport (bench->view)));
  ts_chart_view_drag_begin (bench->view, TS_CHART_DRAG_BOX, x0, y);
  ts_chart_view_drag_update (bench->view, x1, y + 2);
  ts_chart_view_drag_end (bench->view, TRUE);
  settle (bench);
  g_assert_cmpuint (count_pixels (bench, accent), ==, 0);
  g_assert_cmpfloat_with_epsilon (layout_of (bench)->x_scale.lo, 200, 1e-6);
  g_assert_cmpfloat_with_epsilon (layout_of (bench)->x_scale.hi, 600, 1e-6);
}

/* Pictures that come meanwhile do not move what is dragged any further. */
static void
test_pan_drag (Bench *bench, gconstpointer data)
{
  const TsLayout *l = layout_of (bench);
  double a = ts_scale_to_px (&l->x_scale, 500), b = ts_scale_to_px (&l->x_scale, 600);

  /* back where it began: it fits as before */
  ts_chart_view_drag_begin (bench->view, TS_CHART_DRAG_PAN, a, 80);
  ts_chart_view_drag_update (bench->view, b, 80);
  g_assert_true (ts_chart_view_get_viewport (bench->view)->x_given);
  ts_chart_view_drag_update (bench->view, a + 1, 80);
  ts_chart_view_drag_end (bench->view, TRUE);
  g_assert_true (ts_chart_viewport_is_fit (ts_chart_view_get_viewport (bench->view)));
  ts_chart_view_drag_begin (bench->view, TS_CHART_DRAG_PAN, a, 80);
  for (int i = 1; i <= 4; i++) {
    ts_chart_view_drag_update (bench->view, a + (b - a) * i / 4, 80);
    settle (bench);
  }
  ts_chart_view_drag_end (bench->view, TRUE);
  settle (bench);
  g_assert_cmpfloat_with_epsilon (layout_of (bench)->x_scale.lo, -100, 1e-6);
  g_assert_false (ts_chart_view_get_viewport (bench->view)->y_given);
}

static void
test_keys (Bench *bench, gconstpointer data)
{
  const TsChartViewport *v = ts_chart_view_get_viewport (bench->view);

  g_assert_false (ts_chart_view_press_key (bench->view, GDK_KEY_space, 0));
  g_assert_false (ts_chart_view_press_key (bench->view, GDK_KEY_minus, GDK_CONTROL_MASK));
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_Right, 0));
  settle (bench);
  g_assert_cmpfloat_with_epsilon (v->x_min, 99.9, .5);
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_Left, 0));
  g_assert_cmpfloat_with_epsilon (v->x_min, 0, 1e-6);
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_plus, 0));
  g_assert_cmpfloat (v->x_max - v->x_min, <, 900);
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_Up, 0));
  g_assert_true (v->y_given);
  /* what was given for one kind of axis means nothing on the other */
  g_assert_true (ts_chart_view_press_key (bench->view, GDK_KEY_y, 0));
  g_assert_false (v->y_given);
  settle (bench);
  g_assert_cmpint (layout_of (bench)->y_scale.kind, ==, TS_SCALE_LOG10);
}

/* A chart keeps its own log when the page speaks of something else. */
static void
test_look (Bench *bench, gconstpointer data)
{
  TsChartLook look = {.smoothing = .5};

  ts_chart_view_set_log_y (bench->view, TRUE);
  ts_chart_view_set_look (bench->view, &look);
  settle (bench);
  g_assert_true (layout_of (bench)->options.log_y);
  g_assert_nonnull (layout_of (bench)->series[0].smooth);
  look.log_y = TRUE;
  ts_chart_view_set_look (bench->view, &look);
  look.log_y = FALSE;
  look.x_kind = TS_X_RELATIVE;
  ts_chart_view_set_look (bench->view, &look);
  settle (bench);
  g_assert_false (layout_of (bench)->options.log_y);
  g_assert_cmpfloat (layout_of (bench)->x_scale.lo, ==, 0);
  look.x_kind = TS_X_WALL;
  ts_chart_view_set_look (bench->view, &look);
  settle (bench);
  g_assert_cmpfloat (layout_of (bench)->x_scale.lo, ==, 1700000000);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
#define ADD(path, test) g_test_add (path, Bench, NULL, set_up, test, tear_down)
  ADD ("/chart/fit-grows", test_fit_grows);
  ADD ("/chart/zoom-stays", test_zoom_stays);
  ADD ("/chart/latest-wins", test_latest_wins);
  ADD ("/chart/anew", test_anew);
  ADD ("/chart/two-runs", test_two_runs);
  ADD ("/chart/words", test_words);
  ADD ("/chart/hover", test_hover);
  ADD ("/chart/cursor", test_cursor);
  ADD ("/chart/drag", test_drag);
  ADD ("/chart/pan-drag", test_pan_drag);
  ADD ("/chart/keys", test_keys);
  ADD ("/chart/look", test_look);
  return g_test_run ();
}
