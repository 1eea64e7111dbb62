/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
sgd_forward (TsCall *call)
{
  TsUpdate u = ts_update_begin (call);

  u.c[0] = ts_update_number (call, 0);
  call->k->update[TS_UPDATE_SGD][call->dtype](&u);
}

const TsOpClass ts_op_sgd = {
    .name = "sgd",
    .formula = "w = w - lr·g",
    .category = "update",
    .doc = "One step of gradient descent on one variable.",
    .in_names = "variable, gradient, lr",
    .min_in = 3,
    .max_in = 3,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = sgd_forward,
};
