/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    {"power", TS_PARAM_FLOAT, .number = -0.5, .min = -1, .max = 0,
     .doc = "how the rate falls with the sum of squares"},
    {"initial_accumulator", TS_PARAM_FLOAT, .number = 0.1, .min = 0, .max = 1e6,
     .doc = "start of the sum of squares"},
    {"l1", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6,
     .doc = "strength of |w|: makes weights exactly 0"},
    {"l2", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6, .doc = "strength of w²"},
    {"shrinkage", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6,
     .doc = "strength of w² in the gradient only"},
    {"beta", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6, .doc = "beta of the paper"},
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static double
start (const TsParams *p)
{
  return ts_params_float (p, "initial_accumulator");
}

static const TsSlot slots[] = {{"squares", .start = start}, {"z"}, {NULL}};

const TsOptimizerClass ts_optim_ftrl = {
    .name = "ftrl",
    .doc = "FTRL-Proximal (McMahan et al. 2013): for sparse linear models; l1 makes weights "
           "exactly 0.",
    .params = params,
    .update = "ftrl",
    .slots = slots,
};
