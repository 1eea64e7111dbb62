/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/series.h"

G_BEGIN_DECLS

/* A small plot: a few series over the step, exact.  Where a pixel column holds several points it
 * shows their span (faint) and mean; a non-finite value breaks the line and is marked at the top.
 * Points that a later attempt has overtaken are left out. */
#define TS_TYPE_SPARK (ts_spark_get_type ())
G_DECLARE_FINAL_TYPE (TsSpark, ts_spark, TS, SPARK, GtkWidget)

GtkWidget *ts_spark_new (void);

void ts_spark_clear (TsSpark *spark);
/* Keeps the series.  @color: a category; @label: at the end of the curve, copied. */
void ts_spark_add (TsSpark *spark, TsSeries *series, guint color, const char *label);

/* The x axis spans 0 … @steps although the curves end earlier; 0: it ends where they do. */
void ts_spark_set_planned (TsSpark *spark, gint64 steps);
/* @live: a halo at the ends of the curves. */
void ts_spark_set_live (TsSpark *spark, gboolean live);

/* What it shows, in words (new): "train 0.2417, val 0.2986". */
char *ts_spark_dup_description (TsSpark *spark);

G_END_DECLS
