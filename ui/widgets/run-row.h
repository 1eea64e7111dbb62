/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/run-set.h"

G_BEGIN_DECLS

/* A run in the sidebar: swatch, name, state, last value of a tag.  A click on the swatch shows or
 * hides the run, a double click shows it alone. */
#define TS_TYPE_RUN_ROW (ts_run_row_get_type ())
G_DECLARE_FINAL_TYPE (TsRunRow, ts_run_row, TS, RUN_ROW, GtkWidget)

/* Keeps @set. */
GtkWidget *ts_run_row_new (TsRunSet *set);
/* NULL: no run. */
void ts_run_row_set_item (TsRunRow *row, TsRunItem *item);
/* Whose last value it shows; interned, or NULL. */
void ts_run_row_set_tag (TsRunRow *row, const char *tag);

G_END_DECLS
