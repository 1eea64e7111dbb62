/* SPDX-License-Identifier: MIT */
#include "ui/plot/coverage-private.h"

#include <math.h>
#include <string.h>

/* Farther than anything drawn, small enough to add to. */
#define FAR 1e9f
/* Columns a stroke reaches to either side of its own, at most. */
#define REACH_MAX (TS_MARK_WIDTH_MAX / 2 + 1)
#define LOCAL_MAX (TS_LANES + 2 * REACH_MAX + 2)

G_STATIC_ASSERT (REACH_MAX + 2 <= TS_TRACK_PAD);

void
ts_mark_samples (float half, float x[TS_SAMPLES + 1])
{
  const float near = .01f;
  float a = .5f + half - floorf (.5f + half);

  if (a > .5f)
    a = 1 - a;
  if (a >= .06f && a <= .44f) {
    const float places[TS_SAMPLES + 1] = {0, a - near, a + near, .5f, 1 - a - near, 1 - a + near,
                                          1};
    memcpy (x, places, sizeof places);
    return;
  }
  for (int s = 0; s <= TS_SAMPLES; s++)
    x[s] = (float) s / TS_SAMPLES;
  x[3] = .5f;
  if (a < .06f) {
    x[1] = a + near;
    x[5] = 1 - a - near;
  } else {
    x[2] = MIN (a - near, .47f);
    x[4] = 1 - x[2];
  }
}

/* The vertices around a tile, arranged by local index; what does not belong to the piece is moved
 * far away by `off_vertex` and `off_segment` instead of by branches in the loops. */
typedef struct {
  float top[LOCAL_MAX], bottom[LOCAL_MAX], off_vertex[LOCAL_MAX];
  float y[LOCAL_MAX], slope[LOCAL_MAX], shift[LOCAL_MAX], off_segment[LOCAL_MAX];
} Around;

static void
gather (Around *l, const TsTrack *t, int left, int n, int from, int to, float half)
{
  for (int i = 0; i < n; i++) {
    int c = left + i;
    gboolean vertex = c >= from && c <= to, segment = c >= from && c < to;
    float m = segment ? t->first[c + 1] - t->last[c] : 0;
    l->off_vertex[i] = vertex ? 0 : FAR;
    l->top[i] = vertex ? t->top[c] : 0;
    l->bottom[i] = vertex ? t->bottom[c] : 0;
    l->off_segment[i] = segment ? 0 : FAR;
    l->y[i] = segment ? t->last[c] : 0;
    l->slope[i] = m;
    l->shift[i] = half * m / sqrtf (1 + m * m); /* where a disc on the segment is tangent */
  }
}

/* Around vertex o (at distance vx from the sample): the disc on the column's own extent. */
static void
add_vertex (const Around *l, int o, float d, float *top, float *bottom)
{
  for (int c = 0; c < TS_LANES; c++) {
    float t = l->top[c + o] - d + l->off_vertex[c + o];
    float b = l->bottom[c + o] + d - l->off_vertex[c + o];
    top[c] = MIN (top[c], t);
    bottom[c] = MAX (bottom[c], b);
  }
}

/* A disc swept along the segment from vertex o to o + 1: at the sample its edge is that of the disc
 * that is tangent there. */
static void
add_segment (const Around *l, int o, float vx, float half2, float *top, float *bottom)
{
  for (int c = 0; c < TS_LANES; c++) {
    int i = c + o;
    float qt = MIN (MAX (-l->shift[i], vx), vx + 1), qb = MIN (MAX (l->shift[i], vx), vx + 1);
    float rt = half2 - qt * qt, rb = half2 - qb * qb;
    float off_t = rt < 0 ? FAR : l->off_segment[i], off_b = rb < 0 ? FAR : l->off_segment[i];
    float t = l->y[i] + l->slope[i] * (qt - vx) - sqrtf (MAX (rt, 0)) + off_t;
    float b = l->y[i] + l->slope[i] * (qb - vx) + sqrtf (MAX (rb, 0)) - off_b;
    top[c] = MIN (top[c], t);
    bottom[c] = MAX (bottom[c], b);
  }
}

/* The stroke along the connected columns from … to: one interval at each sample of each lane. */
static void
envelope (TsCoverage *cov, const TsTrack *t, int c0, int n, int from, int to, float half)
{
  int reach = (int) ceilf (half + .5f), local = TS_LANES + 2 * reach + 2;
  float x[TS_SAMPLES + 1];
  float top[TS_SAMPLES + 1][TS_LANES], bottom[TS_SAMPLES + 1][TS_LANES];
  Around around;

  ts_mark_samples (half, x);
  gather (&around, t, c0 - reach - 1, local, from, to, half);
  for (int s = 0; s <= TS_SAMPLES; s++) {
    for (int c = 0; c < TS_LANES; c++) {
      top[s][c] = FAR;
      bottom[s][c] = -FAR;
    }
    for (int j = -reach - 1; j <= reach; j++) {
      float vx = (float) j + .5f - x[s], rest = half * half - vx * vx;
      if (rest > 0)
        add_vertex (&around, j + reach + 1, sqrtf (rest), top[s], bottom[s]);
      if (vx <= half && vx + 1 >= -half)
        add_segment (&around, j + reach + 1, vx, half * half, top[s], bottom[s]);
    }
  }
  for (int c = 0; c < TS_LANES && c0 + c < n; c++) {
    float t1[TS_SAMPLES + 1], b1[TS_SAMPLES + 1];
    for (int s = 0; s <= TS_SAMPLES; s++) {
      t1[s] = top[s][c];
      b1[s] = bottom[s][c];
    }
    ts_coverage_interval (cov, c, t1, b1, x, TS_SAMPLES);
  }
}

/* One call per piece between gaps: two pieces overlap in x by their round ends, and one envelope
 * over both would bridge the gap. */
void
ts_mark_line (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  const TsTrack *t = mark->track;
  float half = CLAMP (mark->width, .01f, TS_MARK_WIDTH_MAX) * .5f;
  float dot = MAX (half, mark->dot);
  int reach = (int) ceilf (MAX (half, MIN (dot, TS_MARK_WIDTH_MAX / 2)) + .5f);
  int begin = MAX (c0 - reach - 1, -TS_TRACK_PAD);
  int end = MIN (c0 + TS_LANES + reach + 1, t->n + TS_TRACK_PAD);

  for (int from = begin; from < end;) {
    if (!t->filled[from]) {
      from++;
      continue;
    }
    int to = from;
    while (to + 1 < end && t->linked[to])
      to++;
    gboolean lone = from == to && !t->linked[from - 1] && !t->linked[to];
    if (lone && t->bottom[from] - t->top[from] < 1)
      ts_mark_disc (cov, c0, (float) from + .5f, (t->top[from] + t->bottom[from]) * .5f, dot);
    else
      envelope (cov, t, c0, n, from, to, half);
    from = to + 1;
  }
}
