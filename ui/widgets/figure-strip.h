/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/desk.h"

G_BEGIN_DECLS

/* The figures of the run that is shown, in a row of cells: step, epoch, loss, metric, gradient
 * norm, speed, time left; in rows of four or two where seven do not fit.  Live ones come from
 * the pulse; those of a run that does not train, from what is stored. */
#define TS_TYPE_FIGURE_STRIP (ts_figure_strip_get_type ())
G_DECLARE_FINAL_TYPE (TsFigureStrip, ts_figure_strip, TS, FIGURE_STRIP, GtkWidget)

GtkWidget *ts_figure_strip_new (TsDesk *desk);

/* "accuracy", or NULL: which metric the run has; copied. */
void ts_figure_strip_set_metric (TsFigureStrip *strip, const char *metric);

/* The last recorded step of a run that does not train. */
void ts_figure_strip_set_last_step (TsFigureStrip *strip, gint64 step);

/* What cell @title ("Loss") shows; NULL when there is none of that title.  Borrowed. */
const char *ts_figure_strip_get_value (TsFigureStrip *strip, const char *title);

G_END_DECLS
