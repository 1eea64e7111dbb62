/* SPDX-License-Identifier: MIT */
#include "ui/plot/coverage-private.h"

#include <math.h>

static inline void
put (TsCoverage *cov, int lane, int row, int a, int b, int c)
{
  cov->e[row][lane] += (guint32) a;
  cov->e[row + 1][lane] += (guint32) b;
  cov->e[row + 2][lane] += (guint32) c;
  cov->lo = MIN (cov->lo, row);
  cov->hi = MAX (cov->hi, row + 3);
}

/* An edge within one or two rows: their exact areas. */
static inline void
put_short (TsCoverage *cov, int lane, float ya, float yb, int whole)
{
  int i = (int) ya, j = (int) yb;

  if (i == j) {
    int a = (int) ((float) whole * (1 - ((ya + yb) * .5f - (float) i)));
    put (cov, lane, i, a, whole - 2 * a, a - whole);
    return;
  }
  float k = 1 / (yb - ya), above = (float) j - ya, below = yb - (float) j;
  int a = (int) ((float) whole * (.5f * above * above * k));
  int b = (int) ((float) whole * (1 - .5f * below * below * k));
  put (cov, lane, i, a, b - 2 * a, a - 2 * b + whole);
  cov->e[i + 3][lane] += (guint32) (b - whole);
  cov->hi = MAX (cov->hi, i + 4);
}

/* 0 <= ya <= yb <= height.  The middle weight of each end is what the other two leave of the slope,
 * in integers, so that the slope cancels exactly at the far end. */
static inline void
put_edge (TsCoverage *cov, int lane, float ya, float yb, float width, int sign)
{
  int i = (int) ya, j = (int) yb;
  int whole = (int) (width * TS_COVERAGE_ONE + .5f) * sign;

  if (j - i <= 1 && yb - ya < 1.5f) {
    put_short (cov, lane, ya, yb, whole);
    return;
  }
  float slope = (float) whole / (yb - ya), f = ya - (float) i, g = yb - (float) j;
  int k = (int) slope;
  int a = (int) (slope * .5f * (1 - f) * (1 - f)), c = (int) (slope * .5f * f * f);
  put (cov, lane, i, a, k - a - c, c);
  a = (int) (slope * .5f * (1 - g) * (1 - g));
  c = (int) (slope * .5f * g * g);
  put (cov, lane, j, -a, a + c - k, -c);
}

/* What lies below the bottom is not written, but the rows down to it are inside nevertheless. */
static inline void
open_bottom (TsCoverage *cov)
{
  cov->hi = MAX (cov->hi, cov->height);
}

/* Split where it leaves the picture: moving an end would bend the edge. */
static inline void
edge (TsCoverage *cov, int lane, float ya, float yb, float width, int sign)
{
  float height = (float) cov->height;

  if (ya > yb) {
    float t = ya;
    ya = yb;
    yb = t;
  }
  if (yb <= 0) {
    put_edge (cov, lane, 0, 0, width, sign);
    return;
  }
  if (ya >= height) {
    open_bottom (cov);
    return;
  }
  if (ya < 0) {
    float part = -ya / (yb - ya);
    put_edge (cov, lane, 0, 0, width * part, sign);
    width *= 1 - part;
    ya = 0;
  }
  if (yb > height) {
    width *= (height - ya) / (yb - ya);
    yb = height;
    open_bottom (cov);
  }
  put_edge (cov, lane, ya, yb, width, sign);
}

void
ts_coverage_edge (TsCoverage *cov, int lane, float ya, float yb, float width, int sign)
{
  edge (cov, lane, ya, yb, width, sign);
}

void
ts_coverage_level (TsCoverage *cov, int lane, float y, int sign)
{
  edge (cov, lane, y, y, 1, sign);
}

/* One curve: a single edge when all of it lies within a hundredth of a pixel of the chord. */
static inline void
curve (TsCoverage *cov, int lane, const float *y, const float *x, int n, int sign)
{
  float off = 0;

  for (int s = 1; s < n; s++)
    off = MAX (off, fabsf (y[s] - (y[0] + (y[n] - y[0]) * x[s])));
  if (off < .01f) {
    edge (cov, lane, y[0], y[n], 1, sign);
    return;
  }
  for (int s = 0; s < n; s++)
    edge (cov, lane, y[s], y[s + 1], x[s + 1] - x[s], sign);
}

/* Some samples are empty: between a filled and an empty one the area runs to a point. */
static void
ragged (TsCoverage *cov, int lane, const float *top, const float *bottom, const float *x, int n)
{
  for (int s = 0; s < n; s++) {
    float t0 = top[s], t1 = top[s + 1], b0 = bottom[s], b1 = bottom[s + 1];
    gboolean left = t0 <= b0, right = t1 <= b1;
    if (!left && !right)
      continue;
    if (!left)
      t0 = b0 = (t1 + b1) * .5f;
    if (!right)
      t1 = b1 = (t0 + b0) * .5f;
    if (MAX (b0, b1) <= 0 || MIN (t0, t1) >= (float) cov->height)
      continue;
    edge (cov, lane, t0, t1, x[s + 1] - x[s], 1);
    edge (cov, lane, b0, b1, x[s + 1] - x[s], -1);
  }
}

void
ts_coverage_interval (TsCoverage *cov, int lane, const float *top, const float *bottom,
                      const float *x, int n)
{
  gboolean all = TRUE;
  float highest = top[0], lowest = bottom[0];

  for (int s = 0; s <= n; s++) {
    all &= top[s] <= bottom[s];
    highest = MIN (highest, top[s]);
    lowest = MAX (lowest, bottom[s]);
  }
  if (!all) {
    ragged (cov, lane, top, bottom, x, n);
    return;
  }
  if (lowest <= 0 || highest >= (float) cov->height)
    return;
  curve (cov, lane, top, x, n, 1);
  curve (cov, lane, bottom, x, n, -1);
}

void
ts_coverage_ring (TsCoverage *cov, int c0, const TsVertex *vertex, int n)
{
  for (int i = 0; i < n; i++) {
    TsVertex a = vertex[i], b = vertex[(i + 1) % n];
    int sign = a.x < b.x ? 1 : -1; /* clockwise on screen the upper edges run to the right */
    if (sign < 0) {
      TsVertex t = a;
      a = b;
      b = t;
    }
    if (!(a.x < b.x))
      continue;
    float slope = (b.y - a.y) / (b.x - a.x);
    int from = MAX ((int) floorf (a.x) - c0, 0), to = MIN ((int) floorf (b.x) - c0, TS_LANES - 1);
    for (int lane = from; lane <= to; lane++) {
      float left = MAX ((float) (c0 + lane), a.x), right = MIN ((float) (c0 + lane + 1), b.x);
      if (right > left)
        edge (cov, lane, a.y + (left - a.x) * slope, a.y + (right - a.x) * slope, right - left,
              sign);
    }
  }
}
