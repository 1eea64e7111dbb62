/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/train/config.h"

G_BEGIN_DECLS

/* What a training needs of a model and of its data.  `check` and the trainer ask the same. */

/* Of the model alone, at places: no second loss and no more than TS_METRICS_MAX metrics; with a `train` section
 * one loss, from which a gradient reaches a variable, and with data in it the inputs x and t.  Before a trainer
 * has added to the model's graph. */
void ts_fit_check_model (const TsModel *model, TsDiags *diags);

/* Of both: a row fits the input x, a label the input t; there is a score for every class; what watches
 * validation rows has some.  FALSE: SHAPE, NAME or PARAM, with the place in the model's text in @span (may be
 * NULL). */
gboolean ts_fit_check_data (const TsModel *model, TsDataset *data, const TsTrainConfig *config,
                            TsSpan *span, GError **error);

/* Warns of an `accumulate` that is more than all steps together.  @data: NULL when it is not known. */
void ts_fit_lint (const TsModel *model, const TsDataset *data, const TsTrainConfig *config,
                  TsDiags *diags);

G_END_DECLS
