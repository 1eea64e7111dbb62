/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.01),
    {"momentum", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1,
     .doc = "share of the velocity kept"},
    {"nesterov", TS_PARAM_BOOL, .doc = "look ahead along the velocity"},
    TS_PARAM_FORM ("the rate is part of the velocity, or multiplies it"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static const TsSlot slots[] = {{"velocity"}, {NULL}};

const TsOptimizerClass ts_optim_momentum = {
    .name = "momentum",
    .doc = "Gradient descent with a velocity: v = momentum·v + lr·g; w = w - v.  The forms differ "
           "when the "
           "rate changes.",
    .params = params,
    .update = "momentum",
    .slots = slots,
};
