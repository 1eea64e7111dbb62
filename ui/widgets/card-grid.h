/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Cards of one size in rows, 12 px apart, as many beside one another as the width allows or as is
 * asked for.  Hidden cards take no place. */
#define TS_TYPE_CARD_GRID (ts_card_grid_get_type ())
G_DECLARE_FINAL_TYPE (TsCardGrid, ts_card_grid, TS, CARD_GRID, GtkWidget)

GtkWidget *ts_card_grid_new (void);

/* After @after, or first.  The grid takes the card. */
void ts_card_grid_insert (TsCardGrid *grid, GtkWidget *card, GtkWidget *after);
void ts_card_grid_remove (TsCardGrid *grid, GtkWidget *card);

/* 0: by the width. */
void ts_card_grid_set_columns (TsCardGrid *grid, guint columns);
/* How many there would be at this width. */
guint ts_card_grid_count_columns (TsCardGrid *grid, int width);

G_END_DECLS
