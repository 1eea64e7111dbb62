/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    TS_PARAM_EPS,
    {"initial_accumulator", TS_PARAM_FLOAT, .number = -1, .min = -1, .max = 1e6,
     .doc = "start of the sum of squares; -1: 0.1 as in Keras, 0 with form=torch"},
    TS_PARAM_FORM ("eps under the root, or beside it"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

/* What the form starts with, unless a number is given. */
static double
start (const TsParams *p)
{
  double given = ts_params_float (p, "initial_accumulator");

  return given >= 0 ? given : ts_params_text (p, "form")[0] == 't' ? 0 : 0.1;
}

static const TsSlot slots[] = {{"squares", .start = start}, {NULL}};

const TsOptimizerClass ts_optim_adagrad = {
    .name = "adagrad",
    .doc = "Adagrad (Duchi et al. 2011): every weight has a rate of its own, which falls with the "
           "sum of its "
           "squared gradients.",
    .params = params,
    .update = "adagrad",
    .slots = slots,
};
