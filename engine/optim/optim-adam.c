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

static TsValue *
adam_begin (TsGraph *graph, const TsParams *p, TsValue *lr, GError **error)
{
  static const TsSlot slots[] = {{"step", 0}};

  return ts_optimizer_add_numbers (graph, "adam_rate", "adam", p, lr, slots, G_N_ELEMENTS (slots),
                                   error);
}

static TsNode *
adam_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
             TsValue *numbers, GError **error)
{
  static const TsSlot slots[] = {{"m", 0}, {"v", 0}, {"v_max", 0}};

  return ts_optimizer_add_update (graph, "adam", "adam", p, variable, gradient, numbers, slots,
                                  ts_params_bool (p, "amsgrad") ? 3 : 2, error);
}

const TsOptimizerClass ts_optim_adam = {
    .name = "adam",
    .doc = "Adam (Kingma, Ba 2015): running means of gradients and squares, corrected for their "
           "start.",
    .params = params,
    .begin = adam_begin,
    .update = adam_update,
};
