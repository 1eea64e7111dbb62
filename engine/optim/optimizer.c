/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

#include <string.h>

#include "engine/graph/autograd.h"

const TsOptimizerClass *
ts_optimizer_lookup (const char *name)
{
  for (guint i = 0; ts_optim_table[i]; i++)
    if (strcmp (ts_optim_table[i]->name, name) == 0)
      return ts_optim_table[i];
  return NULL;
}

static TsValue *
state_variable (TsGraph *graph, const char *name, TsDtype dtype, const TsShape *shape, double value,
                gboolean slot, GError **error)
{
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("variable")->params);
  ts_params_set_text (&p, "dtype", ts_dtype_name (dtype), NULL);
  ts_params_set_list (&p, "shape", shape->dim, shape->rank, NULL);
  ts_params_set_text (&p, "init", "constant", NULL);
  ts_params_set_number (&p, "scale", value, NULL);
  ts_params_set_bool (&p, "trainable", FALSE, NULL);
  ts_params_set_bool (&p, "slot", slot, NULL);
  TsNode *node = ts_graph_add (graph, "variable", name, NULL, 0, &p, error);
  return node ? node->out[0] : NULL;
}

TsValue *
ts_optimizer_slot (TsGraph *graph, const TsValue *variable, const char *optimizer, TsSlot slot,
                   GError **error)
{
  g_autofree char *name =
      variable ? g_strdup_printf ("%s/%s/%s", variable->node->name, optimizer, slot.name)
               : g_strdup_printf ("%s/%s", optimizer, slot.name);
  TsShape scalar = TS_SCALAR;

  return state_variable (graph, name, variable ? variable->dtype : TS_F64,
                         variable ? &variable->shape : &scalar, slot.value, TRUE, error);
}

static gboolean
is_wanted (const TsSlot *slot, const TsParams *params)
{
  if (!slot->when)
    return TRUE;
  const TsParamSpec *spec = &params->specs[ts_params_lookup (params, slot->when)];
  return spec->type == TS_PARAM_BOOL ? ts_params_bool (params, slot->when)
                                     : ts_params_float (params, slot->when) > 0;
}

/* The op @op with those of the optimizer's parameters that it has, on in[0 … n_in) and the slots of
 * @variable (NULL: scalars) that it makes.  Weights only decay: a variable with fewer than two axes
 * (bias, gamma, beta) does not unless `decay_all` says so. */
static TsNode *
add_with_slots (TsGraph *graph, const TsOptimizerClass *optimizer, const TsParams *params,
                const char *op, TsValue *const in[], guint n_in, const TsValue *variable,
                const TsSlot *slots, GError **error)
{
  TsValue *all[TS_CALL_INPUTS_MAX];
  TsParams own;

  ts_params_init (&own, ts_op_lookup (op)->params);
  ts_params_take (&own, params);
  if (variable && variable->shape.rank < 2 && !ts_params_bool (params, "decay_all"))
    ts_params_set_number (&own, "weight_decay", 0, NULL);
  memcpy (all, in, n_in * sizeof (TsValue *));
  for (const TsSlot *slot = slots; slot && slot->name; slot++) {
    TsSlot made = *slot;
    if (!is_wanted (slot, params))
      continue;
    if (slot->start)
      made.value = slot->start (params);
    if (!(all[n_in++] = ts_optimizer_slot (graph, variable, optimizer->name, made, error)))
      return NULL;
  }
  return ts_graph_add (graph, op, NULL, all, n_in, &own, error);
}

static GPtrArray *
trainable_variables (TsGraph *graph)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++) {
    TsNode *node = ts_graph_get_node (graph, i);
    if (ts_node_is_trainable (node))
      g_ptr_array_add (list, node->out[0]);
  }
  return list;
}

/* A node that waits for all of @after and for the graph's own updates. */
static TsNode *
add_group (TsGraph *graph, const char *name, const GPtrArray *after, GError **error)
{
  TsNode *group = ts_graph_add (graph, "group", name, NULL, 0, NULL, error);

  for (guint i = 0; group && i < after->len; i++)
    ts_graph_add_control (graph, group, after->pdata[i]);
  for (guint i = 0; group && i < ts_graph_get_n_updates (graph); i++)
    ts_graph_add_control (graph, group, ts_graph_get_update (graph, i));
  return group;
}

/* Sums of gradients, which `accumulate` adds to; used[i] becomes the mean that an update takes. */
static gboolean
add_accumulation (TsGraph *graph, gint64 count, TsMinimize *m, TsValue **used, GError **error)
{
  g_autoptr (GPtrArray) sums = g_ptr_array_new ();
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("take_mean")->params);
  ts_params_set_number (&p, "count", (double) count, NULL);
  for (guint i = 0; i < m->n; i++) {
    TsValue *v = m->variables[i];
    g_autofree char *name = g_strdup_printf ("%s/accumulator", v->node->name);
    TsValue *in[] = {state_variable (graph, name, v->dtype, &v->shape, 0, TRUE, error),
                     m->gradients[i]};
    TsNode *sum = in[0] ? ts_graph_add (graph, "assign_add", NULL, in, 2, NULL, error) : NULL;
    TsNode *mean = sum ? ts_graph_add (graph, "take_mean", NULL, in, 2, &p, error) : NULL;
    if (!mean)
      return FALSE;
    g_ptr_array_add (sums, sum);
    used[i] = mean->out[0];
  }
  m->accumulate = add_group (graph, "accumulate_step", sums, error);
  return m->accumulate != NULL;
}

/* Averages of the weights as they are after their updates. */
static gboolean
add_averages (TsGraph *graph, double decay, TsMinimize *m, GPtrArray *updates, GError **error)
{
  TsValue *count = m->n_averaged =
      ts_optimizer_slot (graph, NULL, "ema", (TsSlot){"step", 0}, error);
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("ema_keep")->params);
  if (!count || !ts_params_set_number (&p, "decay", decay, error))
    return FALSE;
  TsNode *keep = ts_graph_add (graph, "ema_keep", NULL, &count, 1, &p, error);
  m->averages = g_new0 (TsValue *, m->n + 1);
  for (guint i = 0; keep && i < m->n; i++) {
    TsValue *v = m->variables[i];
    g_autofree char *name = g_strdup_printf ("%s/ema", v->node->name);
    m->averages[i] = state_variable (graph, name, v->dtype, &v->shape, 0, TRUE, error);
    TsValue *in[] = {m->averages[i], v, keep->out[0]};
    TsNode *node = in[0] ? ts_graph_add (graph, "ema", NULL, in, 3, NULL, error) : NULL;
    if (!node)
      return FALSE;
    g_ptr_array_add (updates, node);
  }
  return keep != NULL;
}

static gboolean
add_updates (TsGraph *graph, const TsOptimizerClass *optimizer, const TsParams *params,
             const TsMinimizeOptions *options, TsMinimize *m, GError **error)
{
  g_autofree char *lr_name = g_strdup_printf ("%s/lr", optimizer->name);
  g_autofree TsValue **used = g_memdup2 (m->gradients, m->n * sizeof (TsValue *));
  g_autoptr (GPtrArray) updates = g_ptr_array_new ();
  TsShape scalar = TS_SCALAR;

  m->norm = ts_add_global_norm (graph, m->gradients, m->n, error);
  if (!m->norm ||
      (options->accumulate > 1 && !add_accumulation (graph, options->accumulate, m, used, error)) ||
      (options->clip.kind && !ts_clip_gradients (graph, &options->clip, used, m->n,
                                                 m->accumulate ? NULL : m->norm, error)))
    return FALSE;
  m->lr = state_variable (graph, lr_name, TS_F64, &scalar, ts_params_float (params, "lr"), FALSE,
                          error);
  TsValue *rate = m->lr;
  if (rate && optimizer->rate) {
    TsNode *node = add_with_slots (graph, optimizer, params, optimizer->rate, &m->lr, 1, NULL,
                                   optimizer->numbers, error);
    rate = node ? node->out[0] : NULL;
  }
  if (!rate)
    return FALSE;
  for (guint i = 0; i < m->n; i++) {
    TsValue *v = m->variables[i], *in[] = {v, used[i], rate};
    TsNode *node = add_with_slots (graph, optimizer, params, optimizer->update, in,
                                   G_N_ELEMENTS (in), v, optimizer->slots, error);
    if (!node)
      return FALSE;
    g_ptr_array_add (updates, node);
  }
  if (options->ema > 0 && !add_averages (graph, options->ema, m, updates, error))
    return FALSE;
  m->step = add_group (graph, "train_step", updates, error);
  return m->step != NULL;
}

gboolean
ts_apply_gradients (TsGraph *graph, TsValue *const *variables, TsValue *const *gradients, guint n,
                    const TsOptimizerClass *optimizer, const TsParams *params,
                    const TsMinimizeOptions *options, TsMinimize *out, GError **error)
{
  static const TsMinimizeOptions plain;

  *out = (TsMinimize){0};
  out->variables = g_new0 (TsValue *, n + 1);
  out->gradients = g_new0 (TsValue *, n + 1);
  for (guint i = 0; i < n; i++) {
    if (!gradients[i])
      continue; /* the loss does not depend on it */
    out->variables[out->n] = variables[i];
    out->gradients[out->n++] = gradients[i];
  }
  if (out->n == 0)
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NO_GRADIENT,
                 "No gradients provided for any variable");
  else if (add_updates (graph, optimizer, params, options ? options : &plain, out, error))
    return TRUE;
  ts_minimize_clear (out);
  return FALSE;
}

gboolean
ts_minimize_with (TsGraph *graph, TsValue *loss, const TsOptimizerClass *optimizer,
                  const TsParams *params, const TsMinimizeOptions *options, TsMinimize *out,
                  GError **error)
{
  g_autoptr (GPtrArray) variables = trainable_variables (graph);
  g_autofree TsValue **grads = g_new0 (TsValue *, variables->len + 1);

  *out = (TsMinimize){0};
  if (variables->len == 0) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NO_GRADIENT,
                 "No gradients provided for any variable: the graph has no trainable variable");
    return FALSE;
  }
  if (!ts_graph_gradients (graph, loss, (TsValue **) variables->pdata, variables->len, grads,
                           error)) {
    g_prefix_error (error, "No gradients provided for any variable: ");
    return FALSE;
  }
  return ts_apply_gradients (graph, (TsValue **) variables->pdata, grads, variables->len, optimizer,
                             params, options, out, error);
}

gboolean
ts_minimize (TsGraph *graph, TsValue *loss, const TsOptimizerClass *optimizer,
             const TsParams *params, TsMinimize *out, GError **error)
{
  return ts_minimize_with (graph, loss, optimizer, params, NULL, out, error);
}

gboolean
ts_minimize_by_name (TsGraph *graph, TsValue *loss, const char *name, const char *text,
                     TsMinimize *out, GError **error)
{
  const TsOptimizerClass *optimizer = ts_optimizer_lookup (name);
  TsParams params;

  *out = (TsMinimize){0};
  if (!loss)
    return FALSE;
  if (!optimizer) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "unknown optimizer '%s'", name);
    return FALSE;
  }
  ts_params_init (&params, optimizer->params);
  return ts_params_parse_all (&params, text, error) &&
         ts_minimize (graph, loss, optimizer, &params, out, error);
}

void
ts_minimize_clear (TsMinimize *m)
{
  g_free (m->variables);
  g_free (m->gradients);
  g_free (m->averages);
  *m = (TsMinimize){0};
}
