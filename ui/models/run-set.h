/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/models/run-list.h"

G_BEGIN_DECLS

/* Which runs the charts of a window show, the same on every page: those that fit the filter and are
 * not hidden.  A run that appears is shown.  Main thread.
 *
 * Signal "changed": other runs are shown, another one is selected, or the list was refreshed. */
#define TS_TYPE_RUN_SET (ts_run_set_get_type ())
G_DECLARE_FINAL_TYPE (TsRunSet, ts_run_set, TS, RUN_SET, GObject)

/* Keeps @runs. */
TsRunSet *ts_run_set_new (TsRunList *runs);

/* Those of the list that fit the filter, the newest first; borrowed. */
GListModel *ts_run_set_get_fitting (TsRunSet *set);
/* Fits and is not hidden. */
gboolean ts_run_set_shows (TsRunSet *set, TsRunItem *item);
guint ts_run_set_count_shown (TsRunSet *set);
guint ts_run_set_count_all (TsRunSet *set);

void ts_run_set_show (TsRunSet *set, gint64 run_id, gboolean show);
/* This one and no other; when it is the only one already, all. */
void ts_run_set_show_only (TsRunSet *set, gint64 run_id);
void ts_run_set_show_all (TsRunSet *set);

/* Words, each of which must be in a run's name or state, in any case. */
void ts_run_set_set_filter (TsRunSet *set, const char *filter);
const char *ts_run_set_get_filter (TsRunSet *set);

/* The run whose curves are drawn thicker and on top; 0: none. */
void ts_run_set_select (TsRunSet *set, gint64 run_id);
gint64 ts_run_set_get_selected (TsRunSet *set);

G_END_DECLS
