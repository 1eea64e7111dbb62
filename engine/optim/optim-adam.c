/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    {"lr", TS_PARAM_FLOAT, .number = 0.001, .min = 0, .max = 1e6, .doc = "learning rate"},
    {"beta1", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "decay of the mean of gradients"},
    {"beta2", TS_PARAM_FLOAT, .number = 0.999, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "decay of the mean of squares"},
    {"eps", TS_PARAM_FLOAT, .number = 1e-7, .min = 0, .max = 1, .doc = "keeps the division finite"},
    {"form", TS_PARAM_WORD, .text = "keras", .words = "keras|torch", .doc = "where eps is added"},
    {NULL},
};

static void
copy_params (TsParams *to, const char *op, const TsParams *from)
{
  ts_params_init (to, ts_op_lookup (op)->params);
  for (guint i = 0; i < to->n; i++) {
    int k = ts_params_lookup (from, to->specs[i].name);
    if (k >= 0)
      to->v[i] = from->v[k];
  }
}

static TsValue *
adam_begin (TsGraph *graph, const TsParams *p, TsValue *lr, GError **error)
{
  TsValue *step = ts_optimizer_slot (graph, NULL, "adam", "step", error);
  TsValue *in[] = {lr, step};
  TsParams own;

  if (!step)
    return NULL;
  copy_params (&own, "adam_rate", p);
  TsNode *node = ts_graph_add (graph, "adam_rate", NULL, in, 2, &own, error);
  return node ? node->out[0] : NULL;
}

static TsNode *
adam_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient, TsValue *rate,
             GError **error)
{
  TsValue *m = ts_optimizer_slot (graph, variable, "adam", "m", error);
  TsValue *v = m ? ts_optimizer_slot (graph, variable, "adam", "v", error) : NULL;
  TsValue *in[] = {variable, gradient, m, v, rate};
  TsParams own;

  if (!v)
    return NULL;
  copy_params (&own, "adam", p);
  return ts_graph_add (graph, "adam", NULL, in, 5, &own, error);
}

const TsOptimizerClass ts_optim_adam = {
    .name = "adam",
    .doc = "Adam (Kingma, Ba 2015): running means of gradients and squares, corrected for their "
           "start.",
    .params = params,
    .begin = adam_begin,
    .update = adam_update,
};
