/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "ui/models/curve.h"
#include "ui/models/query.h"

G_BEGIN_DECLS

/* The committed scalars of one tag of one run, as charts draw them.  Main thread.
 *
 * Signal "changed": the points are others or more. */
#define TS_TYPE_SERIES (ts_series_get_type ())
G_DECLARE_FINAL_TYPE (TsSeries, ts_series, TS, SERIES, GObject)

gint64 ts_series_get_run_id (TsSeries *series);
const char *ts_series_get_tag (TsSeries *series);

/* By seq, those that a later attempt has overtaken too (hidden); borrowed until the next
 * "changed". */
const TsStoredPoint *ts_series_get_points (TsSeries *series, guint *n);

/* The visible ones as numbers for the plot core; ts_curve_slice_clear it.  What is new since the
 * last call is all that this converts. */
void ts_series_slice (TsSeries *series, TsCurveSlice *slice);
gsize ts_series_get_n_visible (TsSeries *series);
/* Have its points been asked for and come, be it none? */
gboolean ts_series_is_read (TsSeries *series);

/* --- Those that no cache fills --- */

TsSeries *ts_series_new (gint64 run_id, const char *tag);
/* Appends @points (of TsStoredPoint), or puts them in the place of all others. */
void ts_series_take (TsSeries *series, const GArray *points, gboolean anew);

/* All series that somebody looks at, kept up to date with few questions.  Main thread. */
typedef struct TsSeriesCache TsSeriesCache;

TsSeriesCache *ts_series_cache_new (void);
void ts_series_cache_free (TsSeriesCache *cache);

/* Whom to ask, borrowed, or NULL.  Series handed out before fall silent. */
void ts_series_cache_set_query (TsSeriesCache *cache, TsQuery *query);

/* The series, shared by all who ask for it (transfer full).  A new one is empty and is read with
 * the next refresh, which this call asks for. */
TsSeries *ts_series_cache_get (TsSeriesCache *cache, gint64 run_id, const char *tag);

/* Reads what was committed since the last time: one question for all series.  While its answer is
 * awaited one more refresh is remembered. */
void ts_series_cache_refresh (TsSeriesCache *cache);

G_END_DECLS
