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
probabilities (TsGraph *graph, TsValue *x, TsValue *kernel, TsValue *bias, GError **error)
{
  return add (graph, "sigmoid", add (graph, "dense", x, kernel, bias, error), NULL, NULL, error);
}

/* The gradient that an optimizer is given: minus what contrastive divergence adds, over the batch. */
static TsValue *
mean (TsGraph *graph, TsValue *sum, GError **error)
{
  return add (graph, "batch_scale", sum, NULL, NULL, error);
}

static gboolean
build (TsGraph *graph, const TsRbm *rbm, TsValue *data, guint k, TsContrastive *out,
       TsValue **gradients, GError **error)
{
  TsValue *v = data, *back = ts_graph_derive (graph, "transpose", rbm->kernel);
  TsValue *positive = probabilities (graph, data, rbm->kernel, rbm->hidden, error), *h = positive;

  for (guint i = 0; i < k; i++) {
    TsValue *sample = add (graph, "bernoulli", h, NULL, NULL, error);
    v = probabilities (graph, sample, back, rbm->visible, error);
    h = probabilities (graph, v, rbm->kernel, rbm->hidden, error);
    if (i == 0)
      out->reconstruction = v;
  }
  TsValue *dv = add (graph, "sub", v, data, NULL, error);
  TsValue *dh = add (graph, "sub", h, positive, NULL, error);
  TsValue *after = add (graph, "dense_grad_kernel", v, h, NULL, error);
  TsValue *before = add (graph, "dense_grad_kernel", data, positive, NULL, error);
  gradients[0] = mean (graph, add (graph, "sub", after, before, NULL, error), error);
  gradients[1] = mean (graph, add (graph, "bias_grad", dv, NULL, NULL, error), error);
  gradients[2] = mean (graph, add (graph, "bias_grad", dh, NULL, NULL, error), error);
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
