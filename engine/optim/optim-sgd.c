/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.01),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static TsNode *
sgd_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
            TsValue *numbers, GError **error)
{
  return ts_optimizer_add_update (graph, "sgd", "sgd", p, variable, gradient, numbers, NULL, 0,
                                  error);
}

const TsOptimizerClass ts_optim_sgd = {
    .name = "sgd",
    .doc = "Stochastic gradient descent: w = w - lr·g.",
    .params = params,
    .update = sgd_update,
};
