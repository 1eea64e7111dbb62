/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/raster.h"

G_BEGIN_DECLS

/* How much of each pixel of one tile is covered, while one mark is added to it.  Coverage below a
 * straight edge is a ramp, so its second difference down the rows is zero but at the two ends: an
 * edge costs a few additions however steep it is.  Fixed point with 24 bits of fraction; sums wrap
 * on purpose, only the final ones need to fit. */
#define TS_LANES        16
#define TS_COVERAGE_ONE (1 << 24)

typedef struct {
  guint32 (*e)[TS_LANES]; /* height + TS_COVERAGE_SPARE rows */
  int height;
  int lo, hi; /* rows touched */
} TsCoverage;
#define TS_COVERAGE_SPARE 8

/* All below the edge from ya to yb, over @width (0..1) of the lane, gains (@sign 1) or loses (-1).
 */
void ts_coverage_edge (TsCoverage *coverage, int lane, float ya, float yb, float width, int sign);

/* Adds the area between two curves given at @n + 1 places @x (0 … 1) across the lane; where
 * top > bottom there is nothing. */
void ts_coverage_interval (TsCoverage *coverage, int lane, const float *top, const float *bottom,
                           const float *x, int n);

/* All below the level @y of the whole lane. */
void ts_coverage_level (TsCoverage *coverage, int lane, float y, int sign);

/* A ring of straight edges, clockwise on screen: +; the other way: -.  @c0 is the column of lane 0.
 */
void ts_coverage_ring (TsCoverage *coverage, int c0, const TsVertex *vertex, int n);

/* --- The marks; each adds itself to the tile of columns c0 … c0 + 15 of @n --- */
void ts_mark_line (TsCoverage *coverage, const TsMark *mark, int c0, int n);
void ts_mark_dashes (TsCoverage *coverage, const TsMark *mark, int c0, int n);
void ts_mark_span (TsCoverage *coverage, const TsMark *mark, int c0, int n);
void ts_mark_band (TsCoverage *coverage, const TsMark *mark, int c0, int n);
void ts_mark_shape (TsCoverage *coverage, const TsMark *mark, int c0, int n);
void ts_mark_stem (TsCoverage *coverage, const TsMark *mark, int c0, int n);
/* A full disc. */
void ts_mark_disc (TsCoverage *coverage, int c0, float x, float y, float radius);

/* The places across a lane at which strokes of this half width are sampled: not even, but on both
 * sides of where the envelope of a steep stroke jumps. */
#define TS_SAMPLES 6
void ts_mark_samples (float half, float x[TS_SAMPLES + 1]);

G_END_DECLS
