/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "data/store/reader.h"
#include "ui/plot/ridge.h"

G_BEGIN_DECLS

/* A card with the histograms of one tensor over the steps.  The one under the pointer is drawn in the
 * cursor's colour and described below. */
#define TS_TYPE_RIDGE_VIEW (ts_ridge_view_get_type ())
G_DECLARE_FINAL_TYPE (TsRidgeView, ts_ridge_view, TS, RIDGE_VIEW, GtkWidget)

GtkWidget *ts_ridge_view_new (void);

/* Copies what it needs.  @title: of the card. */
void ts_ridge_view_set_data (TsRidgeView *view, const char *title, const TsStoredHistogram *items,
                             guint n);
void ts_ridge_view_set_mode (TsRidgeView *view, TsRidgeMode mode);
/* The range of values that all cards share; lo > hi: its own. */
void ts_ridge_view_set_range (TsRidgeView *view, double lo, double hi);

/* Of its finite values; FALSE: none. */
gboolean ts_ridge_view_get_range (TsRidgeView *view, double *lo, double *hi);
guint ts_ridge_view_get_n (TsRidgeView *view);

/* What it says of histogram @index (new): "step 1,200: mean 0.01, std 0.05, min …". */
char *ts_ridge_view_dup_words (TsRidgeView *view, guint index);

G_END_DECLS
