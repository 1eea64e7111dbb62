/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How far numbers are from their targets, over any number of batches.  A plain value: {0} or reset starts it.
 * All results are NaN while there are no rows. */
typedef struct {
  guint64 n;
  double squares, absolutes, relatives; /* sums of differences */
  double mean, spread;                  /* of the targets; spread: sum of squared deviations */
} TsRegression;

void ts_regression_reset (TsRegression *regression);
void ts_regression_update (TsRegression *regression, const double *predicted, const double *target,
                           gsize n);

double ts_regression_mse (const TsRegression *regression);
double ts_regression_rmse (const TsRegression *regression);
double ts_regression_mae (const TsRegression *regression);
/* In percent of the target, which counts as at least 1e-7. */
double ts_regression_mape (const TsRegression *regression);
/* 1 - squares / spread: 1 is perfect, 0 no better than the mean; NaN when all targets are equal. */
double ts_regression_r2 (const TsRegression *regression);

/* The mean of losses per token and what people make of it.  A plain value as above. */
typedef struct {
  double sum, weight;
} TsMeanLoss;

/* @loss: the mean over @weight tokens. */
void ts_mean_loss_update (TsMeanLoss *mean, double loss, double weight);
double ts_mean_loss_result (const TsMeanLoss *mean);
double ts_mean_loss_perplexity (const TsMeanLoss *mean); /* e^loss */
double ts_mean_loss_bits (const TsMeanLoss *mean);       /* loss / ln 2, per token */

G_END_DECLS
