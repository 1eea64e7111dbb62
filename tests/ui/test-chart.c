/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "ui/models/point-list.h"
#include "ui/models/run-set.h"
#include "ui/widgets/card-grid.h"
#include "ui/widgets/chart-card.h"
#include "ui/widgets/chart-hover.h"

/* Charts of the Scalars page: ranges, hover, growth, several runs, one cursor. */

#define WIDTH  640
#define HEIGHT 300

/* --- Series and windows -------------------------------------------------------------------------
 */

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

/* --- Ranges without a window --------------------------------------------------------------------
 */

static TsLayout *
make_layout (gboolean log_y)
{
  static double x[101], y[101];
  TsChartSeries series = {.name = "a", .x = x, .y = y, .n = 101};
  TsChart chart = {NULL, &series, 1, {.width = WIDTH, .height = HEIGHT, .log_y = log_y}};

  for (int i = 0; i <= 100; i++) {
    x[i] = i * 10;
    y[i] = 1 + i;
  }
  return ts_layout_new (&chart);
}

static void
test_zoom (void)
{
  g_autoptr (TsLayout) l = make_layout (FALSE);
  TsChartViewport v = {0};
  double px = ts_scale_to_px (&l->x_scale, 250);

  g_assert_true (ts_chart_viewport_is_fit (&v));
  ts_chart_viewport_zoom_x (&v, l, px, .5);
  g_assert_cmpfloat_with_epsilon (v.x_min, 125, 1e-6);
  g_assert_cmpfloat_with_epsilon (v.x_max, 625, 1e-6);
  g_assert_false (v.y_given);
  /* goes on from its own range although the layout is still the old one */
  ts_chart_viewport_zoom_x (&v, l, px, .5);
  g_assert_cmpfloat_with_epsilon (v.x_max - v.x_min, 250, 1e-6);
  ts_chart_viewport_zoom_x (&v, l, px, 8);
  ts_chart_viewport_limit (&v, 0, 1000);
  g_assert_true (ts_chart_viewport_is_fit (&v));
  /* never finer than numbers are */
  for (int i = 0; i < 200; i++)
    ts_chart_viewport_zoom_x (&v, l, px, .5);
  g_assert_cmpfloat (v.x_max, >, v.x_min);
  g_assert_cmpfloat (nextafter (v.x_min, INFINITY), <, v.x_max);
}

static void
test_box (void)
{
  g_autoptr (TsLayout) l = make_layout (FALSE);
  TsChartViewport v = {0};
  double x0 = ts_scale_to_px (&l->x_scale, 200), x1 = ts_scale_to_px (&l->x_scale, 700);
  double y0 = ts_scale_to_px (&l->y_scale, 80), y1 = ts_scale_to_px (&l->y_scale, 30);

  g_assert_false (ts_chart_viewport_zoom_box (&v, l, x0, y0, x0 + 3, y0 + 3));
  g_assert_true (ts_chart_viewport_is_fit (&v));
  /* from any corner to any other */
  g_assert_true (ts_chart_viewport_zoom_box (&v, l, x1, y0, x0, y1));
  g_assert_cmpfloat_with_epsilon (v.x_min, 200, 1e-6);
  g_assert_cmpfloat_with_epsilon (v.x_max, 700, 1e-6);
  g_assert_cmpfloat_with_epsilon (v.y_min, 30, 1e-6);
  g_assert_cmpfloat_with_epsilon (v.y_max, 80, 1e-6);
  /* flat: x alone; beyond the plot: to its edge */
  ts_chart_viewport_fit (&v);
  g_assert_true (ts_chart_viewport_zoom_box (&v, l, x0, y0, 1e5, y0 + 2));
  g_assert_false (v.y_given);
  g_assert_cmpfloat_with_epsilon (v.x_max, 1000, 2);
}

static void
test_pan (void)
{
  g_autoptr (TsLayout) l = make_layout (TRUE);
  TsChartViewport v = {0};
  double px = ts_scale_to_px (&l->x_scale, 100) - ts_scale_to_px (&l->x_scale, 0);
  double lo = l->y_scale.lo, hi = l->y_scale.hi;

  ts_chart_viewport_pan (&v, l, px, 0);
  g_assert_false (v.y_given);
  g_assert_cmpfloat_with_epsilon (v.x_min, -100, 1e-6);
  g_assert_cmpfloat_with_epsilon (v.x_max, 900, 1e-6);
  /* on a log axis a way is a factor */
  ts_chart_viewport_pan (&v, l, 0, 50);
  g_assert_cmpfloat_with_epsilon (v.y_max / v.y_min, hi / lo, 1e-6 * hi / lo);
  g_assert_cmpfloat (v.y_max, >, hi);
  ts_chart_viewport_pan (&v, l, -px, -50);
  g_assert_cmpfloat_with_epsilon (v.x_min, 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (v.y_min, lo, 1e-9);
}

/* --- Curves that grow ---------------------------------------------------------------------------
 */

static void
test_curve (void)
{
  TsCurve *curve = ts_curve_new ();
  g_autoptr (GArray) points = make_points (0, 3000, falling);
  TsStoredPoint *p = (TsStoredPoint *) (gpointer) points->data;
  TsCurveSlice early, late;

  ts_curve_slice (curve, &early);
  g_assert_cmpuint (early.n, ==, 0);
  ts_curve_slice_clear (&early);
  p[1].hidden = TRUE;
  ts_curve_append (curve, p, 10);
  ts_curve_slice (curve, &early);
  for (guint i = 10; i < points->len; i += 10)
    ts_curve_append (curve, p + i, 10);
  ts_curve_slice (curve, &late);
  ts_curve_free (curve);
  g_assert_cmpuint (early.n, ==, 9);
  g_assert_cmpuint (late.n, ==, 2999);
  g_assert_cmpfloat (early.step[1], ==, 2);
  g_assert_cmpfloat (early.y[8], ==, falling (9));
  for (gsize i = 1; i < late.n; i++) {
    g_assert_cmpfloat (late.step[i], ==, (double) i + 1);
    g_assert_cmpfloat (late.y[i], ==, falling ((gint64) i + 1));
    g_assert_cmpfloat (late.wall_s[i], ==, 1700000001. + (double) i);
  }
  ts_curve_slice_clear (&early);
  ts_curve_slice_clear (&late);
}

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

/* --- Runs ---------------------------------------------------------------------------------------
 */

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

/* --- Hover and cursor ---------------------------------------------------------------------------
 */

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

static void
test_exact (void)
{
  static const double values[] = {0.1, 1. / 3, 1e-300, 123456789.125, -0.5, 1e22, 5e-324};

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *text = ts_figure_exact (values[i]);
    g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, values[i]);
  }
  g_autofree char *single = ts_figure_exact ((double) 0.1f), *whole = ts_figure_exact (1);
  g_autofree char *nan = ts_figure_exact (NAN), *inf = ts_figure_exact (-INFINITY);
  g_assert_cmpstr (single, ==, "0.1");
  g_assert_cmpstr (whole, ==, "1");
  g_assert_cmpstr (nan, ==, "NaN");
  g_assert_cmpstr (inf, ==, "-Inf");
}

/* Never over the curves of its own chart. */
static void
test_place (void)
{
  TsBox page = {0, 0, 900, 700}, chart = {0, 0, 440, 246}, plot = {44, 6, 300, 200};
  double x, y;

  ts_hover_table_place (&chart, &plot, &page, 100, 300, 200, &x, &y);
  g_assert_cmpfloat (x, ==, 110);
  g_assert_cmpfloat (y, ==, 246);
  ts_hover_table_place (&chart, &plot, &page, 800, 300, 200, &x, &y);
  g_assert_cmpfloat (x + 300, <=, 900);
  chart.y = 400;
  plot.y = 406;
  ts_hover_table_place (&chart, &plot, &page, 100, 300, 200, &x, &y);
  g_assert_cmpfloat (y + 200, <=, plot.y);
  g_assert_cmpfloat (y, >=, 0);
  chart.y = 200;
  plot.y = 206;
  ts_hover_table_place (&chart, &plot, &page, 100, 300, 400, &x, &y);
  g_assert_true (y >= plot.y + plot.height || y + 400 <= plot.y);
}

/* --- Dragging and keys --------------------------------------------------------------------------
 */

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

/* --- Around the chart ---------------------------------------------------------------------------
 */

typedef struct {
  char *message;
  gboolean done;
} Exported;

static void
on_exported (TsChartCard *card, const char *path, const char *message, Exported *exported)
{
  exported->message = g_strdup (message);
  exported->done = TRUE;
}

static void
test_export (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ts-chart-XXXXXX", NULL);
  TsChartCard *card = g_object_ref_sink (TS_CHART_CARD (ts_chart_card_new ("val/loss")));
  g_autoptr (TsSeries) series = ts_series_new (1, "val/loss");
  static const char *const names[] = {"c.png", "c.svg", "c.pdf", "c.gif", "none/c.png"};
  static const char *const begins[] = {"\x89PNG", "<?xml", "%PDF"};

  grow (series, 0, 100, falling);
  ts_chart_card_set_runs (card, &(TsChartRun){series, "alpha", 0, FALSE, FALSE}, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL), *bytes = NULL;
    Exported exported = {0};
    gulong handler = g_signal_connect (card, "exported", G_CALLBACK (on_exported), &exported);
    ts_chart_card_export (card, path);
    while (!exported.done)
      g_main_context_iteration (NULL, TRUE);
    g_signal_handler_disconnect (card, handler);
    g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL) == (i < 3));
    g_assert_true ((exported.message == NULL) == (i < 3));
    if (i < 3)
      g_assert_true (g_str_has_prefix (bytes, begins[i]));
    g_remove (path);
    g_free (exported.message);
  }
  g_rmdir (folder);
  g_object_unref (card);
}

static void
test_table (void)
{
  TsCurve *curve = ts_curve_new ();
  g_autoptr (GArray) points = make_points (0, 1000, falling);
  TsCurveSlice slice;
  double step, wall, y;

  ts_curve_append (curve, (const TsStoredPoint *) (gpointer) points->data, points->len);
  ts_curve_slice (curve, &slice);
  ts_curve_free (curve);
  g_autoptr (TsPointList) list = ts_point_list_new (&slice);
  g_assert_null (slice.store);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 1000);
  g_autoptr (TsPointItem) item = g_list_model_get_item (G_LIST_MODEL (list), 999);
  ts_point_item_get (item, &step, &wall, &y);
  g_assert_cmpfloat (step, ==, 999);
  g_assert_cmpfloat (wall, ==, 1700000999);
  g_assert_cmpfloat (y, ==, falling (999));
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 1000));
}

static void
test_grid (void)
{
  TsCardGrid *grid = g_object_ref_sink (TS_CARD_GRID (ts_card_grid_new ()));
  GtkWidget *card[3];
  int height;

  for (guint i = 0; i < 3; i++) {
    card[i] = ts_chart_card_new ("a");
    ts_card_grid_insert (grid, card[i], i ? card[i - 1] : NULL);
  }
  g_assert_cmpuint (ts_card_grid_count_columns (grid, 560), ==, 1);
  g_assert_cmpuint (ts_card_grid_count_columns (grid, 900), ==, 2);
  g_assert_cmpuint (ts_card_grid_count_columns (grid, 1200), ==, 3);
  gtk_widget_measure (GTK_WIDGET (grid), GTK_ORIENTATION_VERTICAL, 900, NULL, &height, NULL, NULL);
  int two_rows = height;
  gtk_widget_hide (card[1]);
  gtk_widget_measure (GTK_WIDGET (grid), GTK_ORIENTATION_VERTICAL, 900, NULL, &height, NULL, NULL);
  g_assert_cmpint (two_rows, ==, 2 * height + 12);
  ts_card_grid_set_columns (grid, 1);
  gtk_widget_measure (GTK_WIDGET (grid), GTK_ORIENTATION_VERTICAL, 900, NULL, &height, NULL, NULL);
  g_assert_cmpint (two_rows, ==, height);
  g_object_unref (grid);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_test_add_func ("/chart/viewport/zoom", test_zoom);
  g_test_add_func ("/chart/viewport/box", test_box);
  g_test_add_func ("/chart/viewport/pan", test_pan);
  g_test_add_func ("/chart/curve", test_curve);
  g_test_add_func ("/chart/exact", test_exact);
  g_test_add_func ("/chart/place", test_place);
  g_test_add_func ("/chart/export", test_export);
  g_test_add_func ("/chart/table", test_table);
  g_test_add_func ("/chart/grid", test_grid);
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
