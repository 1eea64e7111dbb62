/* SPDX-License-Identifier: MIT */
#include "engine/train/range-test.h"

#include <math.h>

#include "engine/train/trainer-private.h"

#define DECAY 0.9
/* Times the best smoothed loss at which it is called broken. */
#define BROKEN 4

/* FALSE: broken, or an error. */
static gboolean
take_point (TsTrainer *t, double lr, GArray *points, double *mean, double *best, GError **error)
{
  gboolean epoch_ends;
  TsPulse pulse;

  ts_trainer_change_lr (t, lr);
  if (!ts_trainer_do_step (t, &epoch_ends, error))
    return FALSE;
  ts_trainer_get_pulse (t, &pulse);
  *mean = DECAY * *mean + (1 - DECAY) * pulse.loss;
  TsRangePoint p = {lr, pulse.loss, *mean / (1 - pow (DECAY, points->len + 1))};
  g_array_append_val (points, p);
  *best = MIN (*best, p.smoothed);
  return isfinite (pulse.loss) && p.smoothed <= BROKEN * *best;
}

GArray *
ts_lr_range_test (TsModel *model, TsDataset *data, const TsTrainConfig *config, double from,
                  double to, guint steps, GError **error)
{
  TsTrainConfig own = *config;
  TsTrainerOptions options = {0};
  GError *problem = NULL;
  double mean = 0, best = INFINITY;

  g_return_val_if_fail (from > 0 && from < to && steps >= 2, NULL);
  own.schedule = own.stop = own.reduce = (TsOption){0};
  own.terminate_on_nan = FALSE;
  g_autoptr (TsTrainer) t = ts_trainer_new (model, data, &own, &options, error);
  if (!t)
    return NULL;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsRangePoint));
  for (guint i = 0; i < steps; i++) {
    double lr = from * pow (to / from, (double) i / (steps - 1));
    if (!take_point (t, lr, points, &mean, &best, &problem))
      break;
  }
  if (!problem)
    return g_steal_pointer (&points);
  g_propagate_error (error, problem);
  return NULL;
}

double
ts_lr_range_suggest (const GArray *points)
{
  double steepest = 0, lr = NAN;

  for (guint i = 1; i + 1 < points->len; i++) {
    const TsRangePoint *p = &g_array_index (points, TsRangePoint, i);
    double fall = p[-1].smoothed - p[1].smoothed; /* equal steps of the logarithm */
    if (fall > steepest) {
      steepest = fall;
      lr = p->lr;
    }
  }
  return lr;
}
