/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,
    {"momentum_decay", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e6,
     .doc = "how fast the momentum warms up: 1 as in Keras, 0.004 as in PyTorch"},
    TS_PARAM_FORM ("the product of momenta that corrects the mean as in Keras or in PyTorch"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static const TsSlot numbers[] = {{"step"}, {"product", .value = 1}, {NULL}};
static const TsSlot slots[] = {{"m"}, {"v"}, {NULL}};

const TsOptimizerClass ts_optim_nadam = {
    .name = "nadam",
    .doc = "Nadam (Dozat 2016): Adam with the momentum of Nesterov.",
    .params = params,
    .rate = "nadam_rate",
    .numbers = numbers,
    .update = "nadam",
    .slots = slots,
};
