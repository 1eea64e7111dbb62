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

static TsNode *
adagrad_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
                TsValue *numbers, GError **error)
{
  gboolean torch = ts_params_text (p, "form")[0] == 't';
  double start = ts_params_float (p, "initial_accumulator");
  TsSlot slots[] = {{"squares", start >= 0 ? start : torch ? 0 : 0.1}};

  return ts_optimizer_add_update (graph, "adagrad", "adagrad", p, variable, gradient, numbers,
                                  slots, G_N_ELEMENTS (slots), error);
}

const TsOptimizerClass ts_optim_adagrad = {
    .name = "adagrad",
    .doc = "Adagrad (Duchi et al. 2011): every weight has a rate of its own, which falls with the "
           "sum of its "
           "squared gradients.",
    .params = params,
    .update = adagrad_update,
};
