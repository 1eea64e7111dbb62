/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "ui/models/point-list.h"
#include "ui/widgets/card-grid.h"
#include "ui/widgets/chart-card.h"
#include "ui/widgets/chart-hover.h"

/* What charts are made of and what stands around them: ranges, growing curves, numbers, places,
 * files, the grid. */

#define WIDTH  640
#define HEIGHT 300

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

static double
falling (gint64 step)
{
  return 1. / (1. + (double) step / 100);
}

/* --- Ranges without a window --- */

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

/* --- Curves that grow --- */

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

/* --- Around the chart --- */

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

  g_autoptr (GArray) points = make_points (0, 100, falling);
  ts_series_take (series, points, FALSE);
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
  g_test_add_func ("/cards/viewport/zoom", test_zoom);
  g_test_add_func ("/cards/viewport/box", test_box);
  g_test_add_func ("/cards/viewport/pan", test_pan);
  g_test_add_func ("/cards/curve", test_curve);
  g_test_add_func ("/cards/exact", test_exact);
  g_test_add_func ("/cards/place", test_place);
  g_test_add_func ("/cards/export", test_export);
  g_test_add_func ("/cards/table", test_table);
  g_test_add_func ("/cards/grid", test_grid);
  return g_test_run ();
}
