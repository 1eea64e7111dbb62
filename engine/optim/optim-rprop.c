/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    {"lr", TS_PARAM_FLOAT, .number = 0.01, .min = 0, .max = 1e6,
     .doc = "first step; later rates change nothing"},
    {"shrink", TS_PARAM_FLOAT, .number = 0.5, .min = 0, .max = 1,
     .doc = "factor of the step where the gradient turned"},
    {"grow", TS_PARAM_FLOAT, .number = 1.2, .min = 1, .max = 100,
     .doc = "factor of the step where it did not"},
    {"min_step", TS_PARAM_FLOAT, .number = 1e-6, .min = 0, .max = 1e6, .doc = "smallest step"},
    {"max_step", TS_PARAM_FLOAT, .number = 50, .min = 0, .max = 1e6, .doc = "largest step"},
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static double
start (const TsParams *p)
{
  return ts_params_float (p, "lr");
}

static const TsSlot slots[] = {{"before"}, {"step", .start = start}, {NULL}};

const TsOptimizerClass ts_optim_rprop = {
    .name = "rprop",
    .doc = "Rprop (Riedmiller, Braun 1993): by the signs of gradients alone; for whole data sets "
           "as one "
           "batch.",
    .params = params,
    .update = "rprop",
    .slots = slots,
};
