/* SPDX-License-Identifier: MIT */
#include "engine/train/trainer-private.h"

#include "engine/ops/tally.h"
#include "engine/train/fit.h"

/* A step with less work than this (about 0.2 ms) gains nothing from a second thread. */
#define FLOPS_FOR_THREADS 2e7

static gboolean
bind_data (TsTrainer *t, GError **error)
{
  if (!ts_fit_check_data (t->model, t->data, &t->config, NULL, error))
    return FALSE;
  t->feeds[0] = ts_model_lookup_input (t->model, "x")->value;
  t->feeds[1] = ts_model_lookup_input (t->model, "t")->value;
  return TRUE;
}

static void
bind_metric (TsTrainer *t, guint i)
{
  const TsNode *node = t->model->metrics[i].value->node;

  t->metrics[i] = t->model->metrics[i].value;
  t->tallies[i] = node->op->tally ? node->out[1] : NULL;
  t->less_is_better[i] = ts_node_less_is_better (node);
}

static gboolean
bind_goals (TsTrainer *t, GError **error)
{
  const TsModel *m = t->model;

  if (m->n_losses != 1 || m->n_metrics > TS_METRICS_MAX) {
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
        "a training needs exactly one loss and at most %d metrics; the model has %u and %u",
        TS_METRICS_MAX, m->n_losses, m->n_metrics);
    return FALSE;
  }
  t->loss = m->losses[0].value;
  t->n_metrics = m->n_metrics;
  for (guint i = 0; i < t->n_metrics; i++)
    bind_metric (t, i);
  for (guint s = 0; s < TS_N_SPLITS; s++) {
    g_autofree char *loss = g_strdup_printf ("%s/loss", ts_split_name (s));
    t->loss_tag[s] = g_intern_string (loss);
    for (guint i = 0; i < t->n_metrics; i++) {
      g_autofree char *tag = g_strdup_printf ("%s/%s", ts_split_name (s), m->metrics[i].name);
      t->metric_tag[s][i] = g_intern_string (tag);
    }
  }
  return TRUE;
}

static void
name_tensors (TsTrainer *t)
{
  t->weight_tags = g_new0 (const char *, t->minimize.n);
  t->gradient_tags = g_new0 (const char *, t->minimize.n);
  for (guint i = 0; i < t->minimize.n; i++) {
    const char *name = t->minimize.variables[i]->node->name;
    g_autofree char *w = g_strdup_printf ("weights/%s", name),
                    *g = g_strdup_printf ("gradients/%s", name);
    t->weight_tags[i] = g_intern_string (w);
    t->gradient_tags[i] = g_intern_string (g);
  }
}

static void
find_kept (TsTrainer *t)
{
  TsGraph *graph = t->model->graph;

  t->kept = g_new0 (TsValue *, ts_graph_get_n_nodes (graph) + 1);
  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++) {
    const TsNode *node = ts_graph_get_node (graph, i);
    if (!ts_node_is_variable (node) || ts_node_is_slot (node) || node->out[0] == t->minimize.lr)
      continue;
    t->kept[t->n_kept++] = node->out[0];
    t->weights_bytes += ts_value_row_bytes (node->out[0]);
  }
}

/* Work per step without planning it: the flops of every node that the loss and the updates need. */
static guint
choose_threads (const TsTrainer *t)
{
  TsGraph *graph = t->model->graph;
  double flops = 0;
  gint64 batch = MIN (t->config.batch, (gint64) t->data->split[TS_SPLIT_TRAIN].n);

  if (t->config.threads)
    return t->config.threads;
  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++) {
    const TsNode *node = ts_graph_get_node (graph, i);
    if (node->op->flops)
      flops += node->op->flops (node, batch);
  }
  return flops < FLOPS_FOR_THREADS ? 1 : MAX (g_get_num_processors (), 1);
}

/* Called by one of the session's threads during a step. */
static void
say (gpointer data, const TsNode *node, const char *text)
{
  TsTrainer *t = data;

  g_printerr ("%s\n", text);
  g_ptr_array_add (t->said, g_strdup (text));
}

static gboolean
restore (TsTrainer *t, GError **error)
{
  TsCheckpointState state;

  /* all of it is loaded once more below */
  if (t->options.best_path &&
      ts_checkpoint_load (t->options.best_path, t->session, FALSE, NULL, NULL)) {
    t->best_weights = g_malloc (t->weights_bytes);
    ts_trainer_swap_averages (t);
    ts_trainer_copy_weights (t, t->best_weights, NULL);
  }
  if (!ts_checkpoint_load (t->options.resume_path, t->session, FALSE, &state, error))
    return FALSE;
  t->step = t->last_checkpoint_step = state.step;
  t->epoch = (gint64) state.epoch;
  t->has_best = state.has_best;
  t->best_value = state.best_value;
  t->best_loss = state.best_loss;
  t->best_step = state.best_step;
  t->best_epoch = state.best_epoch;
  t->callbacks = state.callbacks;
  t->callbacks.stopped = ts_stop_holds (&t->config.stop, &t->callbacks);
  if (t->has_best && t->best_step == t->step && !t->best_weights) {
    t->best_weights = g_malloc (t->weights_bytes);
    ts_trainer_swap_averages (t);
    ts_trainer_copy_weights (t, t->best_weights, NULL);
    ts_trainer_swap_averages (t);
  }
  return ts_sampler_set_position (t->sampler, (TsSamplerPosition){state.epoch, state.epoch_rows},
                                  error);
}

gboolean
ts_trainer_setup (TsTrainer *t, GError **error)
{
  gint64 per_epoch, by_epochs;
  TsMinimizeOptions options = {
      .clip = t->config.clip, .accumulate = t->config.accumulate, .ema = t->config.ema};

  if (!bind_data (t, error) || !bind_goals (t, error) ||
      !ts_minimize_with (t->model->graph, t->loss, t->config.optimizer, &t->config.optimizer_params,
                         &options, &t->minimize, error))
    return FALSE;
  name_tensors (t);
  find_kept (t);
  if (!ts_trainer_setup_callbacks (t, error))
    return FALSE;
  t->n_threads = choose_threads (t);
  if (!ts_memory_check (ts_session_state_bytes (t->model->graph),
                        "the model's variables and what the optimizer keeps of each", error))
    return FALSE;
  t->session = ts_session_new (t->model->graph, (guint64) t->config.seed, t->n_threads);
  t->memory = ts_plan_memory_new (t->n_threads);
  ts_session_init_variables (t->session);
  ts_session_set_printer (t->session, say, t);
  t->sampler = ts_sampler_new (t->data, (gsize) t->config.batch, (guint64) t->config.seed);
  per_epoch = (gint64) ts_sampler_get_batches_per_epoch (t->sampler);
  by_epochs = t->config.epochs ? t->config.epochs * per_epoch : G_MAXINT64;
  t->total_steps = t->config.steps ? MIN (t->config.steps, by_epochs) : by_epochs;
  t->pulse.steps_per_epoch = per_epoch;
  t->pulse.total_steps = t->total_steps;
  t->last_checkpoint_step = -1;
  if (t->options.resume_path && !restore (t, error))
    return FALSE;
  /* plan the first step now: a model that does not work is refused before its run begins */
  return ts_trainer_step_program (t,
                                  MIN (t->config.batch, (gint64) t->data->split[TS_SPLIT_TRAIN].n),
                                  FALSE, FALSE, error) != NULL;
}

/* The trainer reads what a program has fetched before it runs another, so its programs share memory;
 * those of a custom step have their own. */
static TsProgram *
make_program (TsTrainer *t, TsValue *const *fetches, guint n_fetches, TsNode *const *targets,
              guint n_targets, gint64 batch, gboolean training, GError **error)
{
  ts_session_use_memory (t->session, t->memory);
  TsProgram *p = ts_program_new (t->session, t->feeds, 2, fetches, n_fetches, targets, n_targets,
                                 batch, training, error);
  ts_session_use_memory (t->session, NULL);
  return p;
}

TsProgram *
ts_trainer_step_program (TsTrainer *t, gint64 batch, gboolean recorded, gboolean adds_up,
                         GError **error)
{
  TsStepPrograms *p = t->full.batch == 0 || t->full.batch == batch ? &t->full : &t->tail;
  TsProgram **slot = recorded ? &p->recorded[adds_up] : &p->plain[adds_up];

  if (*slot && p->batch == batch)
    return *slot;
  p->batch = batch;
  g_autoptr (GPtrArray) fetches = g_ptr_array_new ();
  g_ptr_array_add (fetches, t->loss);
  g_ptr_array_add (fetches, t->minimize.norm);
  for (guint i = 0; i < t->n_metrics; i++)
    g_ptr_array_add (fetches, t->metrics[i]);
  for (guint i = 0; recorded && i < t->minimize.n; i++)
    g_ptr_array_add (fetches, t->minimize.gradients[i]);
  g_clear_pointer (slot, ts_program_free);
  *slot =
      make_program (t, (TsValue **) fetches->pdata, fetches->len,
                    adds_up ? &t->minimize.accumulate : &t->minimize.step, 1, batch, TRUE, error);
  return *slot;
}

TsProgram *
ts_trainer_eval_program (TsTrainer *t, gint64 batch, GError **error)
{
  TsValue *fetches[1 + TS_METRICS_MAX] = {t->loss};

  for (guint i = 0; i < t->n_eval; i++)
    if (t->eval[i].batch == batch)
      return t->eval[i].program;
  for (guint i = 0; i < t->n_metrics; i++)
    fetches[1 + i] = t->tallies[i] ? t->tallies[i] : t->metrics[i];
  TsProgram *p = make_program (t, fetches, 1 + t->n_metrics, NULL, 0, batch, FALSE, error);
  g_assert (t->n_eval < G_N_ELEMENTS (t->eval)); /* full batch, tail of val, tail of test */
  if (p)
    t->eval[t->n_eval++] = (TsEvalProgram){batch, p};
  return p;
}
