/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers as people read them.  All results are new strings. */

char *ts_figure_count (gint64 count);  /* "14,212" */
char *ts_figure_number (double value); /* four digits: "0.2417", "3.1e-05", "NaN" */
char *ts_figure_known (double value);  /* likewise, but NaN means not known: "–" */
char *ts_figure_share (double value);  /* "91.71 %"; NaN: "–" */
char *ts_figure_rate (double value);   /* three digits: "99.7", "1,250" */
char *
ts_figure_duration (double seconds); /* "< 0.1 s", "0.8 s", "58 s", "2 min 22 s", "1 h 05 min" */

/* When that was, seen from @now_us: "just now", "5 min ago", "today 14:03", "12 May 14:03". */
char *ts_figure_when (gint64 us, gint64 now_us);

G_END_DECLS
