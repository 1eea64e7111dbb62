/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.0001),
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.99, "mean that is kept"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static const TsSlot slots[] = {{"m"}, {NULL}};

const TsOptimizerClass ts_optim_lion = {
    .name = "lion",
    .doc = "Lion (Chen et al. 2023): steps of one size along the sign of a running mean; lr is 3 "
           "to 10 times "
           "smaller than that of Adam.",
    .params = params,
    .update = "lion",
    .slots = slots,
};
