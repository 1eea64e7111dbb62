/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "data/store/reader.h"

G_BEGIN_DECLS

/* One run of the workspace as lists show it.  Main thread.
 *
 * Signal "changed": what ts_run_item_get says is another.  The property "editing" is TRUE while its
 * name is being edited in a list. */
#define TS_TYPE_RUN_ITEM (ts_run_item_get_type ())
G_DECLARE_FINAL_TYPE (TsRunItem, ts_run_item, TS, RUN_ITEM, GObject)

/* Takes @run. */
TsRunItem *ts_run_item_new (TsRun *run);
void ts_run_item_take (TsRunItem *item, TsRun *run);

/* Borrowed until the next "changed". */
const TsRun *ts_run_item_get (TsRunItem *item);
gint64 ts_run_item_get_id (TsRunItem *item);
const char *ts_run_item_get_name (TsRunItem *item);
TsRunState ts_run_item_get_state (TsRunItem *item);

/* Its category of the palette, for life: its place among all runs of the workspace by creation,
 * those in the trash too. */
guint ts_run_item_get_color (TsRunItem *item);
void ts_run_item_set_color (TsRunItem *item, guint color);

/* The last value of a tag; NaN when the run has no such tag (or the value is NaN: @known tells). */
double ts_run_item_get_last (TsRunItem *item, const char *tag, gboolean *known);

/* Seconds from its creation until its end, or until now. */
double ts_run_item_get_seconds (TsRunItem *item);

/* A hyperparameter as text (new), or NULL. */
char *ts_run_item_dup_hparam (TsRunItem *item, const char *key);
char *ts_hparam_dup_text (const TsHparam *hparam);

void ts_run_item_set_editing (TsRunItem *item, gboolean editing);
gboolean ts_run_item_get_editing (TsRunItem *item);

G_END_DECLS
