/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.99, "mean that is kept"),
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
lion_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  u.c[0] = ts_update_number (call, 0);
  u.c[1] = ts_params_float (p, "beta1");
  u.c[2] = ts_params_float (p, "beta2");
  call->k->update[TS_UPDATE_LION][call->dtype](&u);
}

const TsOpClass ts_op_lion = {
    .name = "lion",
    .formula = "w = w - lr·sign (beta1·m + (1 - beta1)·g); m = beta2·m + (1 - beta2)·g",
    .category = "update",
    .doc = "One step of Lion on one variable (Chen et al. 2023).",
    .in_names = "variable, gradient, lr, m",
    .min_in = 4,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = lion_forward,
};
