/* SPDX-License-Identifier: MIT */
#include "engine/metric/regression.h"

#include <math.h>

void
ts_regression_reset (TsRegression *r)
{
  *r = (TsRegression){0};
}

void
ts_regression_update (TsRegression *r, const double *predicted, const double *target, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    double d = fabs (predicted[i] - target[i]), from_mean = target[i] - r->mean;
    r->squares += d * d;
    r->absolutes += d;
    r->relatives += d / fmax (fabs (target[i]), 1e-7);
    r->n++;
    r->mean += from_mean / (double) r->n; /* Welford: no difference of large sums */
    r->spread += from_mean * (target[i] - r->mean);
  }
}

double
ts_regression_mse (const TsRegression *r)
{
  return r->n ? r->squares / (double) r->n : NAN;
}

double
ts_regression_rmse (const TsRegression *r)
{
  return sqrt (ts_regression_mse (r));
}

double
ts_regression_mae (const TsRegression *r)
{
  return r->n ? r->absolutes / (double) r->n : NAN;
}

double
ts_regression_mape (const TsRegression *r)
{
  return r->n ? 100 * r->relatives / (double) r->n : NAN;
}

double
ts_regression_r2 (const TsRegression *r)
{
  return r->n && r->spread != 0 ? 1 - r->squares / r->spread : NAN;
}

void
ts_mean_loss_update (TsMeanLoss *m, double loss, double weight)
{
  m->sum += loss * weight;
  m->weight += weight;
}

double
ts_mean_loss_result (const TsMeanLoss *m)
{
  return m->weight > 0 ? m->sum / m->weight : NAN;
}

double
ts_mean_loss_perplexity (const TsMeanLoss *m)
{
  return exp (ts_mean_loss_result (m));
}

double
ts_mean_loss_bits (const TsMeanLoss *m)
{
  return ts_mean_loss_result (m) / G_LN2;
}
