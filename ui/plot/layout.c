/* SPDX-License-Identifier: MIT */
#include "ui/plot/layout.h"

#include <math.h>
#include <string.h>

#include "ui/plot/decimate.h"
#include "ui/plot/layout-private.h"
#include "ui/plot/smooth.h"

#define LEFT          44
#define RIGHT         12
#define TOP           6
#define AXIS_ROOM     20
#define TITLE_ROOM    30
#define EXACT_ROOM    20
#define LABEL_WIDTH   88
#define OVERSCAN      4
#define TICK_LETTER   6.4 /* of 11 px digits, about */
#define PX_PER_Y_TICK 42
#define PX_PER_X_TICK 78

/* --- Series --- */

static gboolean
is_sorted (const double *x, gsize n)
{
  if (n && isnan (x[0]))
    return FALSE;
  for (gsize i = 1; i < n; i++)
    if (!(x[i] >= x[i - 1]))
      return FALSE;
  return TRUE;
}

static void
take_series (TsLayout *l, TsLayoutSeries *s, const TsChartSeries *given)
{
  s->name = g_utf8_make_valid (given->name ? given->name : "", -1);
  s->color = given->color;
  s->dashed = given->dashed || ts_palette_dashed (given->color);
  s->selected = given->selected;
  s->live = given->live;
  s->x = given->x;
  s->y = given->y;
  s->n = given->n;
  s->sorted = is_sorted (s->x, s->n);
  s->last = -1;
  if (l->options.smoothing > 0 && !given->exact) {
    s->smooth = g_new (double, MAX (s->n, 1));
    ts_smooth (l->options.smoothing, s->y, s->smooth, s->n);
  }
}

static void
order_series (TsLayout *l)
{
  guint at = 0;

  l->order = g_new (guint, MAX (l->n_series, 1));
  for (int selected = 0; selected <= 1; selected++)
    for (guint i = 0; i < l->n_series; i++)
      if ((l->series[i].selected ? 1 : 0) == selected)
        l->order[at++] = i;
}

/* --- Axes --- */

static void
fit_x (TsLayout *l, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = -INFINITY;
  if (l->options.x_given) {
    *lo = l->options.x_min;
    *hi = l->options.x_max;
    return;
  }
  for (guint k = 0; k < l->n_series; k++)
    for (gsize i = 0; i < l->series[k].n; i++) {
      double x = l->series[k].x[i];
      if (!isfinite (x))
        continue;
      *lo = MIN (*lo, x);
      *hi = MAX (*hi, x);
    }
  if (*lo > *hi) {
    *lo = 0;
    *hi = 1;
  } else if (*lo == *hi) {
    *lo -= 1;
    *hi += 1;
  }
}

/* Before the y axis is known: the width of its labels decides where the plot begins. */
static void
place_box (TsLayout *l, double left)
{
  const TsChartOptions *o = &l->options;
  double right = RIGHT, top = TOP;

  if (o->end_labels && !o->live)
    right = 8 + (o->label_width > 0 ? o->label_width : LABEL_WIDTH);
  if (l->title)
    top += TITLE_ROOM;
  l->title_y = 18;
  right = MIN (right, floor (o->width * .4));
  left = MIN (left, floor (o->width * .4));
  l->plot = (TsBox){left, top, MAX (o->width - left - right, 1),
                    MAX (o->height - top - AXIS_ROOM - EXACT_ROOM, 1)};
  l->exact_y = l->plot.y + l->plot.height + AXIS_ROOM + 8;
}

static void
place_device (TsLayout *l)
{
  double scale = l->options.scale;
  int over_x = l->options.x_given ? 0 : (int) (OVERSCAN * scale + .5);
  int over_y = l->options.y_given ? 0 : (int) (OVERSCAN * scale + .5);
  int width = MAX ((int) (l->plot.width * scale + .5), 1);
  int height = MAX ((int) (l->plot.height * scale + .5), 1);

  l->device_x = (int) floor (l->plot.x * scale + .5) - over_x;
  l->device_y = (int) floor (l->plot.y * scale + .5) - over_y;
  l->device_width = width + 2 * over_x;
  l->device_height = height + 2 * over_y;
}

/* The ends of the range lie in the middle of the first and the last column. */
static void
scale_x (TsLayout *l, double lo, double hi)
{
  double scale = l->options.scale, over = floor (l->plot.x * scale + .5) - l->device_x;
  double from = over + .5, to = l->device_width - over - .5;

  if (to <= from) {
    from -= .25;
    to = from + .5;
  }
  ts_scale_init (&l->device_x_scale, TS_SCALE_LINEAR, lo, hi, from, to);
  ts_scale_init (&l->x_scale, TS_SCALE_LINEAR, lo, hi, (from + l->device_x) / scale,
                 (to + l->device_x) / scale);
}

static void
scale_y (TsLayout *l, double lo, double hi)
{
  TsScaleKind kind = l->options.log_y ? TS_SCALE_LOG10 : TS_SCALE_LINEAR;
  double scale = l->options.scale, over = floor (l->plot.y * scale + .5) - l->device_y;
  double top = over, bottom = l->device_height - over;

  ts_scale_init (&l->device_y_scale, kind, lo, hi, bottom, top);
  ts_scale_init (&l->y_scale, kind, lo, hi, (bottom + l->device_y) / scale,
                 (top + l->device_y) / scale);
}

static void
y_range (TsLayout *l, double *lo, double *hi)
{
  TsScaleKind kind = l->options.log_y ? TS_SCALE_LOG10 : TS_SCALE_LINEAR;
  int target = MAX ((int) (l->plot.height / PX_PER_Y_TICK + .5), 1);

  *lo = INFINITY;
  *hi = -INFINITY;
  for (guint k = 0; k < l->n_series; k++) {
    double a, b;
    if (!ts_columns_range (&l->series[k].raw, &a, &b))
      continue;
    *lo = MIN (*lo, a);
    *hi = MAX (*hi, b);
  }
  /* ticks around the data are air enough: an accuracy of 1 ends at 1, not at 1.2 */
  if (l->options.log_y || !(*lo < *hi))
    ts_scale_pad (kind, lo, hi);
  if (!l->options.log_y)
    ts_ticks_nice (lo, hi, target);
}

static void
tick_axes (TsLayout *l)
{
  int ny = MAX ((int) (l->plot.height / PX_PER_Y_TICK + .5), 1);
  int nx = MAX ((int) (l->plot.width / PX_PER_X_TICK + .5), 1);
  double lo = l->x_scale.lo, hi = l->x_scale.hi;

  if (l->options.log_y)
    ts_ticks_log (&l->y_ticks, l->y_scale.lo, l->y_scale.hi, ny);
  else
    ts_ticks_linear (&l->y_ticks, l->y_scale.lo, l->y_scale.hi, ny);
  switch (l->options.x_kind) {
  case TS_X_STEP:
    ts_ticks_steps (&l->x_ticks, lo, hi, nx);
    break;
  case TS_X_RELATIVE:
    ts_ticks_duration (&l->x_ticks, lo, hi, nx);
    break;
  case TS_X_WALL:
    ts_ticks_wall (&l->x_ticks, lo, hi, nx, l->options.utc_offset_s);
    break;
  }
}

static void
decimate_all (TsLayout *l, gboolean smoothed)
{
  for (guint k = 0; k < l->n_series; k++) {
    TsLayoutSeries *s = &l->series[k];
    if (smoothed && !s->smooth)
      continue;
    TsColumns *columns = smoothed ? &s->smoothed : &s->raw;
    ts_columns_clear (columns);
    ts_columns_init (columns, l->device_width);
    ts_decimate (columns, s->x, smoothed ? s->smooth : s->y, s->n, &l->device_x_scale,
                 l->options.log_y);
  }
}

/* Columns first, since the range of y is that of the columns seen; then the labels of y, which may
 * want more room at the left, and the columns again. */
static void
place_axes (TsLayout *l)
{
  double x_lo, x_hi, y_lo = l->options.y_min, y_hi = l->options.y_max, left = LEFT;

  fit_x (l, &x_lo, &x_hi);
  for (int round = 0; round < 2; round++) {
    place_box (l, left);
    place_device (l);
    scale_x (l, x_lo, x_hi);
    decimate_all (l, FALSE);
    if (!l->options.y_given)
      y_range (l, &y_lo, &y_hi);
    scale_y (l, y_lo, y_hi);
    tick_axes (l);
    glong longest = 0;
    for (int i = 0; i < l->y_ticks.n; i++)
      longest = MAX (longest, g_utf8_strlen (l->y_ticks.tick[i].label, -1));
    double needs = ceil ((double) longest * TICK_LETTER + 8);
    if (needs <= left)
      break;
    left = needs;
  }
  if (l->options.smoothing > 0)
    decimate_all (l, TRUE);
}

static gboolean
option_is_range (double lo, double hi, gboolean log)
{
  return isfinite (lo) && isfinite (hi) && lo < hi && (!log || lo > 0);
}

TsLayout *
ts_layout_new (const TsChart *chart)
{
  TsLayout *l = g_new0 (TsLayout, 1);
  TsChartOptions *o = &l->options;

  *o = chart->options;
  o->width = CLAMP (o->width, 1, 1 << 15);
  o->height = CLAMP (o->height, 1, 1 << 15);
  o->scale = o->scale > 0 && isfinite (o->scale) ? CLAMP (o->scale, .25, 16) : 1;
  o->smoothing = isfinite (o->smoothing) ? CLAMP (o->smoothing, 0, 1) : 0;
  o->x_given = o->x_given && option_is_range (o->x_min, o->x_max, FALSE);
  o->y_given = o->y_given && option_is_range (o->y_min, o->y_max, o->log_y);
  l->title = chart->title ? g_utf8_make_valid (chart->title, -1) : NULL;
  l->n_series = chart->n_series;
  l->series = g_new0 (TsLayoutSeries, MAX (l->n_series, 1));
  for (guint k = 0; k < l->n_series; k++)
    take_series (l, &l->series[k], &chart->series[k]);
  order_series (l);
  place_axes (l);
  ts_layout_place_markers (l);
  ts_layout_place_labels (l);
  ts_layout_write_exact (l);
  return l;
}

void
ts_layout_free (TsLayout *l)
{
  if (!l)
    return;
  for (guint k = 0; k < l->n_series; k++) {
    ts_columns_clear (&l->series[k].raw);
    ts_columns_clear (&l->series[k].smoothed);
    g_free (l->series[k].name);
    g_free (l->series[k].smooth);
  }
  g_free (l->series);
  g_free (l->order);
  g_free (l->title);
  g_free (l->exact);
  g_free (l->where);
  g_array_unref (l->markers);
  g_array_unref (l->labels);
  g_free (l);
}
