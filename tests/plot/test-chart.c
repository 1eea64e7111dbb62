/* SPDX-License-Identifier: MIT */
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/plot/support.h"
#include "ui/plot/draw.h"
#include "ui/plot/export.h"
#include "ui/plot/palette.h"
#include "ui/plot/smooth.h"
#include "ui/plot/text.h"

#define N 500

/* Three runs of 500 points: falling losses, the third with NaN and +Inf, ending early. */
typedef struct {
  double x[N], y[3][N];
  TsChartSeries series[3];
  TsChart chart;
} Fixture;

static void
fixture_init (Fixture *f)
{
  static const char *const names[] = {"first", "second", "third"};
  TsTestRandom random = 21;

  memset (f, 0, sizeof *f);
  for (int i = 0; i < N; i++) {
    f->x[i] = i * 20;
    for (int k = 0; k < 3; k++)
      f->y[k][i] = (2. - k * .3) * exp (-i / 100.) + .1 + .2 * k + .05 * ts_test_unit (&random);
  }
  f->y[2][200] = NAN;
  f->y[2][250] = INFINITY;
  for (int k = 0; k < 3; k++)
    f->series[k] = (TsChartSeries){
        .name = names[k], .color = (guint) k, .x = f->x, .y = f->y[k], .n = k == 2 ? 300 : N};
  f->chart =
      (TsChart){.title = "train/loss",
                .series = f->series,
                .n_series = 3,
                .options = {.width = 480, .height = 300, .smoothing = .6, .end_labels = TRUE}};
}

/* --- Layout --- */

static void
dump_ticks (GString *s, const char *what, const TsTicks *ticks, const TsScale *scale)
{
  g_string_append_printf (s, "%s", what);
  for (int i = 0; i < ticks->n; i++)
    g_string_append_printf (s, " %s@%.1f", ticks->tick[i].label,
                            ts_scale_to_px (scale, ticks->tick[i].value));
  g_string_append_c (s, '\n');
}

static char *
dump (const TsLayout *l)
{
  g_autoptr (GString) s = g_string_new (NULL);

  g_string_append_printf (s, "plot %.0f %.0f %.0f %.0f\n", l->plot.x, l->plot.y, l->plot.width,
                          l->plot.height);
  g_string_append_printf (s, "device %d %d %d %d\n", l->device_x, l->device_y, l->device_width,
                          l->device_height);
  dump_ticks (s, "x", &l->x_ticks, &l->x_scale);
  dump_ticks (s, "y", &l->y_ticks, &l->y_scale);
  for (guint i = 0; i < l->labels->len; i++) {
    const TsLayoutLabel *label = &g_array_index (l->labels, TsLayoutLabel, i);
    g_string_append_printf (s, "label %s %s @%.1f\n", l->series[label->series].name, label->value,
                            label->y);
  }
  for (guint i = 0; i < l->markers->len; i++) {
    const TsLayoutMarker *m = &g_array_index (l->markers, TsLayoutMarker, i);
    g_string_append_printf (s, "marker %s %d @%.1f\n", l->series[m->series].name,
                            (int) m->kind - TS_MARK_NAN, m->x);
  }
  g_string_append_printf (s, "%s\n%s\n", l->exact, l->where ? l->where : "-");
  return g_string_free (g_steal_pointer (&s), FALSE);
}

static void
test_layout_golden (void)
{
  Fixture f;

  fixture_init (&f);
  g_autoptr (TsLayout) l = ts_layout_new (&f.chart);
  g_autofree char *got = dump (l);
  g_assert_cmpstr (
      got, ==,
      "plot 44 36 340 224\ndevice 40 32 348 232\n"
      "x 0@44.5 2k@112.4 4k@180.4 6k@248.3 8k@316.2\n"
      "y 0.0@260.0 0.5@215.2 1.0@170.4 1.5@125.6 2.0@80.8 2.5@36.0\n"
      "label third 0.5980 @206.4\nlabel second 0.3317 @230.3\nlabel first 0.1369 @247.7\n"
      "marker third 0 @180.5\nmarker third 1 @214.5\n"
      "exact: 1,300 points, 2 non-finite\nNaN at 4,000, +Inf at 5,000\n");
  f.chart.options.log_y = TRUE;
  f.chart.options.x_kind = TS_X_RELATIVE;
  f.chart.options.smoothing = 0;
  f.chart.options.live = TRUE;
  f.chart.title = NULL;
  g_autoptr (TsLayout) m = ts_layout_new (&f.chart);
  g_autofree char *other = dump (m);
  g_assert_cmpstr (other, ==,
                   "plot 44 6 424 254\ndevice 40 2 432 262\n"
                   "x 0 s@44.5 0:30 h@120.8 1:00 h@197.1 1:30 h@273.4 2:00 h@349.7 2:30 h@426.0\n"
                   "y 0.2@205.8 0.5@132.7 1@77.3 2@21.9\n"
                   "marker third 0 @214.5\nmarker third 1 @256.5\n"
                   "exact: 1,300 points, 2 non-finite\n-\n");
}

/* An accuracy that reaches 1 ends there. */
static void
test_snug (void)
{
  const double x[] = {0, 1, 2}, y[] = {.1, .8, 1};
  TsChartSeries s = {.name = "a", .x = x, .y = y, .n = 3};
  TsChart chart = {.series = &s, .n_series = 1, .options = {.width = 300, .height = 300}};
  g_autoptr (TsLayout) l = ts_layout_new (&chart);

  g_assert_cmpfloat (l->y_scale.lo, ==, 0);
  g_assert_cmpfloat (l->y_scale.hi, ==, 1);
}

static void
test_exact_line (void)
{
  const double x[] = {0, 1, 2, NAN}, y[] = {1, 0, NAN, 3};
  TsChartSeries s = {.name = "a", .x = x, .y = y, .n = 1};
  TsChart chart = {.series = &s, .n_series = 1, .options = {.width = 300, .height = 200}};
  g_autoptr (TsLayout) one = ts_layout_new (&chart);
  s.n = 4;
  chart.options.log_y = TRUE;
  g_autoptr (TsLayout) all = ts_layout_new (&chart);
  chart.n_series = 0;
  g_autoptr (TsLayout) none = ts_layout_new (&chart);

  g_assert_cmpstr (one->exact, ==, "exact: 1 point, all finite");
  g_assert_cmpstr (all->exact, ==,
                   "exact: 4 points, 1 non-finite, 1 not above 0, 1 without a place in x");
  g_assert_cmpstr (all->where, ==, "NaN at 2");
  g_assert_cmpstr (none->exact, ==, "exact: 0 points");
}

/* Twice the device pixels: everything in device px doubles, everything in px stays. */
static void
test_doubled (void)
{
  Fixture f;

  fixture_init (&f);
  g_autoptr (TsLayout) a = ts_layout_new (&f.chart);
  f.chart.options.scale = 2;
  g_autoptr (TsLayout) b = ts_layout_new (&f.chart);
  g_assert_cmpint (b->device_x, ==, 2 * a->device_x);
  g_assert_cmpint (b->device_y, ==, 2 * a->device_y);
  g_assert_cmpint (b->device_width, ==, 2 * a->device_width);
  g_assert_cmpint (b->device_height, ==, 2 * a->device_height);
  for (double v = 0; v <= 10000; v += 500) {
    double pa = ts_scale_to_px (&a->device_x_scale, v), pb = ts_scale_to_px (&b->device_x_scale, v);
    g_assert_cmpfloat_with_epsilon (pb, 2 * pa, .51); /* the ends are middles of columns */
    g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&b->device_y_scale, v / 1e4),
                                    2 * ts_scale_to_px (&a->device_y_scale, v / 1e4), 1e-6);
  }
  g_assert_cmpint (a->y_ticks.n, ==, b->y_ticks.n);
  for (guint i = 0; i < a->labels->len; i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (a->labels, TsLayoutLabel, i).y,
                                    g_array_index (b->labels, TsLayoutLabel, i).y, 1e-9);
}

static void
test_push_apart (void)
{
  double near[] = {100, 104, 300}, alone[] = {100, 104}, crowd[] = {5, 5, 5, 195, 195};

  ts_layout_push_apart (near, 3, 15, 0, 400);
  ts_layout_push_apart (alone, 2, 15, 0, 400);
  g_assert_cmpfloat (near[0], ==, 94.5);
  g_assert_cmpfloat (near[1], ==, 109.5);
  g_assert_cmpfloat (near[2], ==, 300);
  g_assert_cmpmem (near, sizeof alone, alone, sizeof alone); /* the far one moves nobody */
  ts_layout_push_apart (crowd, 5, 15, 0, 200);
  g_assert_cmpfloat (crowd[0], ==, 0);
  g_assert_cmpfloat (crowd[2], ==, 30);
  g_assert_cmpfloat (crowd[3], ==, 185);
  g_assert_cmpfloat (crowd[4], ==, 200);
}

/* The least sum of squares under the constraints: no small step to either side is better. */
static void
test_push_apart_random (void)
{
  TsTestRandom random = 2;

  for (int round = 0; round < 500; round++) {
    guint n = 1 + (guint) ts_test_below (&random, 12);
    double want[12] = {0}, y[12];
    for (guint i = 0; i < n; i++)
      want[i] = ts_test_unit (&random) * 300;
    for (guint i = 1; i < n; i++) /* in order */
      for (guint k = i; k > 0 && want[k] < want[k - 1]; k--) {
        double t = want[k];
        want[k] = want[k - 1];
        want[k - 1] = t;
      }
    memcpy (y, want, sizeof y);
    ts_layout_push_apart (y, n, 15, 0, 300);
    for (guint i = 0; i < n; i++) {
      g_assert_cmpfloat (y[i], >=, -1e-9);
      g_assert_cmpfloat (y[i], <=, 300 + 1e-9);
      if (i)
        g_assert_cmpfloat (y[i] - y[i - 1], >=, 15 - 1e-9);
    }
    /* groups that touch share a mean displacement of 0 unless a wall holds them */
    for (guint i = 0; i < n;) {
      guint end = i + 1;
      double sum = y[i] - want[i];
      while (end < n && y[end] - y[end - 1] < 15 + 1e-9)
        sum += y[end] - want[end], end++;
      if (y[i] > 1e-9 && y[end - 1] < 300 - 1e-9)
        g_assert_cmpfloat_with_epsilon (sum, 0, 1e-6);
      i = end;
    }
  }
}

static void
test_many_labels (void)
{
  enum { RUNS = 40 };
  double x[2] = {0, 1}, y[RUNS][2];
  TsChartSeries s[RUNS];
  TsChart chart = {
      .series = s, .n_series = RUNS, .options = {.width = 400, .height = 250, .end_labels = TRUE}};

  for (int k = 0; k < RUNS; k++) {
    y[k][0] = y[k][1] = k;
    s[k] = (TsChartSeries){
        .name = "run", .color = (guint) k, .selected = k == 7, .x = x, .y = y[k], .n = 2};
  }
  g_autoptr (TsLayout) l = ts_layout_new (&chart);
  gboolean selected = FALSE;
  g_assert_cmpuint (l->labels->len + l->n_unlabelled, ==, RUNS);
  g_assert_cmpuint (l->n_unlabelled, >, 0);
  for (guint i = 0; i < l->labels->len; i++) {
    const TsLayoutLabel *label = &g_array_index (l->labels, TsLayoutLabel, i);
    selected |= label->series == 7;
    g_assert_cmpfloat (label->y, <=, l->more_y - 15 + 1e-9);
  }
  g_assert_true (selected);
  g_assert_cmpuint (l->order[RUNS - 1], ==, 7);
}

/* --- Hover --- */

static gsize
nearest_by_hand (const double *x, gsize n, double at)
{
  gsize best = 0;

  for (gsize i = 1; i < n; i++) {
    double d = fabs (x[i] - at), least = fabs (x[best] - at);
    if (d < least || (d == least && x[i] <= x[best]))
      best = i;
  }
  return best;
}

static void
test_find (void)
{
  TsTestRandom random = 4;
  double x[200], y[200];

  for (int round = 0; round < 200; round++) {
    gsize n = 1 + (gsize) ts_test_below (&random, 199);
    TsChartSeries s = {.name = "a", .x = x, .y = y, .n = n, .exact = round % 3 == 0};
    TsChart chart = {
        .series = &s, .n_series = 1, .options = {.width = 500, .height = 200, .smoothing = .5}};
    for (gsize i = 0; i < n; i++) {
      x[i] = round % 2 ? (double) ((i + 1) / 2) : ts_test_below (&random, 100);
      y[i] = ts_test_unit (&random);
    }
    g_autoptr (TsLayout) l = ts_layout_new (&chart);
    for (int i = 0; i < 40; i++) {
      TsHit hit;
      double px = ts_test_unit (&random) * 600 - 50;
      g_assert_true (ts_layout_find_point (l, 0, px, &hit));
      double at = ts_scale_to_data (&l->x_scale, px);
      gsize want = nearest_by_hand (x, n, at);
      g_assert_cmpuint (hit.index, ==, want);
      g_assert_cmpfloat (hit.raw, ==, y[want]);
      g_assert_cmpfloat (hit.y, ==, s.exact ? y[want] : l->series[0].smooth[want]);
    }
  }
}

/* In the middle between two points: the left one; of two at one x: the last. */
static void
test_find_ties (void)
{
  const double x[] = {0, 0, 2, 2}, back[] = {2, 2, 0, 0}, y[] = {1, 2, 3, 4};
  TsChartSeries s = {.name = "a", .x = x, .y = y, .n = 4};
  TsChart chart = {.series = &s, .n_series = 1, .options = {.width = 500, .height = 200}};

  for (int round = 0; round < 2; round++) {
    TsHit hit;
    s.x = round ? back : x;
    g_autoptr (TsLayout) l = ts_layout_new (&chart);
    g_assert_cmpint (l->series[0].sorted, ==, !round);
    g_assert_true (ts_layout_find_point (l, 0, (l->x_scale.px_lo + l->x_scale.px_hi) / 2, &hit));
    g_assert_cmpuint (hit.index, ==, round ? 3 : 1);
    g_assert_true (ts_layout_find_point (l, 0, l->x_scale.px_hi + 5, &hit));
    g_assert_cmpuint (hit.index, ==, round ? 1 : 3);
  }
}

static void
test_find_nearest (void)
{
  Fixture f;
  TsHit hit;

  fixture_init (&f);
  f.chart.options.smoothing = 0;
  g_autoptr (TsLayout) l = ts_layout_new (&f.chart);
  for (guint k = 0; k < 3; k++) {
    double px = ts_scale_to_px (&l->x_scale, f.x[120]),
           py = ts_scale_to_px (&l->y_scale, f.y[k][120]);
    g_assert_true (ts_layout_find_nearest (l, px, py + 1, &hit));
    g_assert_cmpuint (hit.series, ==, k);
    g_assert_cmpuint (hit.index, ==, 120);
    g_assert_cmpfloat_with_epsilon (hit.distance, 1, 1e-6);
  }
  g_assert_true (ts_layout_find_point (l, 2, ts_scale_to_px (&l->x_scale, f.x[200]), &hit));
  g_assert_true (isnan (hit.y) && isnan (hit.py));
  f.chart.n_series = 0;
  g_autoptr (TsLayout) none = ts_layout_new (&f.chart);
  g_assert_false (ts_layout_find_nearest (none, 10, 10, &hit));
}

/* --- Drawing --- */

static cairo_status_t
collect (void *data, const unsigned char *bytes, unsigned int n)
{
  g_byte_array_append (data, bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
draw_image (const TsLayout *l)
{
  double scale = l->options.scale;
  cairo_surface_t *image =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (l->options.width * scale),
                                  (int) ceil (l->options.height * scale));
  cairo_t *cr = cairo_create (image);

  cairo_scale (cr, scale, scale);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  ts_draw_chart (cr, l);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (image);
  return image;
}

static GByteArray *
png_of (const TsLayout *l)
{
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *image = draw_image (l);

  g_assert_cmpint (cairo_surface_write_to_png_stream (image, collect, bytes), ==,
                   CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (image);
  return bytes;
}

static void
test_png_twice (void)
{
  Fixture f;

  fixture_init (&f);
  g_autoptr (TsLayout) a = ts_layout_new (&f.chart);
  f.chart.options.threads = 4;
  g_autoptr (TsLayout) b = ts_layout_new (&f.chart);
  g_autoptr (GByteArray) p = png_of (a), q = png_of (b), r = png_of (a);
  g_assert_cmpuint (p->len, >, 1000);
  g_assert_cmpmem (p->data, p->len, q->data, q->len);
  g_assert_cmpmem (p->data, p->len, r->data, r->len);
}

/* A pixel of the drawn chart, 0xRRGGBB. */
static guint32
pixel (cairo_surface_t *image, double x, double y)
{
  const guint8 *data = cairo_image_surface_get_data (image);
  guint32 v;

  memcpy (&v,
          data + (gsize) (int) y * (gsize) cairo_image_surface_get_stride (image) +
              (gsize) (int) x * 4,
          4);
  return v & 0xffffff;
}

/* Curves are where the scales say, in their colours; the last one selected is on top. */
static void
test_pixels (void)
{
  Fixture f;

  fixture_init (&f);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < N; i++)
      f.y[k][i] = 1 + k;
  f.chart.options.smoothing = 0;
  for (int scale = 1; scale <= 3; scale++) {
    f.chart.options.scale = scale;
    g_autoptr (TsLayout) l = ts_layout_new (&f.chart);
    cairo_surface_t *image = draw_image (l);
    for (int k = 0; k < 3; k++) {
      double y = ts_scale_to_px (&l->y_scale, 1 + k) * scale;
      guint32 want = ts_palette_color ((guint) k, FALSE);
      int best = 255; /* of the row the middle falls into and its neighbours */
      for (int d = -1; d <= 1; d++) {
        guint32 rgb = pixel (image, ts_scale_to_px (&l->x_scale, 3000) * scale, y + d);
        int off = 0;
        for (int shift = 0; shift < 24; shift += 8)
          off = MAX (off, ABS ((int) (rgb >> shift & 255) - (int) (want >> shift & 255)));
        best = MIN (best, off);
      }
      g_assert_cmpint (best, <=, 40);
    }
    cairo_surface_destroy (image);
  }
}

/* Between the neighbours of a non-finite point there is no line, and a triangle hangs at the top.
 */
static void
test_not_bridged (void)
{
  double x[9], y[9];
  TsChartSeries s = {.name = "a", .x = x, .y = y, .n = 9};
  TsChart chart = {.series = &s, .n_series = 1, .options = {.width = 300, .height = 200}};

  for (int i = 0; i < 9; i++) {
    x[i] = i;
    y[i] = i == 4 ? NAN : 1;
  }
  g_autoptr (TsLayout) l = ts_layout_new (&chart);
  cairo_surface_t *image = draw_image (l);
  double row = ts_scale_to_px (&l->y_scale, 1);
  int inked = 0;
  for (int at = 31; at < 49; at++) {
    double px = ts_scale_to_px (&l->x_scale, at / 10.);
    gboolean around = FALSE;
    for (int d = -2; d < 2; d++)
      around |= (pixel (image, px, row + d) >> 16) < 128;
    inked += around && fabs (at - 40.) > 1; /* the stem stands at 4 */
  }
  g_assert_cmpint (inked, ==, 0);
  g_assert_cmpuint (l->markers->len, ==, 1);
  guint32 on_line = pixel (image, ts_scale_to_px (&l->x_scale, 2.5), row - .5);
  g_assert_cmpuint (on_line >> 16, <, 64); /* blue */
  g_assert_cmpuint (on_line & 255, >, 200);
  cairo_surface_destroy (image);
}

/* A stretch of NaN shows where it begins, and again after a value came between. */
static void
test_stretches (void)
{
  double x[200], y[200];
  TsChartSeries s = {.name = "a", .x = x, .y = y, .n = 200};
  TsChart chart = {.series = &s, .n_series = 1, .options = {.width = 500, .height = 200}};

  for (int i = 0; i < 200; i++) {
    x[i] = i;
    y[i] = i < 50 || i == 120 ? 1 : NAN;
  }
  g_autoptr (TsLayout) l = ts_layout_new (&chart);
  g_assert_cmpuint (l->markers->len, ==, 2);
  g_assert_cmpfloat_with_epsilon (g_array_index (l->markers, TsLayoutMarker, 0).x,
                                  ts_scale_to_px (&l->x_scale, 50), 1);
  g_assert_cmpfloat_with_epsilon (g_array_index (l->markers, TsLayoutMarker, 1).x,
                                  ts_scale_to_px (&l->x_scale, 121), 1);
}

static GByteArray *
vector_of (const TsLayout *l, gboolean pdf)
{
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *surface =
      (pdf ? cairo_pdf_surface_create_for_stream : cairo_svg_surface_create_for_stream) (
          collect, bytes, l->options.width, l->options.height);
  cairo_t *cr = cairo_create (surface);

  ts_draw_chart (cr, l);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  return bytes;
}

/* SVG and PDF hold paths, not a picture. */
static void
test_vector (void)
{
  Fixture f;

  fixture_init (&f);
  f.series[1].dashed = TRUE;
  f.series[0].live = TRUE;
  g_autoptr (TsLayout) l = ts_layout_new (&f.chart);
  g_autoptr (GByteArray) svg = vector_of (l, FALSE), pdf = vector_of (l, TRUE);
  g_byte_array_append (svg, (const guint8 *) "", 1);
  g_assert_nonnull (strstr ((const char *) svg->data, "<path"));
  g_assert_null (strstr ((const char *) svg->data, "<image"));
  g_assert_nonnull (strstr ((const char *) svg->data, "stroke-dasharray"));
  g_assert_cmpmem (pdf->data, 5, "%PDF-", 5);
  g_assert_null (memmem (pdf->data, pdf->len, "/Subtype /Image", 15));
  g_assert_nonnull (memmem (pdf->data, pdf->len, "/Font", 5));
}

static void
test_text_fits (void)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 200, 40);
  cairo_t *cr = cairo_create (image);
  TsTextStyle style = {.size = 11, .max_width = 60};

  g_assert_cmpfloat (ts_text_draw (cr, "a-very-long-name-of-a-run", 0, 20, &style), <=, 60);
  g_assert_cmpfloat (ts_text_draw (cr, "short", 0, 20, &style), ==,
                     ts_text_width (cr, "short", 11, FALSE));
  g_assert_cmpfloat (ts_text_draw (cr, "\xff\xfe bad bytes", 0, 20, &style), >, 0);
  g_assert_cmpfloat (ts_text_draw (cr, "", 0, 20, &style), ==, 0);
  style.max_width = 1e-3; /* ends all the same */
  ts_text_draw (cr, "运行 ▽ 10⁻³", 0, 20, &style);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
}

static void
test_export (void)
{
  static const char *const head[] = {"\x89PNG", "<?xml", "%PDF-"};
  Fixture f;
  g_autoptr (GError) error = NULL;
  TsExportFormat format;

  fixture_init (&f);
  const TsChart charts[3] = {f.chart, f.chart, f.chart};
  for (int i = 0; i < 3; i++) {
    TsExportOptions options = {.format = (TsExportFormat) i, .width = 600, .height = 500};
    g_autoptr (GBytes) bytes = ts_export_charts (charts, 3, &options, &error);
    g_assert_no_error (error);
    g_assert_cmpmem (g_bytes_get_data (bytes, NULL), strlen (head[i]), head[i], strlen (head[i]));
    g_autoptr (GBytes) again = ts_export_charts (charts, 3, &options, NULL);
    if (i == 0)
      g_assert_true (g_bytes_equal (bytes, again));
    /* the size of the PNG */
    const guint8 *data = g_bytes_get_data (bytes, NULL);
    if (i == 0)
      g_assert_cmpmem (data + 16, 8, "\0\0\2\x58\0\0\1\xf4", 8);
  }
  TsExportOptions huge = {.width = 99999};
  g_assert_null (ts_export_charts (charts, 3, &huge, &error));
  g_assert_error (error, TS_PLOT_ERROR, TS_PLOT_ERROR_SIZE);
  g_assert_nonnull (strstr (error->message, "99999"));
  g_assert_true (ts_export_format_of ("a/b.c.PDF", &format));
  g_assert_cmpint (format, ==, TS_EXPORT_PDF);
  g_assert_false (ts_export_format_of ("png", &format));
}

static double
any_number (TsTestRandom *r)
{
  switch (ts_test_below (r, 40)) {
  case 0:
    return NAN;
  case 1:
    return INFINITY;
  case 2:
    return -INFINITY;
  case 3:
    return 1e30;
  case 4:
    return -1e30;
  case 5:
    return DBL_MAX;
  case 6:
    return -DBL_MAX;
  case 7:
    return 5e-324;
  case 8:
    return 0;
  default:
    return (ts_test_unit (r) - .3) * pow (10, ts_test_below (r, 4));
  }
}

/* Any data, any size down to a single pixel, all options. */
static void
test_random_charts (void)
{
  for (guint64 seed = 1; seed <= 300; seed++) {
    TsTestRandom r = seed;
    double x[4][60], y[4][60];
    TsChartSeries s[4];
    TsChart chart = {
        .title = seed % 3 ? "t" : NULL, .series = s, .n_series = (guint) ts_test_below (&r, 5)};
    gboolean wild = seed % 4 == 0;
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < 60; i++) {
        x[k][i] = wild ? any_number (&r) : i + ts_test_below (&r, 3);
        y[k][i] = any_number (&r);
      }
      s[k] = (TsChartSeries){.name = k ? "run" : NULL,
                             .color = (guint) ts_test_below (&r, 30),
                             .dashed = ts_test_below (&r, 4) == 0,
                             .selected = k == 2,
                             .live = k == 1,
                             .x = x[k],
                             .y = y[k],
                             .n = (gsize) ts_test_below (&r, 61)};
    }
    TsChartOptions *o = &chart.options;
    o->width = 1 + ts_test_below (&r, seed % 2 ? 40 : 300);
    o->height = 1 + ts_test_below (&r, seed % 2 ? 40 : 200);
    o->scale = (double[]){0, 1, 1.25, 2, 1e-3}[ts_test_below (&r, 5)];
    o->smoothing = (double[]){0, .6, .99, 1, NAN}[ts_test_below (&r, 5)];
    o->dark = ts_test_below (&r, 2);
    o->log_y = ts_test_below (&r, 2);
    o->x_kind = (TsXKind) ts_test_below (&r, 3);
    o->end_labels = ts_test_below (&r, 2);
    o->live = ts_test_below (&r, 4) == 0;
    o->x_given = ts_test_below (&r, 3) == 0;
    o->y_given = ts_test_below (&r, 3) == 0;
    o->x_min = any_number (&r);
    o->x_max = any_number (&r);
    o->y_min = any_number (&r);
    o->y_max = any_number (&r);
    o->threads = ts_test_below (&r, 4);
    g_autoptr (TsLayout) l = ts_layout_new (&chart);
    cairo_surface_destroy (draw_image (l));
    if (seed % 5 == 0) {
      g_autoptr (GByteArray) svg = vector_of (l, FALSE);
      g_assert_cmpuint (svg->len, >, 0);
    }
    TsHit hit;
    ts_layout_find_nearest (l, ts_test_unit (&r) * 300, ts_test_unit (&r) * 200, &hit);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/layout/golden", test_layout_golden);
  g_test_add_func ("/chart/layout/snug", test_snug);
  g_test_add_func ("/chart/layout/exact-line", test_exact_line);
  g_test_add_func ("/chart/layout/doubled", test_doubled);
  g_test_add_func ("/chart/labels/push-apart", test_push_apart);
  g_test_add_func ("/chart/labels/push-apart-random", test_push_apart_random);
  g_test_add_func ("/chart/labels/many", test_many_labels);
  g_test_add_func ("/chart/find/point", test_find);
  g_test_add_func ("/chart/find/ties", test_find_ties);
  g_test_add_func ("/chart/find/nearest", test_find_nearest);
  g_test_add_func ("/chart/draw/png-twice", test_png_twice);
  g_test_add_func ("/chart/draw/pixels", test_pixels);
  g_test_add_func ("/chart/draw/not-bridged", test_not_bridged);
  g_test_add_func ("/chart/draw/stretches", test_stretches);
  g_test_add_func ("/chart/draw/vector", test_vector);
  g_test_add_func ("/chart/draw/text-fits", test_text_fits);
  g_test_add_func ("/chart/draw/export", test_export);
  g_test_add_func ("/chart/draw/random", test_random_charts);
  return g_test_run ();
}
