/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,
    TS_PARAM_FORM ("where eps is added"),
    {"amsgrad", TS_PARAM_BOOL, .doc = "divide by the largest mean of squares so far"},
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static const TsSlot numbers[] = {{"step"}, {NULL}};
static const TsSlot slots[] = {{"m"}, {"v"}, {"v_max", .when = "amsgrad"}, {NULL}};

const TsOptimizerClass ts_optim_adam = {
    .name = "adam",
    .doc = "Adam (Kingma, Ba 2015): running means of gradients and squares, corrected for their "
           "start.",
    .params = params,
    .rate = "adam_rate",
    .numbers = numbers,
    .update = "adam",
    .slots = slots,
};
