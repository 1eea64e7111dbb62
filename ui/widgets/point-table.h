/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/widgets/chart-view.h"

G_BEGIN_DECLS

/* A window with the numbers of a chart, one run at a time: step, time, exact value.  It shows what
 * the chart had when it was opened. */
GtkWindow *ts_point_table_new (GtkWindow *parent, TsChartView *view);

G_END_DECLS
