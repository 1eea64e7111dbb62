/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "tests/ui/support.h"
#include "ui/widgets/chart-hover.h"
#include "ui/widgets/chart-viewport.h"

/* What charts compute without a window: ranges, exact numbers, the place of the table. */

#define WIDTH  640
#define HEIGHT 300

/* --- Ranges --- */

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
/* --- Hover --- */

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
int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/viewport/zoom", test_zoom);
  g_test_add_func ("/chart/viewport/box", test_box);
  g_test_add_func ("/chart/viewport/pan", test_pan);
  g_test_add_func ("/chart/exact", test_exact);
  g_test_add_func ("/chart/place", test_place);
  return g_test_run ();
}
