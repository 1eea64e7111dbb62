/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "ui/models/live.h"
#include "ui/models/recents.h"
#include "ui/models/run-list.h"
#include "ui/models/run-set.h"
#include "ui/models/series.h"

G_BEGIN_DECLS

/* What all pages of one window look at: the workspace, its runs and curves, the live training, the
 * run that is shown.  Pages read it and fire actions; the application fills it.  Main thread.
 *
 * Signals: "workspace-changed", "shown-changed", "chosen-changed", "notice-changed", and "committed"
 * when something new lies in the workspace (at most four times a second). */
#define TS_TYPE_DESK (ts_desk_get_type ())
G_DECLARE_FINAL_TYPE (TsDesk, ts_desk, TS, DESK, GObject)

TsDesk *ts_desk_new (void);

/* --- The workspace --- */

/* Absolute; NULL: none is open.  What was shown and read of another one is dropped. */
void ts_desk_set_workspace (TsDesk *desk, const char *path);
const char *ts_desk_get_workspace (TsDesk *desk);
/* What the workspace is an index of: the folder of event files that people know it by.  NULL: it stands for
 * itself.  To be set before the workspace. */
void ts_desk_set_source (TsDesk *desk, const char *path);
const char *ts_desk_get_source (TsDesk *desk); /* or the workspace; NULL: none */
/* Its thread for questions; NULL when none is open. */
TsQuery *ts_desk_get_query (TsDesk *desk);

/* Something was committed: reads it, but never more than four times a second, whoever asks.  Lists
 * of runs follow once a second. */
void ts_desk_refresh (TsDesk *desk);
/* Reads the list of runs now: a run began, ended, has another name. */
void ts_desk_refresh_runs (TsDesk *desk);

/* --- What is in it; all borrowed --- */

TsLive *ts_desk_get_live (TsDesk *desk);
TsRunList *ts_desk_get_runs (TsDesk *desk);
TsRunSet *ts_desk_get_run_set (TsDesk *desk); /* which of them charts show */
TsSeriesCache *ts_desk_get_series (TsDesk *desk);
TsRecents *ts_desk_get_recents (TsDesk *desk);
GListStore *ts_desk_get_templates (TsDesk *desk); /* of TsTemplateItem */

/* --- The run that the Train page shows --- */

/* By its id; it may be in the list only after the next refresh.  0: none. */
void ts_desk_show_run (TsDesk *desk, gint64 run_id);
gint64 ts_desk_get_shown_id (TsDesk *desk);
/* Borrowed; NULL: none, or not read yet. */
TsRunItem *ts_desk_get_shown (TsDesk *desk);
/* Is the shown run the one that trains? */
gboolean ts_desk_shows_live (TsDesk *desk);

/* --- The run that is chosen in the list of runs, of which F2 and Enter speak --- */

/* 0: none.  Signal "chosen-changed". */
void ts_desk_choose_run (TsDesk *desk, gint64 run_id);
TsRunItem *ts_desk_get_chosen (TsDesk *desk);

/* --- The notice: one thing that went wrong, with a way on --- */

typedef struct {
  TsSeverity severity;
  const char *title;  /* a few words */
  const char *text;   /* what, where, what to do */
  const char *button; /* its label, or NULL */
  const char *action; /* detailed, of the button: "win.copy::sudo apt install …" */
} TsNotice;

/* Copied; NULL takes the notice away. */
void ts_desk_set_notice (TsDesk *desk, const TsNotice *notice);
const TsNotice *ts_desk_get_notice (TsDesk *desk);

G_END_DECLS
