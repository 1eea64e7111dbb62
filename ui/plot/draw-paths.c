/* SPDX-License-Identifier: MIT */
#include "ui/plot/draw-private.h"

/* Rows far outside are brought near: some readers of SVG and PDF count in 16.16 fixed point. */
static double
near_row (float y)
{
  return CLAMP ((double) y, -5000, 20000);
}

/* The columns begin..end (end excluded) as one filled outline: down the extents' upper side and
 * back along the lower one. */
static void
span_path (cairo_t *cr, const TsTrack *t, double half)
{
  for (int c = 0; c < t->n; c++) {
    if (!t->filled[c])
      continue;
    float top = t->top[c], bottom = t->bottom[c];
    if (t->linked[c - 1]) {
      float y = (t->last[c - 1] + t->first[c]) * .5f;
      top = MIN (top, y);
      bottom = MAX (bottom, y);
    }
    if (t->linked[c]) {
      float y = (t->last[c] + t->first[c + 1]) * .5f;
      top = MIN (top, y);
      bottom = MAX (bottom, y);
    }
    double from = near_row (top) - half, to = near_row (bottom) + half;
    cairo_rectangle (cr, c, from, 1, to - from);
  }
}

/* Each column: where the curve enters, its extremes in the shorter order, where it leaves. */
static void
column_to (cairo_t *cr, const TsTrack *t, int c)
{
  double x = c + .5;
  float first = t->first[c], last = t->last[c];

  cairo_line_to (cr, x, near_row (first));
  if (t->bottom[c] - t->top[c] < .01f)
    return;
  if (first < last) {
    cairo_line_to (cr, x, near_row (t->top[c]));
    cairo_line_to (cr, x, near_row (t->bottom[c]));
  } else {
    cairo_line_to (cr, x, near_row (t->bottom[c]));
    cairo_line_to (cr, x, near_row (t->top[c]));
  }
  cairo_line_to (cr, x, near_row (last));
}

static void
line_paths (cairo_t *cr, const TsMark *mark, const TsScene *scene)
{
  const TsTrack *t = mark->track;
  int end = t->n + TS_TRACK_PAD;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width (cr, mark->width);
  if (mark->kind == TS_MARK_DASHES) {
    const double dash[2] = {MAX (scene->on - mark->width, .01), scene->off + mark->width};
    cairo_set_dash (cr, dash, 2, 0);
  }
  for (int from = -TS_TRACK_PAD; from < end; from++) {
    if (!t->filled[from])
      continue;
    int to = from;
    while (to + 1 < end && t->linked[to])
      to++;
    if (from == to && t->bottom[from] - t->top[from] < 1) {
      cairo_arc (cr, from + .5, near_row (t->top[from]), MAX (mark->dot, mark->width / 2), 0,
                 2 * G_PI);
      cairo_fill (cr);
      continue;
    }
    for (int c = from; c <= to; c++)
      column_to (cr, t, c);
    cairo_stroke (cr);
    from = to;
  }
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
band_path (cairo_t *cr, const TsTrack *t)
{
  for (int from = 0; from < t->n; from++) {
    if (!t->filled[from])
      continue;
    int to = from;
    while (to + 1 < t->n && t->linked[to])
      to++;
    for (int c = from; c <= to; c++)
      cairo_line_to (cr, c + .5, near_row (t->top[c]));
    for (int c = to; c >= from; c--)
      cairo_line_to (cr, c + .5, near_row (t->bottom[c]));
    cairo_close_path (cr);
    from = to;
  }
}

static void
shape_path (cairo_t *cr, const TsMark *mark)
{
  TsVertex vertex[TS_SHAPE_VERTICES];
  int n_outer;

  if (mark->kind == TS_MARK_DISC) {
    cairo_arc (cr, mark->x, mark->y, mark->radius, 0, 2 * G_PI);
    return;
  }
  int n = ts_mark_outline (mark, vertex, &n_outer);
  for (int i = 0; i < n; i++) {
    if (i == n_outer)
      cairo_close_path (cr);
    if (i == 0 || i == n_outer)
      cairo_move_to (cr, vertex[i].x, vertex[i].y);
    else
      cairo_line_to (cr, vertex[i].x, vertex[i].y);
  }
  cairo_close_path (cr);
}

static void
draw_mark (cairo_t *cr, const TsMark *mark, const TsScene *scene)
{
  switch (mark->kind) {
  case TS_MARK_SPAN:
    span_path (cr, mark->track, mark->width / 2);
    cairo_fill (cr);
    break;
  case TS_MARK_LINE:
  case TS_MARK_DASHES:
    line_paths (cr, mark, scene);
    break;
  case TS_MARK_BAND:
    band_path (cr, mark->track);
    cairo_fill (cr);
    break;
  case TS_MARK_DISC:
  case TS_MARK_NAN:
  case TS_MARK_POS_INF:
  case TS_MARK_NEG_INF:
    shape_path (cr, mark);
    cairo_fill (cr);
    break;
  case TS_MARK_STEM: {
    const double dots[2] = {mark->width * 2, mark->width * 2};
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width (cr, mark->width);
    cairo_set_dash (cr, dots, 2, 0);
    cairo_move_to (cr, mark->x, mark->y);
    cairo_line_to (cr, mark->x, mark->y_end);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0);
    break;
  }
  }
}

void
ts_draw_scene_paths (cairo_t *cr, const TsScene *scene)
{
  for (guint i = 0; i < scene->marks->len; i++) {
    const TsMark *mark = &g_array_index (scene->marks, TsMark, i);
    ts_draw_set_color (cr, mark->rgb, mark->alpha);
    cairo_new_path (cr);
    draw_mark (cr, mark, scene);
  }
}
