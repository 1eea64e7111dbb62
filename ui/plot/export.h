/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/layout.h"

G_BEGIN_DECLS

/* Charts as a file: cards on the window's background, side by side and one below the other.  The
 * same drawing as on the screen.  Any thread. */
#define TS_PLOT_ERROR (ts_plot_error_quark ())

typedef enum {
  TS_PLOT_ERROR_SIZE, /* more pixels than a picture may have */
  TS_PLOT_ERROR_DRAW, /* Cairo could not (no memory) */
} TsPlotError;

GQuark ts_plot_error_quark (void);

typedef enum { TS_EXPORT_PNG, TS_EXPORT_SVG, TS_EXPORT_PDF } TsExportFormat;

#define TS_EXPORT_SIZE_MIN 160
#define TS_EXPORT_SIZE_MAX 16384

typedef struct {
  TsExportFormat format;
  int width, height; /* of the whole picture, px or points; 0: 720 x 360 for each chart */
  int columns;       /* 0: by the number of charts */
  gboolean dark;
} TsExportOptions;

/* By the ending of the name, in any case; FALSE: another one. */
gboolean ts_export_format_of (const char *path, TsExportFormat *format);

/* Draws @charts, whose size, scale and darkness are set here.  Transfer full: the file's bytes.
 * Errors: TS_PLOT_ERROR. */
GBytes *ts_export_charts (const TsChart *charts, guint n, const TsExportOptions *options,
                          GError **error);

G_END_DECLS
