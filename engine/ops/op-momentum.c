/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    {"momentum", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1,
     .doc = "share of the velocity kept"},
    {"nesterov", TS_PARAM_BOOL, .doc = "look ahead along the new velocity"},
    {NULL},
};

static void
momentum_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;

  call->k->momentum[call->dtype]((void *) call->in[0], (void *) call->in[2], call->in[1],
                                 ts_update_elems (call), ts_call_scalar (call, 3, 0),
                                 ts_params_float (p, "momentum"), ts_params_bool (p, "nesterov"));
}

const TsOpClass ts_op_momentum = {
    .name = "momentum",
    .formula = "v = momentum·v + g; w = w - lr·(nesterov ? g + momentum·v : v)",
    .category = "update",
    .doc = "One step of gradient descent with a velocity (Polyak 1964; Nesterov 1983).",
    .in_names = "variable, gradient, velocity, lr",
    .min_in = 4,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 4,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = momentum_forward,
};
