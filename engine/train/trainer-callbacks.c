/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/train/trainer-private.h"

/* ---- the learning rate */

double
ts_trainer_get_lr (TsTrainer *t)
{
  return *(const double *) ts_session_get_variable (t->session, t->minimize.lr);
}

static double
base_lr (const TsTrainer *t)
{
  return ts_params_float (&t->config.optimizer_params, "lr");
}

/* That of the next step. */
static double
next_lr (TsTrainer *t)
{
  if (!t->config.schedule.kind)
    return ts_trainer_get_lr (t);
  return ts_schedule_at (&t->config.schedule, base_lr (t), t->step) * t->callbacks.lr_scale;
}

/* Under a schedule the ratio to it is kept; where that is 0, to the optimizer's own rate. */
void
ts_trainer_change_lr (TsTrainer *t, double lr)
{
  double planned = ts_schedule_at (&t->config.schedule, base_lr (t), t->step);

  if (planned == 0)
    planned = base_lr (t);
  if (t->config.schedule.kind && planned > 0)
    t->callbacks.lr_scale = lr / planned;
  ts_session_set_variable (t->session, t->minimize.lr, &lr);
}

void
ts_trainer_schedule_lr (TsTrainer *t)
{
  if (!t->config.schedule.kind)
    return;
  double lr = next_lr (t);
  ts_session_set_variable (t->session, t->minimize.lr, &lr);
}

/* ---- what is watched */

static TsValue *
keeper_of (TsTrainer *t, TsValue *variable, GError **error)
{
  return ts_optimizer_slot (t->model->graph, variable, "early", (TsSlot){"best", 0}, error);
}

gboolean
ts_trainer_setup_callbacks (TsTrainer *t, GError **error)
{
  const TsTrainConfig *c = &t->config;

  if (!ts_schedule_check (&c->schedule, error))
    return FALSE;
  if (c->stop.kind &&
      (t->stop_watch = ts_train_config_find_monitored (t->model, &c->stop, error)) < -1)
    return FALSE;
  if (c->reduce.kind &&
      (t->reduce_watch = ts_train_config_find_monitored (t->model, &c->reduce, error)) < -1)
    return FALSE;
  if (!c->stop.kind || !ts_params_bool (&c->stop.params, "restore"))
    return TRUE;
  /* variables, so that checkpoints have them */
  t->stop_weights = g_new0 (TsValue *, t->n_kept + 1);
  for (guint i = 0; i < t->n_kept; i++)
    if (!(t->stop_weights[i] = keeper_of (t, t->kept[i], error)))
      return FALSE;
  return TRUE;
}

/* Is less better of what ts_train_config_find_monitored has found? */
static gboolean
is_lower_better (const TsTrainer *t, int watched)
{
  return watched < 0 || t->less_is_better[watched];
}

static gboolean
watch_for_stop (TsTrainer *t, double value)
{
  gboolean rises = ts_callback_rises (&t->config.stop, is_lower_better (t, t->stop_watch)), is_best;
  double best = t->callbacks.stop_best;

  if (ts_stop_early (&t->config.stop, rises, &t->callbacks, value, t->epoch, t->step, &is_best))
    ts_recorder_note (t->recorder, t->step, TS_SEVERITY_INFO,
                      "stopped early after epoch %" G_GINT64_FORMAT ": %s has not got better than "
                      "%g, which it was after step %.0f",
                      t->epoch, ts_params_text (&t->config.stop.params, "monitor"), best,
                      t->callbacks.stop_step);
  for (guint i = 0; is_best && t->stop_weights && i < t->n_kept; i++)
    ts_session_set_variable (t->session, t->stop_weights[i],
                             ts_session_get_variable (t->session, t->kept[i]));
  return is_best && t->stop_weights;
}

static void
watch_for_reduction (TsTrainer *t, double value)
{
  gboolean rises = ts_callback_rises (&t->config.reduce, is_lower_better (t, t->reduce_watch));
  double lr = next_lr (t);
  double next = ts_reduce_on_plateau (&t->config.reduce, rises, &t->callbacks, value, lr);

  if (next == lr)
    return;
  ts_recorder_note (t->recorder, t->step, TS_SEVERITY_INFO,
                    "the learning rate goes from %g to %g: %s has not got better", lr, next,
                    ts_params_text (&t->config.reduce.params, "monitor"));
  ts_trainer_change_lr (t, next);
}

gboolean
ts_trainer_watch (TsTrainer *t, double loss, const double *metrics)
{
  gboolean kept = FALSE;

  if (t->config.stop.kind)
    kept = watch_for_stop (t, t->stop_watch < 0 ? loss : metrics[t->stop_watch]);
  if (t->config.reduce.kind)
    watch_for_reduction (t, t->reduce_watch < 0 ? loss : metrics[t->reduce_watch]);
  return kept;
}

gboolean
ts_trainer_stop_decides (const TsTrainer *t)
{
  return t->stop_weights && t->stop_watch == (t->n_metrics ? 0 : -1) && t->callbacks.stop_step > 0;
}

/* ---- weights */

void
ts_trainer_swap_averages (TsTrainer *t)
{
  const TsMinimize *m = &t->minimize;

  if (!m->averages || *(const double *) ts_session_get_variable (t->session, m->n_averaged) == 0)
    return;
  for (guint i = 0; i < m->n; i++) {
    const void *w = ts_session_get_variable (t->session, m->variables[i]);
    g_autofree void *keep = g_memdup2 (w, ts_value_row_bytes (m->variables[i]));
    ts_session_set_variable (t->session, m->variables[i],
                             ts_session_get_variable (t->session, m->averages[i]));
    ts_session_set_variable (t->session, m->averages[i], keep);
  }
}

/* What was validated was the averages where there are any: both become it. */
void
ts_trainer_restore_best (TsTrainer *t)
{
  const TsMinimize *m = &t->minimize;

  if (!t->stop_weights || t->callbacks.stop_step == 0)
    return;
  for (guint i = 0; i < t->n_kept; i++)
    ts_session_set_variable (t->session, t->kept[i],
                             ts_session_get_variable (t->session, t->stop_weights[i]));
  for (guint i = 0; m->averages && i < m->n; i++)
    ts_session_set_variable (t->session, m->averages[i],
                             ts_session_get_variable (t->session, m->variables[i]));
}

/* ---- NaN */

/* " (dense/kernel[12] is NaN)", or "". */
static char *
dup_first_nonfinite (TsTrainer *t)
{
  for (guint i = 0; i < t->minimize.n; i++) {
    const TsValue *v = t->minimize.variables[i];
    const void *w = ts_session_get_variable (t->session, v);
    gsize n = (gsize) ts_shape_elems (&v->shape);
    gsize at = ts_kernels_get ()->first_nonfinite[v->dtype](w, n);
    if (at == n)
      continue;
    double x = v->dtype == TS_F32 ? (double) ((const float *) w)[at] : ((const double *) w)[at];
    return g_strdup_printf ("; the first weight that is not finite is %s[%" G_GSIZE_FORMAT "], %g",
                            v->node->name, at, x);
  }
  return g_strdup ("");
}

gboolean
ts_trainer_check_loss (TsTrainer *t, double loss, GError **error)
{
  if (!t->config.terminate_on_nan || isfinite (loss))
    return TRUE;
  g_autofree char *where = dup_first_nonfinite (t);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE,
               "the loss is %s at step %" G_GINT64_FORMAT "%s", isnan (loss) ? "NaN" : "infinite",
               t->step, where);
  return FALSE;
}
