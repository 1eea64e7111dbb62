/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/column.h"
#include "ui/plot/scale.h"

G_BEGIN_DECLS

/* The columns of one series in device pixels, y down from the top of the picture: what marks are
 * drawn from.  Column c is the vertical line x = c + ½; indices run from -TS_TRACK_PAD to
 * n + TS_TRACK_PAD - 1, so that strokes reach beyond the picture on both sides.  y is clamped to
 * ±1e5. */
#define TS_TRACK_PAD 24

typedef struct {
  int n;
  float *top, *bottom; /* top <= bottom */
  float *first, *last; /* where the curve enters and leaves the column */
  guint8 *filled;      /* the four above mean something */
  guint8 *linked;      /* to the next column */
  float *floats;       /* the memory of all this, owned */
  guint8 *bytes;
} TsTrack;

void ts_track_init (TsTrack *track, int n); /* empty */
void ts_track_clear (TsTrack *track);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsTrack, ts_track_clear)

/* A new track.  Empty columns between two filled ones are interpolated; the curve stops where the
 * column says so and at columns that hold only what cannot be drawn.  @y_scale: to rows of the
 * picture. */
void ts_track_from_columns (TsTrack *track, const TsColumns *columns, const TsScale *y_scale);

/* For lines: a column that the curve crosses on its way in one direction becomes one vertex in its
 * middle (drawn as a vertical bar it would show stairs).  Extremes stay: where the curve turns,
 * ends, or goes beyond where it enters and leaves, the extent is kept, fading in over one pixel. */
void ts_track_ease (TsTrack *track);

/* An area between two curves given per column: rows of the picture; NaN in either: nothing there.
 */
void ts_track_from_band (TsTrack *track, const double *top, const double *bottom, int n);

G_END_DECLS
