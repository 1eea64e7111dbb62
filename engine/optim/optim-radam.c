/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    TS_PARAM_LR (0.001), TS_PARAM_BETA1 (0.9),   TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,        TS_OPTIMIZER_DECAY (0), {NULL},
};

static TsValue *
radam_begin (TsGraph *graph, const TsParams *p, TsValue *lr, GError **error)
{
  static const TsSlot slots[] = {{"step", 0}};

  return ts_optimizer_add_numbers (graph, "radam_rate", "radam", p, lr, slots, G_N_ELEMENTS (slots),
                                   error);
}

static TsNode *
radam_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
              TsValue *numbers, GError **error)
{
  static const TsSlot slots[] = {{"m", 0}, {"v", 0}};

  return ts_optimizer_add_update (graph, "adam", "radam", p, variable, gradient, numbers, slots,
                                  G_N_ELEMENTS (slots), error);
}

const TsOptimizerClass ts_optim_radam = {
    .name = "radam",
    .doc = "RAdam (Liu et al. 2020): Adam whose first steps do without the mean of squares, which "
           "is not "
           "reliable yet.",
    .params = params,
    .begin = radam_begin,
    .update = radam_update,
};
