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

static TsValue *
adamax_begin (TsGraph *graph, const TsParams *p, TsValue *lr, GError **error)
{
  static const TsSlot slots[] = {{"step", 0}};

  return ts_optimizer_add_numbers (graph, "adamax_rate", "adamax", p, lr, slots,
                                   G_N_ELEMENTS (slots), error);
}

static TsNode *
adamax_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
               TsValue *numbers, GError **error)
{
  static const TsSlot slots[] = {{"m", 0}, {"norm", 0}};

  return ts_optimizer_add_update (graph, "adamax", "adamax", p, variable, gradient, numbers, slots,
                                  G_N_ELEMENTS (slots), error);
}

const TsOptimizerClass ts_optim_adamax = {
    .name = "adamax",
    .doc = "Adamax (Kingma, Ba 2015): Adam by the largest gradient instead of the mean of squares.",
    .params = params,
    .begin = adamax_begin,
    .update = adamax_update,
};
