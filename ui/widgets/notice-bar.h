/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/desk.h"

G_BEGIN_DECLS

/* The desk's notice above the page: icon, words, the button of the way on, and one to close it. */
#define TS_TYPE_NOTICE_BAR (ts_notice_bar_get_type ())
G_DECLARE_FINAL_TYPE (TsNoticeBar, ts_notice_bar, TS, NOTICE_BAR, GtkWidget)

GtkWidget *ts_notice_bar_new (TsDesk *desk);

G_END_DECLS
