/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ui/plot/ridge.h"

#define N 30

typedef struct {
  double left[N], right[N], count[N];
} Buckets;

/* A bell around @middle. */
static TsRidge
bell (Buckets *b, double step, double middle, double width)
{
  for (int i = 0; i < N; i++) {
    double a = -3 + 6.0 * i / N;
    b->left[i] = middle + a * width;
    b->right[i] = middle + (a + 6.0 / N) * width;
    b->count[i] = floor (1000 * exp (-a * a / 2));
  }
  return (TsRidge){step, N, b->left, b->right, b->count, 0};
}

static void
test_quantile (void)
{
  double left[] = {0, 1, 2}, right[] = {1, 2, 4}, count[] = {1, 0, 3};
  TsRidge r = {0, 3, left, right, count, 0};

  g_assert_cmpfloat (ts_ridge_quantile (&r, 0), ==, 0);
  g_assert_cmpfloat (ts_ridge_quantile (&r, 0.25), ==, 1);
  g_assert_cmpfloat_with_epsilon (ts_ridge_quantile (&r, 0.5), 2 + 2.0 / 3, 1e-12);
  g_assert_cmpfloat (ts_ridge_quantile (&r, 1), ==, 4);
  r.n = 0;
  g_assert_true (isnan (ts_ridge_quantile (&r, 0.5)));
}

static void
test_layout (void)
{
  static Buckets b[100];
  TsRidge ridges[100];

  for (int i = 0; i < 100; i++)
    ridges[i] = bell (&b[i], i ? 100.0 * i : 1, i * 0.01, 1);
  ridges[7].nonfinite = 2;
  TsRidgeChart chart = {
      .title = "w", .ridges = ridges, .n = 100, .width = 400, .height = 300, .cursor = -1};
  g_autoptr (TsRidgeLayout) l = ts_ridge_layout_new (&chart);

  g_assert_cmpuint (l->n_drawn, ==, TS_RIDGES_MAX);
  g_assert_cmpuint (l->drawn[0], ==, 0);
  g_assert_cmpuint (l->drawn[TS_RIDGES_MAX - 1], ==, 99);
  for (guint i = 1; i < l->n_drawn; i++)
    g_assert_cmpuint (l->drawn[i], >, l->drawn[i - 1]);
  g_assert_cmpstr (l->foot, ==, "every 100 steps · 100 kept, 40 drawn · 2 non-finite");
  /* the first peak touches the top, the last foot the bottom */
  g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&l->step, 1) - l->ridge_height, l->plot.y, 1e-9);
  g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&l->step, 9900), l->plot.y + l->plot.height,
                                  1e-9);
  g_assert_cmpint (ts_ridge_find (l, 100, l->plot.y + l->plot.height), ==, 99);
  g_assert_cmpint (ts_ridge_find (l, 100, 0), ==, 0);

  double lo, hi;
  g_assert_true (ts_ridge_range (ridges, 100, &lo, &hi));
  g_assert_cmpfloat (lo, ==, -3);
  g_assert_cmpfloat_with_epsilon (hi, 3.99, 1e-9);
}

static gboolean
has_ink (cairo_surface_t *surface, int x0, int y0, int x1, int y1)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (*(const guint32 *) (const void *) (data + y * stride + 4 * x))
        return TRUE;
  return FALSE;
}

/* Both modes, all sizes, with empty, single-valued and no ridges at all: drawn without trouble. */
static void
test_draw (void)
{
  static Buckets b[3];
  double same = 2, many = 50;
  TsRidge ridges[] = {bell (&b[0], 1, 0, 1),
                      {50, 0, NULL, NULL, NULL, 9},
                      {100, 1, &same, &same, &many, 0},
                      bell (&b[1], 200, 1, 0.5)};

  for (int mode = 0; mode < 2; mode++)
    for (guint n = 0; n <= G_N_ELEMENTS (ridges); n++)
      for (int size = 1; size <= 400; size = size * 3 + 20) {
        TsRidgeChart chart = {.title = "dense/kernel",
                              .subtitle = "7,840",
                              .ridges = ridges,
                              .n = n,
                              .mode = (TsRidgeMode) mode,
                              .width = size,
                              .height = size,
                              .dark = size % 2,
                              .cursor = (gssize) n - 1};
        g_autoptr (TsRidgeLayout) l = ts_ridge_layout_new (&chart);
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, size, size);
        cairo_t *cr = cairo_create (surface);
        ts_ridge_draw (cr, l);
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_surface_flush (surface);
        if (size > 200 && n == 4)
          g_assert_true (has_ink (surface, (int) l->plot.x, (int) l->plot.y,
                                  (int) (l->plot.x + l->plot.width),
                                  (int) (l->plot.y + l->plot.height)));
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ridge/quantile", test_quantile);
  g_test_add_func ("/ridge/layout", test_layout);
  g_test_add_func ("/ridge/draw", test_draw);
  return g_test_run ();
}
