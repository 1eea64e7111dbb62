/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    TS_PARAM_RHO (0.9),
    {"momentum", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1,
     .doc = "share of the velocity kept; 0: none"},
    {"centered", TS_PARAM_BOOL, .doc = "divide by the deviation of the gradients"},
    TS_PARAM_EPS,
    {"initial_accumulator", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6,
     .doc = "start of the mean of squares; 1 in TensorFlow 1"},
    TS_PARAM_FORM ("eps under the root and the rate in the velocity, or beside both"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static double
start (const TsParams *p)
{
  return ts_params_float (p, "initial_accumulator");
}

static const TsSlot slots[] = {{"squares", .start = start},
                               {"mean", .when = "centered"},
                               {"velocity", .when = "momentum"},
                               {NULL}};

const TsOptimizerClass ts_optim_rmsprop = {
    .name = "rmsprop",
    .doc = "RMSprop (Hinton 2012): gradients are divided by the root of a running mean of their "
           "squares.",
    .params = params,
    .update = "rmsprop",
    .slots = slots,
};
