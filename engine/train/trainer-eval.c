/* SPDX-License-Identifier: MIT */
#include "engine/train/trainer-private.h"

#include <math.h>
#include <string.h>

#include "engine/ops/tally.h"

/* What the rows of a split have come to so far. */
typedef struct {
  double loss, sums[TS_METRICS_MAX];
  double *states[TS_METRICS_MAX]; /* of tallies */
} Totals;

static void
totals_add (const TsTrainer *t, Totals *all, TsProgram *p, gsize n)
{
  all->loss += ts_program_get_number (p, t->loss, 0) * (double) n;
  for (guint i = 0; i < t->n_metrics; i++)
    if (t->tallies[i])
      ts_tally_merge (t->tallies[i]->node, all->states[i], ts_program_get_data (p, t->tallies[i]));
    else
      all->sums[i] += ts_program_get_number (p, t->metrics[i], 0) * (double) n;
}

static gboolean
add_rows (TsTrainer *t, Totals *all, const gint32 *rows, gsize n, GError **error)
{
  TsProgram *p = ts_trainer_eval_program (t, (gint64) n, error);
  g_autofree gint32 *labels = g_new (gint32, n);

  for (gsize i = 0; i < n; i++)
    labels[i] = t->data->labels[rows[i]];
  TsFeedSource sources[] = {
      {t->data->dtype, t->data->features, rows, (double) t->data->scale},
      {TS_I32, labels, NULL, 1},
  };
  if (!p || !ts_program_run (p, sources, error))
    return FALSE;
  totals_add (t, all, p, n);
  return TRUE;
}

gboolean
ts_trainer_evaluate (TsTrainer *t, TsSplit split, double *loss, double *metrics, GError **error)
{
  const TsRows *rows = &t->data->split[split];
  gsize batch = (gsize) CLAMP (t->config.batch, TS_EVAL_BATCH_MIN, TS_EVAL_BATCH_MAX);
  Totals all = {0};
  gboolean ok = TRUE;

  for (guint i = 0; i < t->n_metrics; i++)
    if (t->tallies[i])
      all.states[i] = g_new0 (double, ts_shape_elems (&t->tallies[i]->shape));
  for (gsize at = 0, n; ok && at < rows->n; at += n) {
    n = MIN (batch, rows->n - at);
    ok = add_rows (t, &all, rows->rows + at, n, error);
  }
  *loss = all.loss / (double) rows->n;
  for (guint i = 0; i < t->n_metrics; i++) {
    const TsNode *node = t->metrics[i]->node;
    metrics[i] = t->tallies[i] ? node->op->tally->result (node, all.states[i])
                               : all.sums[i] / (double) rows->n;
    g_free (all.states[i]);
  }
  return ok;
}

void
ts_trainer_copy_weights (TsTrainer *t, char *to, const char *from)
{
  gsize at = 0;

  for (guint i = 0; i < t->n_kept; i++) {
    TsValue *v = t->kept[i];
    gsize bytes = ts_value_row_bytes (v);
    if (to)
      memcpy (to + at, ts_session_get_variable (t->session, v), bytes);
    if (from)
      ts_session_set_variable (t->session, v, from + at);
    at += bytes;
  }
}

static void
set_result (TsTrainer *t, const char *tag, double value)
{
  guint i = 0;

  while (i < t->result.n_results && t->result.results[i].tag != tag)
    i++;
  g_assert (i < G_N_ELEMENTS (t->result.results)); /* loss and metrics of val and test */
  t->result.results[i] = (TsScalar){tag, value};
  t->result.n_results = MAX (t->result.n_results, i + 1);
}

static void
record_split (TsTrainer *t, TsSplit split, gint64 step, double loss, const double *metrics)
{
  ts_recorder_add (t->recorder, t->loss_tag[split], loss);
  set_result (t, t->loss_tag[split], loss);
  for (guint i = 0; i < t->n_metrics; i++) {
    ts_recorder_add (t->recorder, t->metric_tag[split][i], metrics[i]);
    set_result (t, t->metric_tag[split][i], metrics[i]);
  }
  ts_recorder_flush (t->recorder, step);
}

/* By the first metric, and among equals the smaller loss; without one by the loss. */
static gboolean
is_better (const TsTrainer *t, double value, double loss)
{
  gboolean less = !t->n_metrics || t->less_is_better[0];

  return !t->has_best || (less ? value < t->best_value : value > t->best_value) ||
         (value == t->best_value && loss < t->best_loss);
}

/* Remembers the weights when they are the best so far.  @kept: they are what will be restored. */
static gboolean
note_best (TsTrainer *t, double loss, const double *metrics, gboolean kept)
{
  double value = t->n_metrics ? metrics[0] : loss;

  if (!(ts_trainer_stop_decides (t) ? kept : isfinite (value) && is_better (t, value, loss)))
    return FALSE;
  t->has_best = isfinite (value);
  if (!t->has_best)
    return FALSE;
  t->best_value = value;
  t->best_loss = loss;
  t->best_step = t->step;
  t->best_epoch = t->epoch;
  if (!t->best_weights)
    t->best_weights = g_malloc (t->weights_bytes);
  ts_trainer_copy_weights (t, t->best_weights, NULL);
  return TRUE;
}

gboolean
ts_trainer_validate (TsTrainer *t, gboolean *is_best, GError **error)
{
  double loss, metrics[TS_METRICS_MAX];

  *is_best = FALSE;
  if (t->data->split[TS_SPLIT_VAL].n == 0)
    return TRUE;
  ts_trainer_swap_averages (t);
  gboolean ok = ts_trainer_evaluate (t, TS_SPLIT_VAL, &loss, metrics, error);
  if (ok) {
    record_split (t, TS_SPLIT_VAL, t->step, loss, metrics);
    gboolean kept = ts_trainer_watch (t, loss, metrics);
    *is_best = note_best (t, loss, metrics, kept);
  }
  ts_trainer_swap_averages (t);
  if (!ok)
    return FALSE;
  pthread_mutex_lock (&t->pulse_lock);
  t->pulse.val_loss = loss;
  t->pulse.val_epoch = t->epoch;
  t->pulse.val_metric = t->n_metrics ? metrics[0] : NAN;
  pthread_mutex_unlock (&t->pulse_lock);
  return TRUE;
}

gboolean
ts_trainer_test (TsTrainer *t, GError **error)
{
  double loss, metrics[TS_METRICS_MAX];
  gboolean restored = t->stop_weights && t->callbacks.stop_step > 0;
  gboolean swap = !restored && t->has_best && t->best_weights && t->best_step != t->step;
  gint64 step = restored ? (gint64) t->callbacks.stop_step : swap ? t->best_step : t->step;
  g_autofree char *last = NULL;

  if (t->data->split[TS_SPLIT_TEST].n == 0)
    return TRUE;
  if (!restored && t->has_best && !t->best_weights)
    ts_recorder_note (t->recorder, t->step, TS_SEVERITY_WARNING,
                      "the best checkpoint (step %" G_GINT64_FORMAT
                      ") is missing; the test results are those of the last step",
                      t->best_step);
  if (swap) {
    last = g_malloc (t->weights_bytes);
    ts_trainer_copy_weights (t, last, t->best_weights);
  } else {
    ts_trainer_swap_averages (t);
  }
  gboolean ok = ts_trainer_evaluate (t, TS_SPLIT_TEST, &loss, metrics, error);
  if (swap)
    ts_trainer_copy_weights (t, NULL, last);
  else
    ts_trainer_swap_averages (t);
  if (!ok)
    return FALSE;
  record_split (t, TS_SPLIT_TEST, step, loss, metrics);
  t->result.test_step = step;
  t->result.test_epoch = restored ? (gint64) t->callbacks.stop_epoch
                         : swap   ? t->best_epoch
                                  : t->epoch;
  return TRUE;
}

gboolean
ts_trainer_save (TsTrainer *t, TsCheckpointKind kind, gboolean is_best, GError **error)
{
  TsSamplerPosition at = ts_sampler_get_position (t->sampler);
  TsCheckpointState state = {.step = t->step,
                             .epoch = at.epoch,
                             .epoch_rows = at.index,
                             .seed = (guint64) t->config.seed,
                             .has_best = t->has_best,
                             .best_value = t->best_value,
                             .best_loss = t->best_loss,
                             .best_step = t->best_step,
                             .best_epoch = t->best_epoch,
                             .callbacks = t->callbacks};
  TsEvent *e;

  t->last_checkpoint_us = g_get_monotonic_time ();
  if (!t->folder)
    return TRUE;
  g_autofree char *name = g_strdup_printf ("step-%09" G_GINT64_FORMAT ".safetensors", t->step);
  g_autofree char *path = g_build_filename (t->folder, name, NULL);
  gint64 size;
  if (!ts_checkpoint_save (path, t->session, &state, t->result.sha256, &size, error))
    return FALSE;
  t->last_checkpoint_step = t->step;
  e = ts_event_new (TS_EVENT_CHECKPOINT, t->step, 0);
  e->u.checkpoint.path = g_steal_pointer (&path);
  e->u.checkpoint.size_bytes = size;
  memcpy (e->u.checkpoint.sha256, t->result.sha256, 32);
  e->u.checkpoint.kind = kind;
  e->u.checkpoint.is_best = is_best;
  e->u.checkpoint.metric = is_best ? t->best_value : NAN;
  e->u.checkpoint.epoch = t->epoch;
  ts_recorder_push (t->recorder, e);
  return TRUE;
}
