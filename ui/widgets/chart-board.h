/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/models/desk.h"
#include "ui/widgets/chart-card.h"

G_BEGIN_DECLS

/* A card for each scalar tag of the shown runs, in groups by the tag's first word; one cursor for
 * all of them, and the table of the chart under the pointer.  It follows the desk's run set by
 * itself. Main thread.
 *
 * Signal "changed": the cards are others, or other ones are seen. */
#define TS_TYPE_CHART_BOARD (ts_chart_board_get_type ())
G_DECLARE_FINAL_TYPE (TsChartBoard, ts_chart_board, TS, CHART_BOARD, GtkWidget)

/* @desk outlives the board. */
GtkWidget *ts_chart_board_new (TsDesk *desk);

void ts_chart_board_set_look (TsChartBoard *board, const TsChartLook *look);
/* Side by side; 0: by the width. */
void ts_chart_board_set_columns (TsChartBoard *board, guint columns);
/* A part of the tag, or a pattern with * and ?; in any case.  "": all. */
void ts_chart_board_set_filter (TsChartBoard *board, const char *filter);
void ts_chart_board_fit (TsChartBoard *board);

guint ts_chart_board_count_all (TsChartBoard *board);
guint ts_chart_board_count_shown (TsChartBoard *board);
/* The tag that tells best how good a run is; interned, or NULL. */
const char *ts_chart_board_get_metric (TsChartBoard *board);
/* Borrowed, or NULL. */
TsChartCard *ts_chart_board_lookup (TsChartBoard *board, const char *tag);

G_END_DECLS
