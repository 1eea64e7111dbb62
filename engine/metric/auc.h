/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The areas under the curves of scores for a yes or no.  ROC: the chance that a positive row scores above a
 * negative one, ties counting half.  Precision over recall.  Over any number of batches.  Used from one thread. */
typedef struct TsAuc TsAuc;

/* @n_thresholds 0: exact, by sorting, with all scores kept.  2 and more: scores in [0, 1] are
 * compared with that many thresholds, as Keras does it (there 200), and only counts are kept; what rounding
 * carries over an end, up to 1e-5, counts as that end. */
TsAuc *ts_auc_new (guint n_thresholds);
void ts_auc_free (TsAuc *auc);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsAuc, ts_auc_free)
void ts_auc_reset (TsAuc *auc);

/* @n more rows; @positive: TRUE or FALSE each. */
void ts_auc_update (TsAuc *auc, const double *scores, const gboolean *positive, gsize n);

/* NaN while positives or negatives are missing, and after a score that is NaN or, with thresholds, outside
 * [0, 1]. */
double ts_auc_result (TsAuc *auc);

/* Under precision over recall.  Exact: the average precision, of each score's recall beyond the one above it.  From
 * thresholds: between two of them as Davis and Goadrich (2006) interpolate, which Keras does.  NaN while there is
 * no positive, and after such a score. */
double ts_auc_pr_result (TsAuc *auc);

G_END_DECLS
