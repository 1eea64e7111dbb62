/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/curve.h"
#include "ui/plot/export.h"

G_BEGIN_DECLS

/* Lays charts out and draws them, all in one thread that all charts of the program share.  Each
 * chart has a slot for its newest request: one that a newer one overtakes is never drawn. */

typedef struct {
  char *name; /* owned */
  guint color;
  gboolean live, selected, exact;
  TsCurveSlice slice;
} TsChartLine;

typedef struct {
  GArray *lines; /* of TsChartLine, owned */
  TsChartOptions options;
  double planned;   /* steps: a fitted axis of steps goes on until here; 0: it ends with the data */
  gboolean texture; /* the picture as a texture too */
} TsChartRequest;

TsChartRequest *ts_chart_request_new (void);
/* Takes @line. */
void ts_chart_request_add (TsChartRequest *request, const TsChartLine *line);
void ts_chart_request_free (TsChartRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsChartRequest, ts_chart_request_free)

/* What was drawn; not changed afterwards. */
typedef struct {
  TsChartRequest *request;
  GPtrArray *numbers; /* x columns that were computed */
  TsLayout *layout;
  cairo_surface_t *image; /* the whole chart on the card's colour, device px */
  GdkTexture *texture;    /* of the same pixels, or NULL */
  double x_lo, x_hi;      /* of all finite x; lo > hi: none */
} TsChartFrame;

/* In any thread; takes @request. */
TsChartFrame *ts_chart_frame_new (TsChartRequest *request);
void ts_chart_frame_free (TsChartFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsChartFrame, ts_chart_frame_free)

/* The chart as a file's bytes; any thread.  Errors: TS_PLOT_ERROR. */
GBytes *ts_chart_request_export (TsChartRequest *request, const char *title,
                                 const TsExportOptions *options, GError **error);

typedef struct TsChartRenderer TsChartRenderer;

/* @drawn takes the frame; main thread, as all of these. */
typedef void (*TsChartDrawn) (TsChartFrame *frame, gpointer data);

TsChartRenderer *ts_chart_renderer_new (TsChartDrawn drawn, gpointer data);
/* @drawn is not called any more. */
void ts_chart_renderer_free (TsChartRenderer *renderer);

/* Takes @request. */
void ts_chart_renderer_submit (TsChartRenderer *renderer, TsChartRequest *request);

G_END_DECLS
