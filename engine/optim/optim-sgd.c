/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    {"lr", TS_PARAM_FLOAT, .number = 0.01, .min = 0, .max = 1e6, .doc = "learning rate"},
    {NULL},
};

static TsNode *
sgd_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient, TsValue *rate,
            GError **error)
{
  TsValue *in[] = {variable, gradient, rate};

  return ts_graph_add (graph, "sgd", NULL, in, 3, NULL, error);
}

const TsOptimizerClass ts_optim_sgd = {
    .name = "sgd",
    .doc = "Stochastic gradient descent: w = w - lr·g.",
    .params = params,
    .update = sgd_update,
};
