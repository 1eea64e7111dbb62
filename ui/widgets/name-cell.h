/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/run-item.h"

G_BEGIN_DECLS

/* A run's name in a list, ellipsized in the middle; while the item is "editing", an entry.  Enter
 * renames (win.rename-to, with run and name), Escape or leaving gives up. */
#define TS_TYPE_NAME_CELL (ts_name_cell_get_type ())
G_DECLARE_FINAL_TYPE (TsNameCell, ts_name_cell, TS, NAME_CELL, GtkWidget)

GtkWidget *ts_name_cell_new (void);
/* NULL: none. */
void ts_name_cell_set_item (TsNameCell *cell, TsRunItem *item);

G_END_DECLS
