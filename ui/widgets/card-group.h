/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/widgets/card-grid.h"

G_BEGIN_DECLS

/* A heading that opens and closes, with a grid of cards under it.  The property "expanded". */
#define TS_TYPE_CARD_GROUP (ts_card_group_get_type ())
G_DECLARE_FINAL_TYPE (TsCardGroup, ts_card_group, TS, CARD_GROUP, GtkWidget)

GtkWidget *ts_card_group_new (const char *title);
TsCardGrid *ts_card_group_get_grid (TsCardGroup *group);

/* Beside the title: "2 of 5 cards, 3 empty". */
void ts_card_group_set_note (TsCardGroup *group, const char *note);
void ts_card_group_set_expanded (TsCardGroup *group, gboolean expanded);
gboolean ts_card_group_get_expanded (TsCardGroup *group);

G_END_DECLS
