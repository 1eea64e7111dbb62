/* SPDX-License-Identifier: MIT */
#include "engine/optim/contrastive.h"

/* A chain of ops whose first refusal ends it: later calls pass NULL on. */
static TsValue *
add (TsGraph *graph, const char *op, TsValue *a, TsValue *b, TsValue *c, GError **error)
{
  TsValue *in[] = {a, b, c};

  if (*error)
    return NULL;
  TsNode *node = ts_graph_add (graph, op, NULL, in, c ? 3 : b ? 2 : 1, NULL, error);
  return node ? node->out[0] : NULL;
}

static TsValue *
probabilities (TsGraph *graph, const char *op, TsValue *x, TsValue *kernel, TsValue *bias,
               GError **error)
{
  return add (graph, "sigmoid", add (graph, op, x, kernel, bias, error), NULL, NULL, error);
}

/* @sign·x / rows of the batch: an optimizer is given minus what contrastive divergence adds, as a mean. */
static TsValue *
mean (TsGraph *graph, TsValue *x, double sign, GError **error)
{
  TsParams p;

  if (*error)
    return NULL;
  ts_params_init (&p, ts_op_lookup ("batch_scale")->params);
  ts_params_set_number (&p, "factor", sign, NULL);
  TsNode *node = ts_graph_add (graph, "batch_scale", NULL, &x, 1, &p, error);
  return node ? node->out[0] : NULL;
}

static gboolean
build (TsGraph *graph, const TsRbm *rbm, TsValue *data, guint k, TsContrastive *out,
       TsValue **gradients, GError **error)
{
  TsValue *v = data;
  TsValue *positive = probabilities (graph, "dense", data, rbm->kernel, rbm->hidden, error);
  TsValue *h = positive;

  for (guint i = 0; i < k; i++) {
    TsValue *sample = add (graph, "bernoulli", h, NULL, NULL, error);
    v = probabilities (graph, "dense_transposed", sample, rbm->kernel, rbm->visible, error);
    h = probabilities (graph, "dense", v, rbm->kernel, rbm->hidden, error);
    if (i == 0)
      out->reconstruction = v;
  }
  TsValue *dv = add (graph, "sub", v, data, NULL, error);
  TsValue *after = mean (graph, h, 1, error), *before = mean (graph, positive, -1, error);
  if (*error)
    return FALSE;
  TsValue *pairs[] = {v, after, data, before};
  TsNode *kernel = ts_graph_add (graph, "dense_grad_kernel", NULL, pairs, 4, NULL, error);
  gradients[0] = kernel ? kernel->out[0] : NULL;
  gradients[1] = mean (graph, add (graph, "bias_grad", dv, NULL, NULL, error), 1, error);
  gradients[2] =
      add (graph, "bias_grad", add (graph, "add", after, before, NULL, error), NULL, NULL, error);
  TsValue *miss = k == 1 ? dv : add (graph, "sub", out->reconstruction, data, NULL, error);
  out->error =
      add (graph, "reduce_mean", add (graph, "mul", miss, miss, NULL, error), NULL, NULL, error);
  out->hidden_probabilities = positive;
  return *error == NULL;
}

gboolean
ts_contrastive_divergence (TsGraph *graph, const TsRbm *rbm, TsValue *data, guint k,
                           const TsOptimizerClass *optimizer, const TsParams *params,
                           TsContrastive *out, GError **error)
{
  TsValue *variables[] = {rbm->kernel, rbm->visible, rbm->hidden}, *gradients[3];
  GError *problem = NULL;

  *out = (TsContrastive){0};
  ts_graph_push_scope (graph, "contrastive_divergence");
  gboolean ok = build (graph, rbm, data, MAX (k, 1), out, gradients, &problem) &&
                ts_apply_gradients (graph, variables, gradients, 3, optimizer, params, NULL,
                                    &out->minimize, &problem);
  ts_graph_pop_scope (graph);
  if (problem)
    g_propagate_error (error, problem);
  return ok;
}
