/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/plot/support.h"
#include "ui/plot/decimate.h"
#include "ui/plot/palette.h"
#include "ui/plot/smooth.h"
#include "ui/plot/ticks.h"

/* --- Scales --- */

static void
test_scale_round_trip (void)
{
  TsTestRandom random = 1;

  for (int i = 0; i < 2000; i++) {
    TsScale s;
    double lo = pow (10, ts_test_unit (&random) * 12 - 6),
           hi = lo * (1.5 + ts_test_unit (&random) * 1e3);
    double v = lo + (hi - lo) * ts_test_unit (&random);
    switch (i % 3) {
    case 0:
      ts_scale_init (&s, TS_SCALE_LINEAR, -lo, hi, 300, 20);
      break;
    case 1:
      ts_scale_init (&s, TS_SCALE_LOG10, lo, hi, 300, 20);
      break;
    default:
      ts_scale_init_symlog (&s, -hi, hi, lo, 300, 20);
    }
    g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&s, s.lo), 300, 1e-9);
    g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&s, s.hi), 20, 1e-9);
    double back = ts_scale_to_data (&s, ts_scale_to_px (&s, v));
    g_assert_cmpfloat_with_epsilon (back / v, 1, 1e-9);
  }
}

static void
test_scale_extremes (void)
{
  TsScale s;
  const double ranges[][2] = {{0, 0},  {1, 1},      {-DBL_MAX, DBL_MAX}, {5, 5 + 1e-15},
                              {3, -3}, {0, 5e-324}, {DBL_MAX, DBL_MAX}};

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    ts_scale_init (&s, TS_SCALE_LINEAR, ranges[i][0], ranges[i][1], 0, 100);
    g_assert_cmpfloat (s.lo, <, s.hi);
    g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&s, s.lo), 0, 1e-6);
    g_assert_cmpfloat_with_epsilon (ts_scale_to_px (&s, s.hi), 100, 1e-6);
  }
  ts_scale_init (&s, TS_SCALE_LOG10, 1, 10, 0, 100);
  g_assert_true (isnan (ts_scale_to_px (&s, 0)));
  g_assert_true (isnan (ts_scale_to_px (&s, -1)));
  g_assert_true (isinf (ts_scale_to_px (&s, INFINITY)));
}

static void
test_scale_pad (void)
{
  const struct {
    double lo, hi, want_lo, want_hi;
  } cases[] = {{0, 0, -1, 1},      {3, 3, 0, 6},        {-3, -3, -6, 0},    {0, 10, 0, 10.5},
               {-10, 0, -10.5, 0}, {10, 20, 9.5, 20.5}, {-1, 1, -1.1, 1.1}, {1, 0, 0, 1}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    double lo = cases[i].lo, hi = cases[i].hi;
    ts_scale_pad (TS_SCALE_LINEAR, &lo, &hi);
    g_assert_cmpfloat_with_epsilon (lo, cases[i].want_lo, 1e-12);
    g_assert_cmpfloat_with_epsilon (hi, cases[i].want_hi, 1e-12);
  }
  double lo = -5, hi = -1;
  ts_scale_pad (TS_SCALE_LOG10, &lo, &hi);
  g_assert_cmpfloat (lo, ==, .1);
  lo = hi = 1e-3;
  ts_scale_pad (TS_SCALE_LOG10, &lo, &hi);
  g_assert_cmpfloat_with_epsilon (log10 (hi / lo), .5, 1e-9);
}

/* --- Ticks --- */

static char *
labels_of (const TsTicks *ticks)
{
  g_autoptr (GString) s = g_string_new (NULL);

  for (int i = 0; i < ticks->n; i++)
    g_string_append_printf (s, "%s%s", i ? " | " : "", ticks->tick[i].label);
  return g_string_free (g_steal_pointer (&s), FALSE);
}

typedef enum { LINEAR, STEPS, LOG, DURATION, WALL } AxisKind;

static void
test_ticks_golden (void)
{
  static const struct {
    AxisKind kind;
    double lo, hi;
    int target;
    const char *want;
  } cases[] = {
      {LINEAR, 0, 1.6, 5, "0.0 | 0.5 | 1.0 | 1.5"},
      {LINEAR, .7, .95, 5, "0.70 | 0.75 | 0.80 | 0.85 | 0.90 | 0.95"},
      {LINEAR, -1, 1, 4, "-1.0 | -0.5 | 0.0 | 0.5 | 1.0"},
      {LINEAR, 0, 12000, 4, "0 | 2k | 4k | 6k | 8k | 10k | 12k"},
      {LINEAR, 5.5443, 5.545, 4, "5.5444 | 5.5446 | 5.5448 | 5.5450"},
      {LINEAR, 0, 2e-7, 4, "0 | 5×10⁻⁸ | 1.0×10⁻⁷ | 1.5×10⁻⁷ | 2.0×10⁻⁷"},
      {LINEAR, 1e20, 2e20, 2, "1.0×10²⁰ | 1.5×10²⁰ | 2.0×10²⁰"},
      {LINEAR, 0, 50, 6, "0 | 10 | 20 | 30 | 40 | 50"},
      {LINEAR, 98, 102, 4, "98 | 99 | 100 | 101 | 102"},
      {LINEAR, 1, 1.000001, 2, "1.0000000 | 1.0000005 | 1.0000010"},
      {STEPS, 0, 20000, 4, "0 | 5k | 10k | 15k | 20k"},
      {STEPS, 0, 3, 6, "0 | 1 | 2 | 3"},
      {STEPS, 0, 1200000, 5, "0 | 200k | 400k | 600k | 800k | 1M | 1.2M"},
      {STEPS, 12340, 12350, 2, "12,340 | 12,345 | 12,350"},
      {STEPS, 0, 900, 4, "0 | 200 | 400 | 600 | 800"},
      {LOG, 1e-6, .01, 5, "10⁻⁶ | 10⁻⁵ | 10⁻⁴ | 10⁻³ | 0.01"},
      {LOG, .08, 3, 5, "0.1 | 0.2 | 0.5 | 1 | 2"},
      {LOG, 1e-12, 1e12, 5, "10⁻¹⁰ | 10⁻⁵ | 1 | 10⁵ | 10¹⁰"},
      {LOG, 2, 3, 4, "2.0 | 2.2 | 2.4 | 2.6 | 2.8 | 3.0"},
      {DURATION, 0, 40, 4, "0 s | 10 s | 20 s | 30 s | 40 s"},
      {DURATION, 0, .2, 4, "0 s | 0.05 s | 0.10 s | 0.15 s | 0.20 s"},
      {DURATION, 0, 180, 6,
       "0 s | 0:30 min | 1:00 min | 1:30 min | 2:00 min | 2:30 min | 3:00 min"},
      {DURATION, 0, 3600, 4, "0 s | 15 min | 30 min | 45 min | 60 min"},
      {DURATION, 0, 7200, 4, "0 s | 0:30 h | 1:00 h | 1:30 h | 2:00 h"},
      {DURATION, 0, 4 * 86400, 4, "0 s | 1 d | 2 d | 3 d | 4 d"},
      {WALL, 1700000000, 1700007200, 4, "23:30 | 15 Nov | 00:30 | 01:00"},
      {WALL, 1700000000, 1700000004, 4, "23:13:20 | 23:13:21 | 23:13:22 | 23:13:23 | 23:13:24"},
      {WALL, 1700000000, 1700000000 + 86400 * 4, 4, "15 Nov | 16 Nov | 17 Nov | 18 Nov"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    TsTicks ticks;
    double lo = cases[i].lo, hi = cases[i].hi;
    switch (cases[i].kind) {
    case LINEAR:
      ts_ticks_linear (&ticks, lo, hi, cases[i].target);
      break;
    case STEPS:
      ts_ticks_steps (&ticks, lo, hi, cases[i].target);
      break;
    case LOG:
      ts_ticks_log (&ticks, lo, hi, cases[i].target);
      break;
    case DURATION:
      ts_ticks_duration (&ticks, lo, hi, cases[i].target);
      break;
    case WALL:
      ts_ticks_wall (&ticks, lo, hi, cases[i].target, 3600);
      break;
    }
    g_autofree char *got = labels_of (&ticks);
    g_assert_cmpstr (got, ==, cases[i].want);
  }
}

/* Whatever the range: in order, within it, all labels different, as many as asked within reason. */
static void
test_ticks_random (void)
{
  TsTestRandom random = 5;

  for (int i = 0; i < 20000; i++) {
    TsTicks ticks;
    double size = pow (10, ts_test_unit (&random) * 40 - 20);
    double lo = (ts_test_unit (&random) * 2 - 1) * size;
    double span = size * pow (10, -ts_test_unit (&random) * 9);
    double hi = lo + span;
    int target = 1 + ts_test_below (&random, 12);
    if (!(lo < hi))
      continue;
    ts_ticks_linear (&ticks, lo, hi, target);
    g_assert_cmpint (ticks.n, <=, 3 * target + 2);
    for (int k = 0; k < ticks.n; k++) {
      g_assert_cmpfloat (ticks.tick[k].value, >=, lo - span * 1e-5);
      g_assert_cmpfloat (ticks.tick[k].value, <=, hi + span * 1e-5);
      if (k) {
        g_assert_cmpfloat (ticks.tick[k].value, >, ticks.tick[k - 1].value);
        g_assert_cmpstr (ticks.tick[k].label, !=, ticks.tick[k - 1].label);
      }
    }
    double a = lo, b = hi;
    ts_ticks_nice (&a, &b, target);
    g_assert_true (a <= lo && b >= hi);
  }
}

static void
test_ticks_extremes (void)
{
  const double ranges[][2] = {
      {-DBL_MAX, DBL_MAX}, {0, DBL_MAX}, {0, 1e-300}, {9007199254740993., 9007199254740999.}};

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    TsTicks ticks;
    TsScale s;
    double lo = ranges[i][0], hi = ranges[i][1];
    ts_scale_init (&s, TS_SCALE_LINEAR, lo, hi, 0, 100);
    ts_ticks_linear (&ticks, s.lo, s.hi, 5);
    g_assert_cmpint (ticks.n, >, 0);
    ts_ticks_steps (&ticks, s.lo, s.hi, 5);
    ts_ticks_duration (&ticks, s.lo, s.hi, 5);
    ts_ticks_wall (&ticks, s.lo, s.hi, 5, 0);
    ts_ticks_nice (&lo, &hi, 5);
    g_assert_true (isfinite (lo) && isfinite (hi));
  }
}

static void
test_numbers (void)
{
  char b[TS_NUMBER_SIZE];

  g_assert_cmpstr (ts_ticks_format_value (b, .24094), ==, "0.2409");
  g_assert_cmpstr (ts_ticks_format_value (b, 12.349), ==, "12.35");
  g_assert_cmpstr (ts_ticks_format_value (b, 1e-6), ==, "1.0×10⁻⁶");
  g_assert_cmpstr (ts_ticks_format_value (b, -1234.4), ==, "-1,234");
  g_assert_cmpstr (ts_ticks_format_value (b, NAN), ==, "NaN");
  g_assert_cmpstr (ts_ticks_format_value (b, INFINITY), ==, "+Inf");
  g_assert_cmpstr (ts_ticks_format_value (b, -INFINITY), ==, "-Inf");
  g_assert_cmpstr (ts_ticks_format_count (b, 1203441), ==, "1,203,441");
  g_assert_cmpstr (ts_ticks_format_count (b, -999), ==, "-999");
  g_assert_cmpstr (ts_ticks_format_count (b, G_MININT64), ==, "-9,223,372,036,854,775,808");
  g_assert_cmpstr (ts_ticks_format_power (b, -12), ==, "10⁻¹²");
}

/* --- Smoothing --- */

static void
check_smooth (double weight, const double *y, const double *want, gsize n)
{
  g_autofree double *out = g_new (double, n);

  ts_smooth (weight, y, out, n);
  for (gsize i = 0; i < n; i++) {
    if (isfinite (want[i]))
      g_assert_cmpfloat_with_epsilon (out[i], want[i], 1e-8);
    else
      g_assert_true (isnan (want[i]) ? isnan (out[i]) : out[i] == want[i]);
  }
}

static void
test_smooth_vectors (void)
{
  check_smooth (.6, (double[]){1, 2, 3, 4, 5},
                (double[]){1, 1.625, 2.32653061, 3.09558824, 3.92158223}, 5);
  check_smooth (.6, (double[]){1, NAN, 3, INFINITY, 5},
                (double[]){1, NAN, 2.25, INFINITY, 3.65306122}, 5);
  check_smooth (.6, (double[]){1, .5, 0}, (double[]){1, .6875, .33673469}, 3);
  check_smooth (.9, (double[]){3, 1}, (double[]){3, 1.9473684210526319}, 2);
  check_smooth (0, (double[]){1, NAN, 3}, (double[]){1, NAN, 3}, 3);
  check_smooth (NAN, (double[]){1, 2}, (double[]){1, 2}, 2);
  check_smooth (1, (double[]){1, 2}, (double[]){0, 0}, 2);
  check_smooth (.9, (double[]){.1, .1, .1}, (double[]){.1, .1, .1}, 3);
}

/* The first value is 100, all others 1: it must not cling. */
static void
test_smooth_first_point (void)
{
  static const struct {
    int index;
    double value;
  } want[] = {{0, 100},
              {1, 47.89473684210527},
              {2, 30.59040590405904},
              {9, 6.88873926066392},
              {49, 1.0569852162753446},
              {99, 1.0002921831485567}};
  double y[100], out[100];

  for (int i = 0; i < 100; i++)
    y[i] = i ? 1 : 100;
  ts_smooth (.9, y, out, 100);
  for (guint i = 0; i < G_N_ELEMENTS (want); i++)
    g_assert_cmpfloat_with_epsilon (out[want[i].index], want[i].value, 1e-12 * want[i].value);
}

/* Kept and gone on with at any point: the same bits. */
static void
test_smooth_in_parts (void)
{
  TsTestRandom random = 9;
  double y[400], whole[400], parts[400];

  for (int i = 0; i < 400; i++)
    y[i] = i % 37 == 5 ? NAN : ts_test_unit (&random) * 10 - 5;
  ts_smooth (.97, y, whole, 400);
  for (gsize cut = 1; cut < 400; cut += 7) {
    TsSmooth s;
    ts_smooth_init (&s, .97);
    ts_smooth_run (&s, y, parts, cut);
    ts_smooth_run (&s, y + cut, parts + cut, 400 - cut);
    g_assert_cmpmem (parts + 1, sizeof parts - 8, whole + 1, sizeof whole - 8);
    g_assert_cmpfloat_with_epsilon (parts[0], whole[0], 1e-14);
  }
}

/* --- Columns --- */

/* The definition, word for word: sort the points of each column, then look. */
typedef struct {
  double x, y;
  gsize i;
} Point;

static int
by_place (const void *a, const void *b)
{
  const Point *p = a, *q = b;

  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return p->i < q->i ? -1 : p->i > q->i;
}

static gboolean
can_draw (double y, gboolean positive)
{
  return isfinite (y) && (!positive || y > 0);
}

static void
expect_column (const TsColumn *got, Point *points, guint n, gboolean positive)
{
  guint drawn = 0, nan = 0, inf = 0, minus = 0, hidden = 0, flags = 0;
  double min = INFINITY, max = -INFINITY, first = 0, last = 0;

  qsort (points, n, sizeof *points, by_place);
  for (guint i = 0; i < n; i++) {
    double y = points[i].y;
    if (can_draw (y, positive)) {
      if (!drawn && i)
        flags |= TS_COLUMN_CUT_BEFORE;
      if (!drawn++)
        first = y;
      last = y;
      min = MIN (min, y);
      max = MAX (max, y);
      continue;
    }
    nan += isnan (y);
    inf += y == INFINITY;
    minus += y == -INFINITY;
    hidden += isfinite (y);
  }
  if (n && drawn && !can_draw (points[n - 1].y, positive))
    flags |= TS_COLUMN_CUT_AFTER;
  g_assert_cmpuint (got->count, ==, drawn);
  g_assert_cmpuint (got->n_nan, ==, nan);
  g_assert_cmpuint (got->n_pos_inf, ==, inf);
  g_assert_cmpuint (got->n_neg_inf, ==, minus);
  g_assert_cmpuint (got->n_hidden, ==, hidden);
  g_assert_cmpuint (got->flags, ==, drawn ? flags : 0);
  if (!drawn)
    return;
  g_assert_cmpfloat (got->min, ==, min);
  g_assert_cmpfloat (got->max, ==, max);
  g_assert_cmpfloat (got->first, ==, first);
  g_assert_cmpfloat (got->last, ==, last);
}

static void
check_columns (const TsColumns *got, const double *x, const double *y, gsize n, const TsScale *s,
               gboolean positive)
{
  g_autofree Point *points = g_new (Point, n + 1);
  Point left = {-INFINITY, 0, 0}, right = {INFINITY, 0, 0};
  gboolean has_left = FALSE, has_right = FALSE;

  for (int c = 0; c < got->n; c++) {
    guint k = 0;
    for (gsize i = 0; i < n; i++) {
      double px = ts_scale_to_px (s, x[i]);
      if (isfinite (x[i]) && floor (px) == c)
        points[k++] = (Point){x[i], y[i], i};
    }
    expect_column (&got->column[c], points, k, positive);
  }
  for (gsize i = 0; i < n; i++) {
    double px = ts_scale_to_px (s, x[i]);
    Point p = {x[i], y[i], i};
    if (!isfinite (x[i]))
      continue;
    if (px < 0 && (!has_left || by_place (&left, &p) < 0)) {
      left = p;
      has_left = TRUE;
    }
    if (px >= got->n && (!has_right || by_place (&p, &right) < 0)) {
      right = p;
      has_right = TRUE;
    }
  }
  g_assert_cmpint (got->has_before, ==, has_left && can_draw (left.y, positive));
  g_assert_cmpint (got->has_after, ==, has_right && can_draw (right.y, positive));
  if (got->has_before)
    g_assert_cmpfloat (got->before_y, ==, left.y);
  if (got->has_after)
    g_assert_cmpfloat (got->after_y, ==, right.y);
}

static void
test_decimate_brute_force (void)
{
  TsTestRandom random = 3;
  double x[300], y[300];

  for (int round = 0; round < 400; round++) {
    gsize n = (gsize) ts_test_below (&random, 300);
    int width = 1 + ts_test_below (&random, 40);
    gboolean positive = round % 5 == 0;
    TsScale s;
    g_auto (TsColumns) columns;
    for (gsize i = 0; i < n; i++) {
      x[i] =
          round % 2 ? (double) i / 3 : ts_test_below (&random, 120); /* sorted; not, with doubles */
      int kind = ts_test_below (&random, 20);
      y[i] = kind == 0   ? NAN
             : kind == 1 ? INFINITY
             : kind == 2 ? -INFINITY
             : kind == 3 ? 1e30
                         : ts_test_unit (&random) * 4 - 2;
      if (ts_test_below (&random, 60) == 0)
        x[i] = ts_test_below (&random, 2) ? NAN : INFINITY;
    }
    ts_scale_init (&s, TS_SCALE_LINEAR, 10, 90, 0, width);
    ts_columns_init (&columns, width);
    ts_decimate (&columns, x, y, n, &s, positive);
    check_columns (&columns, x, y, n, &s, positive);
  }
}

static void
test_decimate_totals (void)
{
  const double x[] = {0, 1, 2, 3, 4, 5, NAN}, y[] = {1, NAN, INFINITY, -INFINITY, 0, 7, 1};
  TsScale s;
  g_auto (TsColumns) c;
  double min, max;

  ts_scale_init (&s, TS_SCALE_LINEAR, 0, 3, 0, 2);
  ts_columns_init (&c, 2);
  ts_decimate (&c, x, y, 7, &s, TRUE);
  g_assert_cmpuint (c.n_points, ==, 7);
  g_assert_cmpuint (c.n_nan, ==, 1);
  g_assert_cmpuint (c.n_pos_inf, ==, 1);
  g_assert_cmpuint (c.n_neg_inf, ==, 1);
  g_assert_cmpuint (c.n_hidden, ==, 1);
  g_assert_cmpuint (c.n_no_x, ==, 1);
  g_assert_true (ts_columns_range (&c, &min, &max));
  g_assert_cmpfloat (max, ==, 1);
}

/* --- Colours --- */

/* docs: every text pair of the tokens >= 4.5, text in a run's colour >= 6.5, lines >= 3. */
static void
test_contrast (void)
{
  for (int dark = 0; dark < 2; dark++) {
    const TsTheme *t = ts_theme_get (dark);
    const guint32 pairs[][2] = {
        {t->ink1, t->window},
        {t->ink1, t->card},
        {t->ink2, t->card},
        {t->ink3, t->card},
        {t->ink3, t->window},
        {t->ink3, t->rail},
        {t->accent, t->card},
        {t->cursor, t->window},
        {t->ok_ink, t->ok},
        {t->warn_ink, t->warn},
        {t->bad_ink, t->bad},
        {t->accent_fill_ink, t->accent_fill},
        {t->selection_ink, t->selection},
        {t->cursor_ink, t->cursor},
    };
    for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
      g_assert_cmpfloat (ts_color_contrast (pairs[i][0], pairs[i][1]), >=, 4.5);
    for (guint i = 0; i < TS_PALETTE_SIZE; i++) {
      g_assert_cmpfloat (ts_color_contrast (ts_palette_color (i, dark), t->card), >=, 3);
      g_assert_cmpfloat (ts_color_contrast (ts_palette_text (i, dark), t->card), >=, 6.5);
    }
  }
  g_assert_cmpfloat_with_epsilon (ts_color_contrast (0, 0xffffff), 21, 1e-9);
  g_assert_cmphex (ts_palette_diverging (0, FALSE), ==, 0xf3f1ee);
  g_assert_cmphex (ts_palette_diverging (1, TRUE), ==, 0xffb570);
  g_assert_cmphex (ts_palette_sequential (0, FALSE), ==, 0xe3eef4);
  g_assert_false (ts_palette_dashed (7));
  g_assert_true (ts_palette_dashed (8));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/scale/round-trip", test_scale_round_trip);
  g_test_add_func ("/plot/scale/extremes", test_scale_extremes);
  g_test_add_func ("/plot/scale/pad", test_scale_pad);
  g_test_add_func ("/plot/ticks/golden", test_ticks_golden);
  g_test_add_func ("/plot/ticks/random", test_ticks_random);
  g_test_add_func ("/plot/ticks/extremes", test_ticks_extremes);
  g_test_add_func ("/plot/numbers", test_numbers);
  g_test_add_func ("/plot/smooth/vectors", test_smooth_vectors);
  g_test_add_func ("/plot/smooth/first-point", test_smooth_first_point);
  g_test_add_func ("/plot/smooth/in-parts", test_smooth_in_parts);
  g_test_add_func ("/plot/decimate/brute-force", test_decimate_brute_force);
  g_test_add_func ("/plot/decimate/totals", test_decimate_totals);
  g_test_add_func ("/plot/palette/contrast", test_contrast);
  return g_test_run ();
}
