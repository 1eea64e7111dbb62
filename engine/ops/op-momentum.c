/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    {"momentum", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1,
     .doc = "share of the velocity kept"},
    {"nesterov", TS_PARAM_BOOL, .doc = "look ahead along the new velocity"},
    TS_PARAM_FORM ("the rate is part of the velocity, or multiplies it"),
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
momentum_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  u.c[0] = ts_update_number (call, 0);
  u.c[1] = ts_params_float (p, "momentum");
  u.c[2] = ts_params_text (p, "form")[0] == 'k';
  u.c[3] = ts_params_bool (p, "nesterov");
  call->k->update[TS_UPDATE_MOMENTUM][call->dtype](&u);
}

const TsOpClass ts_op_momentum = {
    .name = "momentum",
    .formula = "v = momentum·v + lr·g; w = w - (nesterov ? lr·g + momentum·v : v)",
    .category = "update",
    .doc = "One step of gradient descent with a velocity (Polyak 1964; Nesterov 1983); "
           "form=torch keeps the rate out of the velocity.",
    .in_names = "variable, gradient, lr, velocity",
    .min_in = 4,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = momentum_forward,
};
