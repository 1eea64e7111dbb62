/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.01),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

const TsOptimizerClass ts_optim_sgd = {
    .name = "sgd",
    .doc = "Stochastic gradient descent: w = w - lr·g.",
    .params = params,
    .update = "sgd",
};
