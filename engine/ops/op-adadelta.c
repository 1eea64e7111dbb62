/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    TS_PARAM_RHO (0.95),
    TS_PARAM_EPS,
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
adadelta_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  u.c[0] = ts_update_number (call, 0);
  u.c[1] = ts_params_float (p, "rho");
  u.c[2] = ts_params_float (p, "eps");
  call->k->update[TS_UPDATE_ADADELTA][call->dtype](&u);
}

const TsOpClass ts_op_adadelta = {
    .name = "adadelta",
    .formula = "s = rho·s + (1 - rho)·g²; d = sqrt (u + eps) / sqrt (s + eps)·g; "
               "u = rho·u + (1 - rho)·d²; w = w - lr·d",
    .category = "update",
    .doc = "One step of Adadelta on one variable (Zeiler 2012).",
    .in_names = "variable, gradient, lr, squares, steps",
    .min_in = 5,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = adadelta_forward,
};
