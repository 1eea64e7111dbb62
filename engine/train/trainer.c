/* SPDX-License-Identifier: MIT */
#include "engine/train/trainer.h"

#include <errno.h>
#include <stdbool.h>
#include <math.h>
#include <string.h>

#include "engine/graph/graph-dump.h"
#include "engine/train/trainer-private.h"

#define CHECKPOINT_US (30 * G_USEC_PER_SEC)

typedef enum { PAUSE, RESUME, STEP, STOP, SET_LR } CommandKind;

typedef struct {
  CommandKind kind;
  double value;
} Command;

TsTrainer *
ts_trainer_new (TsModel *model, TsDataset *data, const TsTrainConfig *config,
                const TsTrainerOptions *options, GError **error)
{
  TsTrainer *t = g_new0 (TsTrainer, 1);

  t->model = ts_model_ref (model);
  t->data = ts_dataset_ref (data);
  t->config = *config;
  t->options = *options;
  t->recorder = ts_recorder_new (NULL, FALSE);
  t->said = g_ptr_array_new_with_free_func (g_free);
  t->commands = ts_queue_new (256, g_free);
  pthread_mutex_init (&t->pulse_lock, NULL);
  t->result.test_step = -1;
  t->pulse.state = TS_RUN_PAUSED;
  t->pulse.loss = t->pulse.accuracy = t->pulse.val_loss = t->pulse.val_metric = NAN;
  t->pulse.grad_norm = NAN;
  t->pulse.lr = ts_params_float (&config->optimizer_params, "lr");
  ts_callbacks_init (&t->callbacks);
  if (!ts_trainer_setup (t, error)) {
    ts_trainer_free (t);
    return NULL;
  }
  t->pulse.step = t->step;
  t->pulse.epoch = t->epoch;
  t->pulse.lr = ts_trainer_get_lr (t);
  return t;
}

void
ts_trainer_attach (TsTrainer *t, TsSink *sink, const char *checkpoint_folder)
{
  g_return_if_fail (!t->started);
  ts_recorder_free (t->recorder);
  t->recorder = ts_recorder_new (sink, t->config.record);
  t->histograms = sink && t->config.record && t->config.histogram_every;
  g_free (t->folder);
  t->folder = g_strdup (checkpoint_folder);
}

void
ts_trainer_free (TsTrainer *t)
{
  if (t->started) {
    ts_trainer_stop (t);
    ts_trainer_wait (t);
  }
  g_clear_error (&t->result.error);
  for (guint i = 0; i < t->n_eval; i++)
    ts_program_free (t->eval[i].program);
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&t->full.plain[i], ts_program_free);
    g_clear_pointer (&t->full.recorded[i], ts_program_free);
    g_clear_pointer (&t->tail.plain[i], ts_program_free);
    g_clear_pointer (&t->tail.recorded[i], ts_program_free);
  }
  g_clear_pointer (&t->memory, ts_plan_memory_unref);
  g_clear_pointer (&t->sampler, ts_sampler_free);
  g_clear_pointer (&t->session, ts_session_free);
  ts_minimize_clear (&t->minimize);
  ts_recorder_free (t->recorder);
  ts_queue_unref (t->commands);
  pthread_mutex_destroy (&t->pulse_lock);
  g_ptr_array_unref (t->said);
  g_free (t->weight_tags);
  g_free (t->gradient_tags);
  g_free (t->best_weights);
  g_free (t->stop_weights);
  g_free (t->kept);
  g_free (t->folder);
  ts_dataset_unref (t->data);
  ts_model_unref (t->model);
  g_free (t);
}

void
ts_trainer_notify (TsTrainer *t)
{
  if (t->options.notify)
    t->options.notify (t->options.notify_data);
}

double
ts_trainer_seconds (const TsTrainer *t, gint64 now)
{
  return t->run_seconds + (t->resumed_us ? (double) (now - t->resumed_us) / G_USEC_PER_SEC : 0);
}

static void
set_state (TsTrainer *t, TsRunState state)
{
  gint64 now = g_get_monotonic_time ();

  t->run_seconds = ts_trainer_seconds (t, now);
  t->resumed_us = state == TS_RUN_RUNNING ? now : 0;
  t->rate_us = now;
  t->rate_step = t->step;
  pthread_mutex_lock (&t->pulse_lock);
  t->pulse.state = state;
  t->pulse.seconds = t->run_seconds;
  if (state == TS_RUN_PAUSED)
    t->pulse.steps_per_s = 0;
  pthread_mutex_unlock (&t->pulse_lock);
  ts_trainer_notify (t);
}

static void
push_state (TsTrainer *t, TsRunState state)
{
  TsEvent *e = ts_event_new (TS_EVENT_STATE, t->step, 0);

  e->u.state.state = state;
  ts_recorder_push (t->recorder, e);
  set_state (t, state);
}

static void
set_lr (TsTrainer *t, double lr)
{
  double from = ts_trainer_get_lr (t);
  TsEvent *e = ts_event_new (TS_EVENT_EDIT, t->step, 0);

  ts_trainer_change_lr (t, lr);
  e->u.edit.key = g_strdup ("optimizer.lr");
  e->u.edit.from = from;
  e->u.edit.to = lr;
  ts_recorder_push (t->recorder, e);
  pthread_mutex_lock (&t->pulse_lock);
  t->pulse.lr = lr;
  pthread_mutex_unlock (&t->pulse_lock);
  ts_trainer_notify (t);
}

/* Takes commands until there is a step to do; FALSE: the training is to stop. */
static gboolean
take_commands (TsTrainer *t)
{
  while (!t->stop) {
    g_autofree Command *c = ts_queue_pop (t->commands, t->paused ? -1 : 0);
    if (!c && t->paused)
      return FALSE; /* closed: an overflow of commands that ended with stop */
    if (!c)
      return TRUE;
    switch (c->kind) {
    case PAUSE:
      if (!t->paused)
        push_state (t, TS_RUN_PAUSED);
      t->paused = TRUE;
      break;
    case RESUME:
      if (t->paused)
        push_state (t, TS_RUN_RUNNING);
      t->paused = FALSE;
      break;
    case STEP:
      if (!t->paused)
        push_state (t, TS_RUN_PAUSED);
      t->paused = TRUE;
      return TRUE;
    case STOP:
      t->stop = TRUE;
      break;
    case SET_LR:
      set_lr (t, c->value);
      break;
    }
  }
  return FALSE;
}

static gboolean
is_over (const TsTrainer *t)
{
  return t->step >= t->total_steps || t->callbacks.stopped != 0;
}

/* What follows a step: validation and a checkpoint at the end of an epoch and of the run, a
 * checkpoint now and then. */
static gboolean
after_step (TsTrainer *t, gboolean epoch_ends, GError **error)
{
  gboolean last = is_over (t), is_best = FALSE;

  if (!epoch_ends && !last) {
    if (g_get_monotonic_time () - t->last_checkpoint_us < CHECKPOINT_US)
      return TRUE;
    return ts_trainer_save (t, TS_CHECKPOINT_PERIODIC, FALSE, error);
  }
  if (!ts_trainer_validate (t, &is_best, error))
    return FALSE;
  last = is_over (t);
  if (last)
    ts_trainer_restore_best (t);
  return ts_trainer_save (t, last ? TS_CHECKPOINT_FINAL : TS_CHECKPOINT_PERIODIC, is_best, error) &&
         ts_recorder_check (t->recorder, error);
}

static TsRunState
run (TsTrainer *t, GError **error)
{
  while (!is_over (t)) {
    gboolean epoch_ends;
    if (!take_commands (t)) {
      if (t->step != t->last_checkpoint_step && t->step > 0 &&
          !ts_trainer_save (t, TS_CHECKPOINT_PERIODIC, FALSE, error))
        return TS_RUN_FAILED;
      return TS_RUN_STOPPED;
    }
    if (!ts_trainer_do_step (t, &epoch_ends, error) || !after_step (t, epoch_ends, error))
      return TS_RUN_FAILED;
  }
  return ts_trainer_test (t, error) ? TS_RUN_FINISHED : TS_RUN_FAILED;
}

static void
set_ending (TsTrainer *t)
{
  TsTrainResult *r = &t->result;

  r->steps = t->step;
  r->epochs = t->epoch;
  r->seconds = ts_trainer_seconds (t, g_get_monotonic_time ());
  if (t->has_best) {
    r->metric = t->n_metrics ? t->metric_tag[TS_SPLIT_VAL][0] : t->loss_tag[TS_SPLIT_VAL];
    r->best_value = t->best_value;
    r->best_step = t->best_step;
    r->best_epoch = t->best_epoch;
  }
  if (r->state != TS_RUN_FINISHED || t->callbacks.stopped == 0)
    return;
  r->stopped_early = TRUE;
  r->stop_tag =
      t->stop_watch < 0 ? t->loss_tag[TS_SPLIT_VAL] : t->metric_tag[TS_SPLIT_VAL][t->stop_watch];
  r->stop_epoch = (gint64) t->callbacks.stop_epoch;
  r->restored = t->stop_weights != NULL;
}

static void *
trainer_main (void *data)
{
  TsTrainer *t = data;
  TsTrainResult *r = &t->result;
  TsEvent *e;

  t->last_checkpoint_us = g_get_monotonic_time ();
  if (!t->options.resume_path) {
    e = ts_event_new (TS_EVENT_GRAPH, t->step, 0);
    e->u.graph.json = ts_graph_dup_json (t->model->graph);
    ts_recorder_push (t->recorder, e);
  }
  push_state (t, t->paused ? TS_RUN_PAUSED : TS_RUN_RUNNING);
  r->state = run (t, &r->error);
  set_ending (t);
  e = ts_event_new (TS_EVENT_END, t->step, 0);
  e->u.end.state = r->state;
  e->u.end.message = r->error ? g_strdup (r->error->message) : NULL;
  ts_recorder_push (t->recorder, e);
  set_state (t, r->state);
  atomic_store (&t->done, true);
  ts_trainer_notify (t);
  return NULL;
}

void
ts_trainer_start (TsTrainer *t, gboolean paused)
{
  g_return_if_fail (!t->started);
  t->paused = paused;
  t->started = TRUE;
  int rc = pthread_create (&t->thread, NULL, trainer_main, t);
  if (rc != 0)
    g_error ("cannot start the trainer thread: %s", g_strerror (rc));
}

static void
send (TsTrainer *t, CommandKind kind, double value)
{
  Command *c = g_new (Command, 1);

  *c = (Command){kind, value};
  if (!ts_queue_try_push (t->commands, c))
    g_free (c); /* 256 commands wait already: one more changes nothing */
}

void
ts_trainer_pause (TsTrainer *t)
{
  send (t, PAUSE, 0);
}

void
ts_trainer_resume (TsTrainer *t)
{
  send (t, RESUME, 0);
}

void
ts_trainer_step (TsTrainer *t)
{
  send (t, STEP, 0);
}

void
ts_trainer_stop (TsTrainer *t)
{
  Command *c = g_new (Command, 1);

  *c = (Command){STOP, 0};
  if (!ts_queue_try_push (t->commands, c)) {
    g_free (c);
    ts_queue_close (t->commands); /* must not get lost */
  }
}

void
ts_trainer_set_lr (TsTrainer *t, double lr)
{
  g_return_if_fail (isfinite (lr) && lr >= 0);
  send (t, SET_LR, lr);
}

gboolean
ts_trainer_has_stopped_early (TsTrainer *t)
{
  return t->callbacks.stopped != 0;
}

void
ts_trainer_get_pulse (TsTrainer *t, TsPulse *pulse)
{
  pthread_mutex_lock (&t->pulse_lock);
  *pulse = t->pulse;
  pthread_mutex_unlock (&t->pulse_lock);
}

gboolean
ts_trainer_is_done (TsTrainer *t)
{
  return atomic_load (&t->done);
}

const TsTrainResult *
ts_trainer_wait (TsTrainer *t)
{
  if (t->started) {
    pthread_join (t->thread, NULL);
    t->started = FALSE;
  }
  return &t->result;
}

TsModel *
ts_trainer_get_model (TsTrainer *t)
{
  return t->model;
}

TsDataset *
ts_trainer_get_data (TsTrainer *t)
{
  return t->data;
}

guint
ts_trainer_get_threads (TsTrainer *t)
{
  return t->n_threads;
}
