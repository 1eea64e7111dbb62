/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "ui/models/query.h"

G_BEGIN_DECLS

/* The histograms of one run, as far as they are committed.  Main thread.
 *
 * Signal "changed": there are more, or those of another run. */
#define TS_TYPE_HISTOGRAMS (ts_histograms_get_type ())
G_DECLARE_FINAL_TYPE (TsHistograms, ts_histograms, TS, HISTOGRAMS, GObject)

TsHistograms *ts_histograms_new (void);

/* Whose, and whom to ask (borrowed; NULL: nobody).  Reads them. */
void ts_histograms_set_run (TsHistograms *histograms, TsQuery *query, gint64 run_id);

/* Reads what was committed since: one question for all tags; nothing while one is under way. */
void ts_histograms_refresh (TsHistograms *histograms);

/* Tags in the order they first came. */
guint ts_histograms_get_n (TsHistograms *histograms);
const char *ts_histograms_get_tag (TsHistograms *histograms, guint index);

/* Those that no later attempt has overtaken, by seq; borrowed until the next "changed". */
const TsStoredHistogram *ts_histograms_get_items (TsHistograms *histograms, guint index, guint *n);

G_END_DECLS
