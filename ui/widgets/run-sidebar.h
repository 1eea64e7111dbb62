/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/run-set.h"

G_BEGIN_DECLS

/* The runs of the workspace beside charts: filter, rows, how many are shown.  Space shows or hides
 * the selected run, H hides it, Shift+H all others. */
#define TS_TYPE_RUN_SIDEBAR (ts_run_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (TsRunSidebar, ts_run_sidebar, TS, RUN_SIDEBAR, GtkWidget)

/* Keeps @set. */
GtkWidget *ts_run_sidebar_new (TsRunSet *set);
/* The tag whose last values the rows show; interned, or NULL. */
void ts_run_sidebar_set_tag (TsRunSidebar *sidebar, const char *tag);

G_END_DECLS
