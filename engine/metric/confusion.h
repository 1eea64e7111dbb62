/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How often which class was taken for which, over any number of batches, and what follows from it.  All
 * results are those of all rows together, never means of batches.  Used from one thread. */
typedef struct TsConfusion TsConfusion;

TsConfusion *ts_confusion_new (guint n_classes);
void ts_confusion_free (TsConfusion *confusion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsConfusion, ts_confusion_free)
void ts_confusion_reset (TsConfusion *confusion);

/* @n more rows.  Errors: RANGE, naming the row and the class that there is not; nothing of the batch has
 * counted then. */
gboolean ts_confusion_update (TsConfusion *confusion, const gint32 *labels, const gint32 *predicted,
                              gsize n, GError **error);

guint64 ts_confusion_get (const TsConfusion *confusion, guint label, guint predicted);
guint64 ts_confusion_get_n (const TsConfusion *confusion);

/* NaN while there are no rows. */
double ts_confusion_accuracy (const TsConfusion *confusion);

/* Of one class: the share of what was taken for it that is it; the share of it that was found; both in one,
 * recall counting beta times as much, which with beta 1 is Dice's coefficient: twice those that are both, by those
 * that are and those that were taken for it.  0 where nothing was taken for it, or there is none of it. */
double ts_confusion_precision (const TsConfusion *confusion, guint label);
double ts_confusion_recall (const TsConfusion *confusion, guint label);
double ts_confusion_f_beta (const TsConfusion *confusion, guint label, double beta);

/* Intersection over union: of the rows that are of the class or were taken for it, those that are both.  0 where
 * there are none. */
double ts_confusion_iou (const TsConfusion *confusion, guint label);

typedef enum {
  TS_AVERAGE_MACRO, /* mean over the classes that are there, as labels or predictions */
  TS_AVERAGE_MICRO, /* from the counts of all classes together */
} TsAverage;

/* Of all classes.  NaN while there are no rows. */
double ts_confusion_mean_precision (const TsConfusion *confusion, TsAverage average);
double ts_confusion_mean_recall (const TsConfusion *confusion, TsAverage average);
double ts_confusion_mean_f_beta (const TsConfusion *confusion, TsAverage average, double beta);
/* Over the classes that are there. */
double ts_confusion_mean_iou (const TsConfusion *confusion);

G_END_DECLS
