/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001),
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,
    {"momentum_decay", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e6,
     .doc = "how fast the momentum warms up: 1 as in Keras, 0.004 as in PyTorch"},
    TS_PARAM_FORM ("the product of momenta that corrects the mean as in Keras or in PyTorch"),
    TS_OPTIMIZER_DECAY (0),
    {NULL},
};

static TsValue *
nadam_begin (TsGraph *graph, const TsParams *p, TsValue *lr, GError **error)
{
  static const TsSlot slots[] = {{"step", 0}, {"product", 1}};

  return ts_optimizer_add_numbers (graph, "nadam_rate", "nadam", p, lr, slots, G_N_ELEMENTS (slots),
                                   error);
}

static TsNode *
nadam_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
              TsValue *numbers, GError **error)
{
  static const TsSlot slots[] = {{"m", 0}, {"v", 0}};

  return ts_optimizer_add_update (graph, "nadam", "nadam", p, variable, gradient, numbers, slots,
                                  G_N_ELEMENTS (slots), error);
}

const TsOptimizerClass ts_optim_nadam = {
    .name = "nadam",
    .doc = "Nadam (Dozat 2016): Adam with the momentum of Nesterov.",
    .params = params,
    .begin = nadam_begin,
    .update = nadam_update,
};
