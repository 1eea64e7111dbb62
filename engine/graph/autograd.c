/* SPDX-License-Identifier: MIT */
#include "engine/graph/autograd.h"

typedef struct {
  TsEmitter emitter; /* first: ops see only this */
  TsGraph *graph;
} Backward;

static TsNode *
emit (TsEmitter *e, const char *op, TsValue *const *in, guint n_in, const TsParams *params)
{
  g_autoptr (GError) error = NULL;
  TsNode *node = ts_graph_add (((Backward *) e)->graph, op, NULL, in, n_in, params, &error);

  if (!node)
    g_error ("a backward pass does not fit its own op: %s", error->message);
  return node;
}

static TsValue *
derive (TsEmitter *e, const char *op, TsValue *value)
{
  return ts_graph_derive (((Backward *) e)->graph, op, value);
}

/* Which values lie on a path from one of @xs. */
static gboolean *
reach (TsGraph *g, guint n_nodes, TsValue *const *xs, guint n)
{
  gboolean *on = g_new0 (gboolean, ts_graph_get_n_values (g));

  for (guint i = 0; i < n; i++)
    on[xs[i]->id] = TRUE;
  for (guint k = 0; k < n_nodes; k++) {
    TsNode *node = ts_graph_get_node (g, k);
    gboolean any = FALSE;
    for (guint i = 0; i < node->n_in; i++)
      any |= on[node->in[i]->id] && ts_dtype_is_float (node->in[i]->dtype);
    for (guint i = 0; any && node->op->backward && i < node->n_out; i++)
      on[node->out[i]->id] = TRUE;
  }
  return on;
}

static void
accumulate (Backward *b, TsValue **slot, TsValue *gradient)
{
  TsValue *both[] = {*slot, gradient};

  *slot = *slot ? emit (&b->emitter, "add", both, 2, NULL)->out[0] : gradient;
}

static void
node_backward (Backward *b, TsNode *node, const gboolean *on, TsValue **grads)
{
  TsValue *grad_out[TS_NODE_OUTPUTS_MAX] = {NULL};
  g_autofree TsValue **grad_in = g_new0 (TsValue *, node->n_in);
  g_autofree gboolean *want = g_new0 (gboolean, node->n_in);
  gboolean any_out = FALSE, any_in = FALSE;

  for (guint i = 0; i < node->n_out; i++)
    any_out |= (grad_out[i] = grads[node->out[i]->id]) != NULL;
  for (guint i = 0; i < node->n_in; i++)
    any_in |= want[i] = on[node->in[i]->id] && ts_dtype_is_float (node->in[i]->dtype);
  if (!any_out || !any_in || !node->op->backward)
    return;
  ts_graph_set_place (b->graph, node->line, node->column);
  ts_graph_push_scope (b->graph, node->name);
  node->op->backward (&b->emitter, node, grad_out, want, grad_in);
  for (guint i = 0; i < node->n_in; i++)
    if (want[i] && grad_in[i])
      accumulate (b, &grads[node->in[i]->id], grad_in[i]);
  ts_graph_pop_scope (b->graph);
}

gboolean
ts_graph_gradients (TsGraph *g, TsValue *loss, TsValue *const *xs, guint n, TsValue **out,
                    GError **error)
{
  Backward b = {{emit, derive}, g};
  guint n_nodes = loss->node->id + 1, n_values = ts_graph_get_n_values (g);
  g_autofree gboolean *on = reach (g, n_nodes, xs, n);
  g_autofree TsValue **grads = g_new0 (TsValue *, n_values);

  if (loss->kind == TS_VALUE_ROWS || !ts_dtype_is_float (loss->dtype)) {
    g_autofree char *text = ts_shape_dup_text (&loss->shape);
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
        "the loss '%s' has shape %s and type %s; take its mean or sum over the batch first",
        loss->node->name, text, ts_dtype_name (loss->dtype));
    return FALSE;
  }
  if (!on[loss->id]) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NO_GRADIENT,
                 "no gradients: the loss '%s' depends on none of the %u variables",
                 loss->node->name, n);
    return FALSE;
  }
  ts_graph_push_scope (g, "gradients");
  grads[loss->id] = ts_graph_constant (g, "seed", loss->dtype, &loss->shape, 1);
  for (guint k = n_nodes; k-- > 0;)
    node_backward (&b, ts_graph_get_node (g, k), on, grads);
  ts_graph_set_place (g, 0, 0);
  ts_graph_pop_scope (g);
  for (guint i = 0; i < n; i++)
    out[i] = xs[i]->id < n_values ? grads[xs[i]->id] : NULL;
  return TRUE;
}
