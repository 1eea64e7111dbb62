/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/train/trainer.h"

G_BEGIN_DECLS

/* Which learning rates a model bears (Smith 2017): the rate grows from step to step by one factor, and the
 * loss tells where training begins to be fast and where it breaks. */

typedef struct {
  double lr, loss;
  double smoothed; /* running mean of the loss, decay 0.9, corrected for its start */
} TsRangePoint;

/* @steps ≥ 2 steps from the rate @from up to @to (0 < from < to), each on the next batch; ends
 * early after a loss that is not finite or a smoothed one over four times the best.  Schedule
 * and callbacks of @config do not take part.  Adds gradients to the model's graph, as a training
 * does; nothing is recorded.  The points (transfer full, of TsRangePoint), or NULL: errors of
 * ts_trainer_new and of a step. */
GArray *ts_lr_range_test (TsModel *model, TsDataset *data, const TsTrainConfig *config, double from,
                          double to, guint steps, GError **error);

/* The rate where the smoothed loss falls fastest with the logarithm of the rate; NaN when it never falls. */
double ts_lr_range_suggest (const GArray *points);

G_END_DECLS
