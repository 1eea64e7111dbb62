/* SPDX-License-Identifier: MIT */
#include "ui/plot/coverage-private.h"

#include <math.h>

/* The centre line of a track, and where along it (in arc length) we are. */
typedef struct {
  TsDashes *dashes;
  double on, period, half; /* of the stroke: round ends add it on both sides */
  double s;                /* at the start of the segment */
  gboolean open;           /* a dash goes on from the segment before */
  float seen_top, seen_bottom;
} Walk;

static void
add_vertex (Walk *w, double x, double y)
{
  TsVertex v = {(float) x, (float) y};

  g_array_append_val (w->dashes->vertex, v);
}

static void
begin_dash (Walk *w)
{
  g_array_append_val (w->dashes->start, w->dashes->vertex->len);
}

/* The stretch of the segment that can be seen, as arc length; FALSE: none. */
static gboolean
visible (const Walk *w, double y0, double y1, double length, double *from, double *to)
{
  double lo = w->seen_top, hi = w->seen_bottom, a = 0, b = 1;

  if (y0 != y1) {
    double t0 = (lo - y0) / (y1 - y0), t1 = (hi - y0) / (y1 - y0);
    a = MAX (a, MIN (t0, t1));
    b = MIN (b, MAX (t0, t1));
  } else if (y0 < lo || y0 > hi) {
    return FALSE;
  }
  *from = w->s + a * length;
  *to = w->s + b * length;
  return a < b;
}

/* Dash k covers [k·period + half, k·period + on - half] of arc length, so that its round ends reach
 * exactly k·period and k·period + on. */
static void
walk_segment (Walk *w, double x, double y0, double y1)
{
  double length = sqrt (1 + (y1 - y0) * (y1 - y0)), end = w->s + length, from, to;
  double reach = MAX (w->on - 2 * w->half, 0);

  if (!visible (w, y0, y1, length, &from, &to)) {
    w->open = FALSE;
    w->s = end;
    return;
  }
  if (from > w->s)
    w->open = FALSE;
  for (double k = floor (from / w->period);; k++) {
    double a = MAX (k * w->period + w->half, from), b = MIN (k * w->period + w->half + reach, to);
    if (k * w->period + w->half >= to)
      break;
    if (a > b || b < from)
      continue;
    if (!(w->open && a <= w->s)) {
      begin_dash (w);
      add_vertex (w, x + (a - w->s) / length, y0 + (y1 - y0) * (a - w->s) / length);
    }
    add_vertex (w, x + (b - w->s) / length, y0 + (y1 - y0) * (b - w->s) / length);
    w->open = b >= end;
  }
  if (to < end)
    w->open = FALSE;
  w->s = end;
}

TsDashes *
ts_dashes_new (const TsTrack *track, double width, double on, double off, int height)
{
  TsDashes *d = g_new0 (TsDashes, 1);
  double half = CLAMP (width, .01, TS_MARK_WIDTH_MAX) * .5;
  Walk w = {d, on, MAX (on + off, .5), half};

  d->vertex = g_array_new (FALSE, FALSE, sizeof (TsVertex));
  d->start = g_array_new (FALSE, FALSE, sizeof (guint));
  w.seen_top = (float) (-half - on - 1);
  w.seen_bottom = (float) (height + half + on + 1);
  for (int c = -TS_TRACK_PAD; c < track->n + TS_TRACK_PAD; c++) {
    if (!track->filled[c])
      continue;
    float y = (track->first[c] + track->last[c]) * .5f;
    if (!track->linked[c - 1]) {
      w.s = half; /* a piece begins with a whole dash */
      w.open = FALSE;
      if (!track->linked[c] && y > w.seen_top && y < w.seen_bottom) {
        begin_dash (&w);
        add_vertex (&w, c + .5, y);
      }
    }
    if (track->linked[c])
      walk_segment (&w, c + .5, y, (track->first[c + 1] + track->last[c + 1]) * .5f);
  }
  guint end = d->vertex->len;
  g_array_append_val (d->start, end);
  return d;
}

void
ts_dashes_free (TsDashes *d)
{
  if (!d)
    return;
  g_array_unref (d->vertex);
  g_array_unref (d->start);
  g_free (d);
}

#define N_PLACES (TS_LANES * TS_SAMPLES + 1)

typedef struct {
  float top[N_PLACES], bottom[N_PLACES];
} Places;

/* One straight part, at all samples of the tile it touches. */
static void
stroke_part (Places *p, TsVertex a, TsVertex b, float half, const float *samples, int c0)
{
  float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf (dx * dx + dy * dy);
  float shift = length > 0 ? half * dy / length : 0;
  int from = MAX (((int) floorf (a.x - half) - c0) * TS_SAMPLES, 0);
  int to = MIN (((int) floorf (b.x + half) - c0 + 1) * TS_SAMPLES, N_PLACES - 1);

  for (int i = from; i <= to; i++) {
    float x = (float) (c0 + i / TS_SAMPLES) + samples[i % TS_SAMPLES];
    for (int side = -1; side <= 1; side += 2) {
      float q = CLAMP (x + (float) side * shift, a.x, b.x), rest = half * half - (q - x) * (q - x);
      if (rest < 0)
        continue;
      float d = sqrtf (rest), y = a.y;
      if (dx >= 1e-4f)
        y = a.y + dy / dx * (q - a.x);
      else
        y = side < 0 ? MIN (a.y, b.y) : MAX (a.y, b.y);
      if (side < 0)
        p->top[i] = MIN (p->top[i], y - d);
      else
        p->bottom[i] = MAX (p->bottom[i], y + d);
    }
  }
}

void
ts_mark_dashes (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  const TsDashes *d = mark->dashes;
  const TsVertex *vertex = (const TsVertex *) (void *) d->vertex->data;
  const guint *start = (const guint *) (void *) d->start->data;
  float half = CLAMP (mark->width, .01f, TS_MARK_WIDTH_MAX) * .5f, samples[TS_SAMPLES + 1];
  guint lo = 0, hi = d->start->len - 1, n_dashes = hi;

  ts_mark_samples (half, samples);
  while (lo < hi) { /* dashes run from left to right */
    guint middle = (lo + hi) / 2;
    if (vertex[start[middle + 1] - 1].x + half < (float) c0)
      lo = middle + 1;
    else
      hi = middle;
  }
  for (guint k = lo; k < n_dashes; k++) {
    const TsVertex *v = vertex + start[k];
    guint count = start[k + 1] - start[k];
    Places p;
    if (v[0].x - half > (float) (c0 + TS_LANES))
      break;
    for (int i = 0; i < N_PLACES; i++) {
      p.top[i] = 1e9f;
      p.bottom[i] = -1e9f;
    }
    if (count == 1)
      stroke_part (&p, v[0], v[0], half, samples, c0);
    for (guint i = 0; i + 1 < count; i++)
      if (v[i + 1].x + half >= (float) c0 && v[i].x - half <= (float) (c0 + TS_LANES))
        stroke_part (&p, v[i], v[i + 1], half, samples, c0);
    for (int lane = 0; lane < TS_LANES && c0 + lane < n; lane++)
      ts_coverage_interval (cov, lane, p.top + lane * TS_SAMPLES, p.bottom + lane * TS_SAMPLES,
                            samples, TS_SAMPLES);
  }
}
