/* SPDX-License-Identifier: MIT */
#include "ui/plot/coverage-private.h"

/* Each column's extent, taken to the middle of the link on either side so that steep curves have no
 * holes. */
void
ts_mark_span (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  const TsTrack *t = mark->track;
  float half = mark->width * .5f;

  for (int lane = 0; lane < TS_LANES && c0 + lane < n; lane++) {
    int c = c0 + lane;
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
    top -= half;
    bottom += half;
    if (bottom <= 0 || top >= (float) cov->height)
      continue;
    ts_coverage_level (cov, lane, top, 1);
    ts_coverage_level (cov, lane, bottom, -1);
  }
}

/* The value of a curve through column centres at the left edge, the middle and the right edge. */
static void
sample (const float *y, const TsTrack *t, int c, float out[3])
{
  out[0] = t->linked[c - 1] ? (y[c - 1] + y[c]) * .5f : y[c];
  out[1] = y[c];
  out[2] = t->linked[c] ? (y[c] + y[c + 1]) * .5f : y[c];
}

void
ts_mark_band (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  static const float x[3] = {0, .5f, 1};
  const TsTrack *t = mark->track;

  for (int lane = 0; lane < TS_LANES && c0 + lane < n; lane++) {
    float top[3], bottom[3];
    if (!t->filled[c0 + lane])
      continue;
    sample (t->top, t, c0 + lane, top);
    sample (t->bottom, t, c0 + lane, bottom);
    ts_coverage_interval (cov, lane, top, bottom, x, 2);
  }
}
