/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/live.h"

G_BEGIN_DECLS

/* The learning rate of the live training: number, slider over decades, ÷2 and ×2.  What the user
 * sets goes out as win.set-lr; while the slider moves at most some times a second. */
#define TS_TYPE_RATE_PANEL (ts_rate_panel_get_type ())
G_DECLARE_FINAL_TYPE (TsRatePanel, ts_rate_panel, TS, RATE_PANEL, GtkWidget)

GtkWidget *ts_rate_panel_new (TsLive *live);

/* What typing @text and Enter does: FALSE, and a red entry, when it is no positive number. */
gboolean ts_rate_panel_enter (TsRatePanel *panel, const char *text);

G_END_DECLS
