/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/column.h"
#include "ui/plot/raster.h"
#include "ui/plot/scale.h"
#include "ui/plot/ticks.h"

G_BEGIN_DECLS

/* One chart: what is to be seen (TsChart), and where everything goes (TsLayout).  The layout knows
 * no fonts and no Cairo; it is made in any thread, is not changed afterwards, and may be drawn and
 * asked from any number of threads at once.
 *
 * All positions are in px at scale 1, from the top left of the chart, unless they say "device". */

typedef enum {
  TS_X_STEP,     /* x are steps */
  TS_X_RELATIVE, /* seconds since the run began */
  TS_X_WALL,     /* seconds since the epoch */
} TsXKind;

typedef struct {
  const char *name;    /* any bytes; copied */
  guint color;         /* index in the palette */
  gboolean dashed;     /* beside what the palette says */
  gboolean selected;   /* a thicker line, on top */
  gboolean live;       /* a dot at the end */
  gboolean exact;      /* drawn as it is, whatever the smoothing */
  const double *x, *y; /* n each, borrowed as long as the layout lives; any order, any value */
  gsize n;
} TsChartSeries;

typedef struct {
  int width, height; /* px at scale 1, title and lines below included */
  double scale;      /* device px per px; 0: 1 */
  gboolean dark;
  double smoothing; /* 0 … 1 */
  gboolean log_y;
  TsXKind x_kind;
  gboolean x_given, y_given; /* the ranges below, instead of what fits all */
  double x_min, x_max, y_min, y_max;
  gboolean end_labels; /* names and last values at the right, instead of a legend */
  double label_width;  /* of them; 0: 88 px */
  gboolean live;       /* training: no end labels, the right margin is small */
  int utc_offset_s;    /* for wall time */
  int threads;         /* for drawing pixels; 0: 1 */
} TsChartOptions;

typedef struct {
  const char *title; /* NULL: none, and no room for it */
  const TsChartSeries *series;
  guint n_series;
  TsChartOptions options;
} TsChart;

typedef struct {
  double x, y, width, height;
} TsBox;

typedef struct {
  char *name; /* valid UTF-8 */
  guint color;
  gboolean dashed, selected, live;
  const double *x, *y; /* borrowed from the chart's description */
  double *smooth;      /* n; NULL: y is what is drawn */
  gsize n;
  gboolean sorted;    /* x never falls and has no NaN */
  TsColumns raw;      /* of the device columns */
  TsColumns smoothed; /* empty without smoothing */
  gssize last;        /* index of the last point with a place on both axes; -1: none */
} TsLayoutSeries;

typedef struct {
  guint series;
  TsMarkKind kind; /* TS_MARK_NAN, TS_MARK_POS_INF, TS_MARK_NEG_INF */
  double x;        /* at the top edge of the plot */
} TsLayoutMarker;

typedef struct {
  guint series;
  double y;      /* of the middle, after pushing apart */
  double wanted; /* where the curve ends */
  char value[TS_NUMBER_SIZE];
} TsLayoutLabel;

typedef struct {
  TsChartOptions options;
  char *title;
  TsBox plot;               /* whole px */
  TsScale x_scale, y_scale; /* to px */
  TsTicks x_ticks, y_ticks;
  TsLayoutSeries *series;
  guint n_series;
  guint *order;            /* of drawing: the selected ones last */
  GArray *markers;         /* of TsLayoutMarker by series, kind, x */
  GArray *labels;          /* of TsLayoutLabel from top to bottom */
  guint n_unlabelled;      /* for which there was no room */
  double more_y;           /* where "+ N more" stands */
  char *exact;             /* "exact: 1,203,441 points, 3 non-finite" */
  char *where;             /* "NaN at 11,800; 12,090"; NULL: nowhere */
  double title_y, exact_y; /* middle of the lines */

  /* The picture of the plot in device px: a little larger than the plot box where the axes fit
   * everything, so that dots at the ends are whole. */
  int device_x, device_y, device_width, device_height;
  TsScale device_x_scale, device_y_scale; /* to columns and rows of that picture */
} TsLayout;

/* NULL-free: a chart too small for a plot, or without any point, is laid out all the same. */
TsLayout *ts_layout_new (const TsChart *chart);
void ts_layout_free (TsLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsLayout, ts_layout_free)

typedef struct {
  guint series;
  gsize index;     /* of the point in the series */
  double x, y;     /* its values; y as drawn (smoothed if there is smoothing) */
  double raw;      /* y as given */
  double px, py;   /* where it is drawn; py NaN: it has no place */
  double distance; /* from the place asked for, px; INFINITY without a place */
} TsHit;

/* The point of a series nearest to @px in x (of two equally near the left one; of several at one x
 * the last).  Non-finite points count: hovering shows NaN.  FALSE: the series has no point. */
gboolean ts_layout_find_point (const TsLayout *layout, guint series, double px, TsHit *hit);

/* Of these, the one nearest to (px, py) over all series. */
gboolean ts_layout_find_nearest (const TsLayout *layout, double px, double py, TsHit *hit);

/* Moves @n positions as little as possible (in squares), keeping their order, until they are @gap
 * apart and within [lo, hi] (if they fit there at all).  For labels beside curves. */
void ts_layout_push_apart (double *y, guint n, double gap, double lo, double hi);

G_END_DECLS
