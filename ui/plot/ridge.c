/* SPDX-License-Identifier: MIT */
#include "ui/plot/ridge.h"

#include <math.h>

#include "ui/plot/palette.h"
#include "ui/plot/text.h"

#define TITLE_HEIGHT 26.0
#define FOOT_HEIGHT  18.0
#define AXIS_HEIGHT  20.0
#define OVERLAP      2.6 /* rows that a peak reaches over */

static double
total (const TsRidge *r)
{
  double sum = 0;

  for (guint i = 0; i < r->n; i++)
    sum += r->count[i];
  return sum;
}

gboolean
ts_ridge_range (const TsRidge *ridges, guint n, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = -INFINITY;
  for (guint i = 0; i < n; i++)
    if (ridges[i].n) {
      *lo = MIN (*lo, ridges[i].left[0]);
      *hi = MAX (*hi, ridges[i].right[ridges[i].n - 1]);
    }
  return *lo <= *hi;
}

double
ts_ridge_quantile (const TsRidge *r, double q)
{
  double want = q * total (r), before = 0;

  if (r->n == 0)
    return NAN;
  for (guint i = 0; i < r->n; i++) {
    if (r->count[i] > 0 && before + r->count[i] >= want)
      return r->left[i] + (r->right[i] - r->left[i]) * MAX (want - before, 0) / r->count[i];
    before += r->count[i];
  }
  return r->right[r->n - 1];
}

/* Share of the values per unit of the axis; a bucket without width is as wide as can just be seen.
 */
static double
density (const TsRidgeLayout *l, const TsRidge *r, guint bucket, double sum)
{
  double least = (l->value.hi - l->value.lo) / 200, width = r->right[bucket] - r->left[bucket];

  return sum > 0 ? r->count[bucket] / sum / MAX (width, least) : 0;
}

static char *
foot_text (const TsRidgeLayout *l)
{
  const TsRidge *r = l->chart.ridges;
  guint n = l->chart.n;
  double nonfinite = 0;
  g_autoptr (GString) s = g_string_new (NULL);
  char number[TS_NUMBER_SIZE];

  for (guint i = 0; i < n; i++)
    nonfinite += r[i].nonfinite;
  if (n == 0)
    return g_strdup ("nothing recorded yet");
  gboolean regular = n > 2;
  for (guint i = 3; i < n && regular; i++)
    regular = r[i].step - r[i - 1].step == r[2].step - r[1].step;
  if (regular)
    g_string_append_printf (s, "every %s steps · ",
                            ts_ticks_format_count (number, (gint64) (r[2].step - r[1].step)));
  g_string_append_printf (s, "%s kept", ts_ticks_format_count (number, n));
  if (l->chart.mode == TS_RIDGE_OFFSET && l->n_drawn < n)
    g_string_append_printf (s, ", %u drawn", l->n_drawn);
  g_string_append_printf (s, " · %s non-finite",
                          ts_ticks_format_count (number, (gint64) nonfinite));
  return g_strdup (s->str);
}

static void
choose_drawn (TsRidgeLayout *l)
{
  guint n = l->chart.n;

  l->n_drawn = MIN (n, TS_RIDGES_MAX);
  for (guint i = 0; i < l->n_drawn; i++)
    l->drawn[i] =
        l->n_drawn == n
            ? i
            : (guint) (((guint64) i * (n - 1) + (TS_RIDGES_MAX - 1) / 2) / (TS_RIDGES_MAX - 1));
}

static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The density that reaches the full height.  A few ridges that are far sharper than the others, as
 * biases that are all 0 at the start, are cut off rather than flatten the rest. */
static double
common_peak (const TsRidgeLayout *l)
{
  double peaks[TS_RIDGES_MAX] = {0};

  for (guint i = 0; i < l->n_drawn; i++) {
    const TsRidge *r = &l->chart.ridges[l->drawn[i]];
    double sum = total (r);
    for (guint b = 0; b < r->n; b++)
      peaks[i] = MAX (peaks[i], density (l, r, b, sum));
  }
  if (l->n_drawn == 0)
    return 0;
  qsort (peaks, l->n_drawn, sizeof peaks[0], by_value);
  double median = peaks[l->n_drawn / 2], highest = peaks[l->n_drawn - 1];
  return median > 0 ? MIN (highest, 2 * median) : highest;
}

static void
lay_offset (TsRidgeLayout *l, double lo, double hi)
{
  const TsRidgeChart *c = &l->chart;
  double first = c->n ? c->ridges[0].step : 0, last = c->n ? c->ridges[c->n - 1].step : 1;
  double rows = MAX ((double) l->n_drawn - 1, 0), spacing = l->plot.height / (rows + OVERLAP);

  ts_scale_init (&l->value, TS_SCALE_LINEAR, lo, hi, l->plot.x, l->plot.x + l->plot.width);
  ts_ticks_linear (&l->value_ticks, l->value.lo, l->value.hi, MAX ((int) (l->plot.width / 70), 2));
  l->ridge_height = rows > 0 ? OVERLAP * spacing : l->plot.height * 0.8;
  ts_scale_init (&l->step, TS_SCALE_LINEAR, first, last > first ? last : first + 1,
                 l->plot.y + l->ridge_height, l->plot.y + l->plot.height);
  if (rows > 0)
    ts_ticks_steps (&l->step_ticks, l->step.lo, l->step.hi, MAX ((int) (l->plot.height / 46), 2));
  l->peak = common_peak (l);
}

static void
lay_bands (TsRidgeLayout *l, double lo, double hi)
{
  const TsRidgeChart *c = &l->chart;
  double first = c->n ? c->ridges[0].step : 0, last = c->n ? c->ridges[c->n - 1].step : 1;

  ts_scale_init (&l->value, TS_SCALE_LINEAR, lo, hi, l->plot.y + l->plot.height, l->plot.y);
  ts_ticks_linear (&l->value_ticks, l->value.lo, l->value.hi, MAX ((int) (l->plot.height / 42), 2));
  ts_scale_init (&l->step, TS_SCALE_LINEAR, first, last > first ? last : first + 1, l->plot.x,
                 l->plot.x + l->plot.width);
  ts_ticks_steps (&l->step_ticks, l->step.lo, l->step.hi, MAX ((int) (l->plot.width / 78), 2));
}

TsRidgeLayout *
ts_ridge_layout_new (const TsRidgeChart *chart)
{
  TsRidgeLayout *l = g_new0 (TsRidgeLayout, 1);
  gboolean bands = chart->mode == TS_RIDGE_BANDS;
  double top = chart->title ? TITLE_HEIGHT : 6, lo, hi;

  l->chart = *chart;
  l->chart.title = g_strdup (chart->title);
  l->chart.subtitle = g_strdup (chart->subtitle);
  l->plot = (TsBox){bands ? 44 : 12, top, MAX (chart->width - (bands ? 56.0 : 60.0), 1),
                    MAX (chart->height - top - AXIS_HEIGHT - FOOT_HEIGHT, 1)};
  if (chart->range_given) {
    lo = chart->lo;
    hi = chart->hi;
  } else {
    ts_ridge_range (chart->ridges, chart->n, &lo, &hi);
    ts_scale_pad (TS_SCALE_LINEAR, &lo, &hi);
  }
  choose_drawn (l);
  if (bands)
    lay_bands (l, lo, hi);
  else
    lay_offset (l, lo, hi);
  l->foot = foot_text (l);
  return l;
}

void
ts_ridge_layout_free (TsRidgeLayout *l)
{
  g_free ((char *) l->chart.title);
  g_free ((char *) l->chart.subtitle);
  g_free (l->foot);
  g_free (l);
}

static void
set_color (cairo_t *cr, guint32 rgb, double alpha)
{
  cairo_set_source_rgba (cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                         (rgb & 255) / 255.0, alpha);
}

/* The upper edge of a ridge, from its first to its last bucket. */
static void
trace_ridge (cairo_t *cr, const TsRidgeLayout *l, const TsRidge *r, double base)
{
  double sum = total (r), scale = l->peak > 0 ? l->ridge_height / l->peak : 0;

  cairo_move_to (cr, ts_scale_to_px (&l->value, r->left[0]), base);
  for (guint b = 0; b < r->n; b++) {
    double y = base - MIN (scale * density (l, r, b, sum), l->ridge_height);
    double left = ts_scale_to_px (&l->value, r->left[b]),
           right = ts_scale_to_px (&l->value, r->right[b]);
    if (right - left < 1) { /* a single value: a needle */
      cairo_line_to (cr, left, y);
      cairo_line_to (cr, right + 1, y);
    } else {
      cairo_line_to (cr, (left + right) / 2, y);
    }
  }
  cairo_line_to (cr, ts_scale_to_px (&l->value, r->right[r->n - 1]), base);
}

static void
draw_offset (cairo_t *cr, const TsRidgeLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->chart.dark);

  for (guint i = 0; i < l->n_drawn; i++) {
    const TsRidge *r = &l->chart.ridges[l->drawn[i]];
    double base = ts_scale_to_px (&l->step, r->step),
           age = l->n_drawn > 1 ? (double) i / (l->n_drawn - 1) : 1;
    gboolean cursor = l->chart.cursor == (gssize) l->drawn[i];
    guint32 fill = cursor ? theme->cursor : ts_palette_sequential (0.2 + 0.8 * age, l->chart.dark);
    if (r->n == 0)
      continue;
    trace_ridge (cr, l, r, base);
    set_color (cr, fill, 1);
    cairo_fill_preserve (cr);
    set_color (cr, cursor ? theme->cursor : theme->card, 1);
    cairo_set_line_width (cr, cursor ? 2 : 1);
    cairo_stroke (cr);
  }
}

static void
draw_bands (cairo_t *cr, const TsRidgeLayout *l)
{
  static const double shares[] = {1, 0.9, 0.68, 0.38};
  static const double tones[] = {0.15, 0.32, 0.48, 0.62};
  const TsRidge *r = l->chart.ridges;
  guint n = l->chart.n;

  for (guint s = 0; s < G_N_ELEMENTS (shares); s++) {
    gboolean started = FALSE;
    for (guint i = 0; i < 2 * n; i++) {
      guint k = i < n ? i : 2 * n - 1 - i;
      double q = i < n ? (1 - shares[s]) / 2 : (1 + shares[s]) / 2;
      if (r[k].n == 0)
        continue;
      double x = ts_scale_to_px (&l->step, r[k].step),
             y = ts_scale_to_px (&l->value, ts_ridge_quantile (&r[k], q));
      if (started)
        cairo_line_to (cr, x, y);
      else
        cairo_move_to (cr, x, y);
      started = TRUE;
    }
    if (!started)
      return;
    cairo_close_path (cr);
    set_color (cr, ts_palette_sequential (tones[s], l->chart.dark), 1);
    cairo_fill (cr);
  }
  for (guint i = 0; i < n; i++)
    if (r[i].n)
      cairo_line_to (cr, ts_scale_to_px (&l->step, r[i].step),
                     ts_scale_to_px (&l->value, ts_ridge_quantile (&r[i], 0.5)));
  set_color (cr, ts_palette_sequential (1, l->chart.dark), 1);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

static void
draw_axes (cairo_t *cr, const TsRidgeLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->chart.dark);
  TsTextStyle style = {.size = 11, .rgb = theme->ink3, .align = TS_TEXT_CENTER};
  gboolean bands = l->chart.mode == TS_RIDGE_BANDS;
  double bottom = l->plot.y + l->plot.height, right = l->plot.x + l->plot.width;

  set_color (cr, theme->grid, 1);
  cairo_set_line_width (cr, 1);
  for (int i = 0; i < l->value_ticks.n; i++) {
    double at = floor (ts_scale_to_px (&l->value, l->value_ticks.tick[i].value)) + 0.5;
    cairo_move_to (cr, bands ? l->plot.x : at, bands ? at : l->plot.y);
    cairo_line_to (cr, bands ? right : at, bands ? at : bottom);
  }
  cairo_stroke (cr);
  for (int i = 0; i < l->value_ticks.n; i++) {
    double at = ts_scale_to_px (&l->value, l->value_ticks.tick[i].value);
    style.align = bands ? TS_TEXT_RIGHT : TS_TEXT_CENTER;
    ts_text_draw (cr, l->value_ticks.tick[i].label, bands ? l->plot.x - 8 : at,
                  bands ? at : bottom + 12, &style);
  }
  style.align = bands ? TS_TEXT_CENTER : TS_TEXT_LEFT;
  for (int i = 0; i < l->step_ticks.n; i++) {
    double at = ts_scale_to_px (&l->step, l->step_ticks.tick[i].value);
    ts_text_draw (cr, l->step_ticks.tick[i].label, bands ? at : right + 8,
                  bands ? bottom + 12 : at - 3, &style);
  }
}

void
ts_ridge_draw (cairo_t *cr, const TsRidgeLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->chart.dark);

  if (l->chart.title) {
    TsTextStyle title = {
        .size = 13, .bold = TRUE, .rgb = theme->ink1, .max_width = l->chart.width - 70.0};
    double w = ts_text_draw (cr, l->chart.title, 12, 14, &title);
    if (l->chart.subtitle)
      ts_text_draw (cr, l->chart.subtitle, 12 + w + 8, 14,
                    &(TsTextStyle){.size = 12, .rgb = theme->ink3});
  }
  draw_axes (cr, l);
  cairo_save (cr);
  cairo_rectangle (cr, l->plot.x, l->plot.y - 1, l->plot.width, l->plot.height + 2);
  cairo_clip (cr);
  if (l->chart.mode == TS_RIDGE_BANDS)
    draw_bands (cr, l);
  else
    draw_offset (cr, l);
  cairo_restore (cr);
  ts_text_draw (cr, l->foot, 12, l->chart.height - 10.0,
                &(TsTextStyle){.size = 11, .rgb = theme->ink3, .max_width = l->chart.width - 24.0});
}

gssize
ts_ridge_find (const TsRidgeLayout *l, double px, double py)
{
  gssize best = -1;
  double at = ts_scale_to_data (&l->step, l->chart.mode == TS_RIDGE_BANDS ? px : py),
         nearest = INFINITY;

  for (guint i = 0; i < l->n_drawn; i++) {
    guint k = l->drawn[i];
    double away = fabs (l->chart.ridges[k].step - at);
    if (away < nearest) {
      nearest = away;
      best = (gssize) k;
    }
  }
  return best;
}
