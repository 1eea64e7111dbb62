/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (1), TS_PARAM_RHO (0.95), TS_PARAM_EPS, TS_OPTIMIZER_DECAY (0), {NULL},
};

static const TsSlot slots[] = {{"squares"}, {"steps"}, {NULL}};

const TsOptimizerClass ts_optim_adadelta = {
    .name = "adadelta",
    .doc = "Adadelta (Zeiler 2012): the size of a step comes from the sizes of the steps before.  "
           "lr is 1 as "
           "in the paper.",
    .params = params,
    .update = "adadelta",
    .slots = slots,
};
