/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "ui/models/query.h"
#include "ui/models/run-item.h"

G_BEGIN_DECLS

/* The runs of a workspace, a GListModel of TsRunItem by creation, without those in the trash.  It
 * changes only by what a refresh has read.  Main thread.
 *
 * Signals: "refreshed" after each refresh; "failed" (message) when one could not read. */
#define TS_TYPE_RUN_LIST (ts_run_list_get_type ())
G_DECLARE_FINAL_TYPE (TsRunList, ts_run_list, TS, RUN_LIST, GObject)

TsRunList *ts_run_list_new (void);

/* Whom to ask, borrowed; NULL empties the list. */
void ts_run_list_set_query (TsRunList *list, TsQuery *query);

/* Asks anew.  While an answer is awaited one more refresh is remembered, not several. */
void ts_run_list_refresh (TsRunList *list);

/* Has the first answer come? */
gboolean ts_run_list_is_loaded (TsRunList *list);

/* Borrowed, or NULL. */
TsRunItem *ts_run_list_lookup (TsRunList *list, gint64 run_id);

G_END_DECLS
