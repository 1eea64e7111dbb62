/* SPDX-License-Identifier: MIT */
#include "ui/plot/coverage-private.h"

#include <math.h>
#include <string.h>

/* A ring of n corners; all are drawn as straight edges, so areas are exact. */
static void
regular (TsVertex *v, int n, float x, float y, float radius, gboolean clockwise)
{
  for (int i = 0; i < n; i++) {
    double angle = 2 * G_PI * (clockwise ? i : -i) / n;
    v[i].x = x + radius * (float) cos (angle);
    v[i].y = y + radius * (float) sin (angle);
  }
}

/* The corners of a triangle (@up: 1 or -1) or diamond whose edges lie @inset further in. */
static int
corners (TsVertex *v, const TsMark *m, float inset)
{
  float r = m->radius;

  if (m->kind == TS_MARK_NEG_INF) {
    float d = r - inset * (float) G_SQRT2;
    const TsVertex ring[4] = {
        {m->x - d, m->y}, {m->x, m->y - d}, {m->x + d, m->y}, {m->x, m->y + d}};
    memcpy (v, ring, sizeof ring);
    return 4;
  }
  /* equilateral around its centre; the tip is two inradii away */
  float up = m->kind == TS_MARK_POS_INF ? 1 : -1;
  float d = r - 2 * inset, half = d * .8660254f;
  const TsVertex ring[3] = {{m->x, m->y - up * d},
                            {m->x + up * half, m->y + up * d * .5f},
                            {m->x - up * half, m->y + up * d * .5f}};
  memcpy (v, ring, sizeof ring);
  return 3;
}

int
ts_mark_outline (const TsMark *mark, TsVertex vertex[TS_SHAPE_VERTICES], int *n_outer)
{
  if (mark->kind == TS_MARK_DISC) {
    /* the polygon with the area of the disc */
    const int n = 48;
    double grow = sqrt (2 * G_PI / (n * sin (2 * G_PI / n)));
    regular (vertex, n, mark->x, mark->y, mark->radius * (float) grow, TRUE);
    return *n_outer = n;
  }
  int n = *n_outer = corners (vertex, mark, 0);
  float limit = mark->kind == TS_MARK_NEG_INF ? mark->radius * .7f : mark->radius * .5f;
  if (mark->width >= limit)
    return n;
  corners (vertex + n, mark, mark->width);
  for (int i = 0; i < n / 2; i++) { /* a hole runs the other way round */
    TsVertex t = vertex[n + i];
    vertex[n + i] = vertex[2 * n - 1 - i];
    vertex[2 * n - 1 - i] = t;
  }
  return 2 * n;
}

static gboolean
near_tile (int c0, float x, float radius)
{
  return x + radius + 1 >= (float) c0 && x - radius - 1 <= (float) (c0 + TS_LANES);
}

void
ts_mark_shape (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  TsVertex vertex[TS_SHAPE_VERTICES];
  int n_outer;

  if (!near_tile (c0, mark->x, mark->radius))
    return;
  int all = ts_mark_outline (mark, vertex, &n_outer);
  ts_coverage_ring (cov, c0, vertex, n_outer);
  if (all > n_outer)
    ts_coverage_ring (cov, c0, vertex + n_outer, all - n_outer);
}

void
ts_mark_disc (TsCoverage *cov, int c0, float x, float y, float radius)
{
  TsMark mark = {.kind = TS_MARK_DISC, .x = x, .y = y, .radius = radius};

  ts_mark_shape (cov, &mark, c0, 0);
}

/* Dots of one stroke's width and twice its length, as much apart. */
void
ts_mark_stem (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  float half = mark->width * .5f, length = mark->width * 2;
  float bottom = MIN (mark->y_end, (float) cov->height);

  if (!(length > .01f) || !near_tile (c0, mark->x, half))
    return;
  float start = MAX (mark->y, -1e5f);
  if (start < 0) /* whole periods above the picture */
    start += floorf (-start / (2 * length)) * 2 * length;
  for (float y = start; y < bottom; y += 2 * length) {
    float end = MIN (y + length, bottom);
    const TsVertex dot[4] = {
        {mark->x - half, y}, {mark->x + half, y}, {mark->x + half, end}, {mark->x - half, end}};
    ts_coverage_ring (cov, c0, dot, 4);
  }
}
