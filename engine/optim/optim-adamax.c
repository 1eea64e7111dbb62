/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "largest gradient"),
    TS_PARAM_EPS,
    TS_PARAM_FORM ("eps beside the norm, or on every gradient that it is the largest of"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static const TsSlot numbers[] = {{"step"}, {NULL}};
static const TsSlot slots[] = {{"m"}, {"norm"}, {NULL}};

const TsOptimizerClass ts_optim_adamax = {
    .name = "adamax",
    .doc = "Adamax (Kingma, Ba 2015): Adam by the largest gradient instead of the mean of squares.",
    .params = params,
    .rate = "adamax_rate",
    .numbers = numbers,
    .update = "adamax",
    .slots = slots,
};
