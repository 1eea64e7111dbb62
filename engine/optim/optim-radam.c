/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001), TS_PARAM_BETA1 (0.9),   TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,        TS_OPTIMIZER_DECAY (0), {NULL},
};

static const TsSlot numbers[] = {{"step"}, {NULL}};
static const TsSlot slots[] = {{"m"}, {"v"}, {NULL}};

const TsOptimizerClass ts_optim_radam = {
    .name = "radam",
    .doc = "RAdam (Liu et al. 2020): Adam whose first steps do without the mean of squares, which "
           "is not "
           "reliable yet.",
    .params = params,
    .rate = "radam_rate",
    .numbers = numbers,
    .update = "adam",
    .slots = slots,
};
