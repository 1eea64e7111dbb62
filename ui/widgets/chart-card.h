/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/widgets/chart-view.h"

G_BEGIN_DECLS

/* A chart with its title and menu: log scale, fit, export as PNG, SVG or PDF.  Actions "card.…".
 * Main thread; files are drawn and written by a worker.
 *
 * Signal "exported" (path, message): the file is written (message NULL) or could not be. */
#define TS_TYPE_CHART_CARD (ts_chart_card_get_type ())
G_DECLARE_FINAL_TYPE (TsChartCard, ts_chart_card, TS, CHART_CARD, GtkWidget)

/* @tag: any bytes. */
GtkWidget *ts_chart_card_new (const char *tag);
/* Interned, raw bytes. */
const char *ts_chart_card_get_tag (TsChartCard *card);
TsChartView *ts_chart_card_get_view (TsChartCard *card);

void ts_chart_card_set_runs (TsChartCard *card, const TsChartRun *runs, guint n);

/* Draws what is seen now, by the ending of @path; "exported" tells how it went. */
void ts_chart_card_export (TsChartCard *card, const char *path);

G_END_DECLS
