/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/track.h"

G_BEGIN_DECLS

/* Draws marks of charts onto pixels, with antialiasing, many times faster than a general path
 * filler.  At any vertical line the stroke of a curve that runs from left to right is one interval,
 * so each mark is the area between two curves; a series can therefore not darken itself.
 *
 * Blending is in sRGB, like Cairo's.  Pixels are 0xAARRGGBB (CAIRO_FORMAT_ARGB32 and RGB24); the
 * marks go over what is there, which counts as opaque, and A becomes 255.  The picture is cut into
 * tiles of 16 columns: the same bits for any number of threads. */

typedef enum {
  TS_MARK_SPAN,   /* every column's extent, .6 of a pixel more on either side: raw values */
  TS_MARK_LINE,   /* stroke with round joins and ends */
  TS_MARK_DASHES, /* the same, cut into dashes */
  TS_MARK_BAND,   /* area between top and bottom */
  TS_MARK_DISC,
  TS_MARK_NAN,     /* hollow triangle pointing down: NaN */
  TS_MARK_POS_INF, /* hollow triangle pointing up: +Inf */
  TS_MARK_NEG_INF, /* hollow diamond: -Inf */
  TS_MARK_STEM,    /* dotted vertical line from y down to y_end */
} TsMarkKind;

/* Dashes of a track: x-monotone pieces, made once for all tiles. */
typedef struct {
  float x, y;
} TsVertex;

typedef struct {
  GArray *vertex; /* of TsVertex */
  GArray *start;  /* of guint: the first vertex of each dash, and one past the last */
} TsDashes;

/* Dashes of @on pixels of visible length, ends included, with gaps of @off, as far as they are seen
 * between rows 0 and @height. */
TsDashes *ts_dashes_new (const TsTrack *track, double width, double on, double off, int height);
void ts_dashes_free (TsDashes *dashes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsDashes, ts_dashes_free)

#define TS_MARK_WIDTH_MAX 40 /* wider strokes are drawn that wide */

typedef struct {
  TsMarkKind kind;
  guint32 rgb;            /* 0xRRGGBB */
  double alpha;           /* 0..1 */
  float width;            /* of the stroke, px; of a span .6 px on either side are 1.2 */
  float dot;              /* radius of the disc that a lone point of a line becomes */
  const TsTrack *track;   /* span, line, band; borrowed */
  const TsDashes *dashes; /* borrowed */
  float x, y, radius;     /* disc and shapes: the middle and the size */
  float y_end;            /* stem */
} TsMark;

/* @stride: pixels from one row to the next.  Tracks must have as many columns as the picture.
 * @threads: 1 … 64, those beyond the first are started and joined here. */
void ts_raster_paint (guint32 *pixels, int stride, int width, int height, const TsMark *marks,
                      guint n_marks, int threads);

/* The outline of a shape mark: up to TS_SHAPE_VERTICES corners, the outer ring first (clockwise on
 * screen), then the inner one.  Returns how many; *n_outer of them are the outer ring.  For those
 * who draw the same marks as paths. */
#define TS_SHAPE_VERTICES 64
int ts_mark_outline (const TsMark *mark, TsVertex vertex[TS_SHAPE_VERTICES], int *n_outer);

G_END_DECLS
