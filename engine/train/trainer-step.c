/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/train/trainer-private.h"

#define NOTIFY_US (50 * 1000)
#define RATE_US   (500 * 1000)
/* Steps between two values of the tag steps_per_s. */
#define RATE_EVERY 50

static void
update_pulse (TsTrainer *t, double loss, double accuracy, double norm)
{
  gint64 now = g_get_monotonic_time ();

  pthread_mutex_lock (&t->pulse_lock);
  t->pulse.step = t->step;
  t->pulse.epoch = t->epoch;
  t->pulse.loss = loss;
  t->pulse.accuracy = accuracy;
  t->pulse.grad_norm = norm;
  t->pulse.lr = ts_trainer_get_lr (t);
  t->pulse.seconds = ts_trainer_seconds (t, now);
  if (now - t->rate_us >= RATE_US || (t->pulse.steps_per_s == 0 && now > t->rate_us)) {
    t->pulse.steps_per_s =
        (double) (t->step - t->rate_step) * G_USEC_PER_SEC / (double) (now - t->rate_us);
    if (now - t->rate_us >= RATE_US) {
      t->rate_us = now;
      t->rate_step = t->step;
    }
  }
  pthread_mutex_unlock (&t->pulse_lock);
  if (now - t->notified_us >= NOTIFY_US || t->paused) {
    t->notified_us = now;
    ts_trainer_notify (t);
  }
}

/* What print said becomes notes of the run. */
static void
flush_said (TsTrainer *t)
{
  for (guint i = 0; i < t->said->len; i++)
    ts_recorder_note (t->recorder, t->step, TS_SEVERITY_INFO, "%s", (char *) t->said->pdata[i]);
  g_ptr_array_set_size (t->said, 0);
}

static void
record_step (TsTrainer *t, const TsTrainStep *s, gboolean histograms)
{
  ts_recorder_add (t->recorder, t->loss_tag[TS_SPLIT_TRAIN], s->loss);
  for (guint i = 0; i < t->n_metrics; i++)
    ts_recorder_add (t->recorder, t->metric_tag[TS_SPLIT_TRAIN][i], s->metrics[i]);
  ts_recorder_add (t->recorder, g_intern_static_string ("lr"), ts_trainer_get_lr (t));
  ts_recorder_add (t->recorder, g_intern_static_string ("grad_norm"), s->norm);
  if (t->step % RATE_EVERY == 0)
    ts_recorder_add (t->recorder, g_intern_static_string ("steps_per_s"), t->pulse.steps_per_s);
  ts_recorder_flush (t->recorder, t->step);
  for (guint i = 0; histograms && i < t->minimize.n; i++) {
    const TsValue *w = t->minimize.variables[i], *g = t->minimize.gradients[i];
    gsize n = (gsize) ts_shape_elems (&w->shape);
    ts_recorder_histogram (t->recorder, t->weight_tags[i], t->step, w->dtype,
                           ts_session_get_variable (t->session, w), n);
    if (s->has_gradients)
      ts_recorder_histogram (t->recorder, t->gradient_tags[i], t->step, g->dtype,
                             ts_program_get_data (s->program, g), n);
  }
  flush_said (t);
  if (!isfinite (s->loss) && !t->warned_nonfinite) {
    t->warned_nonfinite = TRUE;
    ts_recorder_note (t->recorder, t->step, TS_SEVERITY_WARNING,
                      "the loss is %s at step %" G_GINT64_FORMAT
                      "; a smaller learning rate may help",
                      isnan (s->loss) ? "NaN" : "infinite", t->step);
  }
}

gboolean
ts_train_step_run (TsTrainStep *s, GError **error)
{
  if (!ts_program_run (s->program, s->sources, error))
    return FALSE;
  s->loss = ts_program_get_number (s->program, s->loss_value, 0);
  s->norm = ts_program_get_number (s->program, s->minimize->norm, 0);
  for (guint i = 0; i < s->n_metrics; i++)
    s->metrics[i] = ts_program_get_number (s->program, s->metric_values[i], 0);
  s->has_gradients = TRUE;
  return TRUE;
}

gboolean
ts_trainer_do_step (TsTrainer *t, gboolean *epoch_ends, GError **error)
{
  const gint32 *rows;
  gsize n = ts_sampler_next (t->sampler, &rows, epoch_ends);
  gint64 next = t->step + 1;
  gboolean histograms = t->histograms && (next == 1 || next % t->config.histogram_every == 0);
  gboolean adds_up = t->minimize.accumulate && next % t->config.accumulate != 0;
  TsProgram *p = ts_trainer_step_program (t, (gint64) n, histograms, adds_up, error);
  TsFeedSource sources[] = {
      {t->data->dtype, t->data->features, rows, (double) t->data->scale},
      {TS_I32, t->data->labels, rows, 1},
  };
  TsTrainStep s = {.session = t->session,
                   .minimize = &t->minimize,
                   .feeds = t->feeds,
                   .n_feeds = 2,
                   .sources = sources,
                   .batch = (gint64) n,
                   .step = next,
                   .program = p,
                   .target = adds_up ? t->minimize.accumulate : t->minimize.step,
                   .loss_value = t->loss,
                   .metric_values = t->metrics,
                   .loss = NAN,
                   .norm = NAN,
                   .n_metrics = t->n_metrics};

  if (!p)
    return FALSE;
  for (guint i = 0; i < t->n_metrics; i++)
    s.metrics[i] = NAN;
  ts_session_set_step (t->session, (guint64) next);
  ts_trainer_schedule_lr (t);
  if (t->options.train_step) {
    if (!t->options.train_step (&s, t->options.train_step_data, error))
      return FALSE;
  } else {
    if (!ts_train_step_run (&s, error))
      return FALSE;
  }
  t->step = next;
  t->epoch += *epoch_ends;
  record_step (t, &s, histograms);
  update_pulse (t, s.loss, t->n_metrics ? s.metrics[0] : NAN, s.norm);
  return ts_trainer_check_loss (t, s.loss, error) && ts_recorder_check (t->recorder, error);
}
