/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static void
sgd_forward (TsCall *call)
{
  call->k->sgd[call->dtype]((void *) call->in[0], call->in[1], ts_update_elems (call),
                            ts_call_scalar (call, 2, 0));
}

const TsOpClass ts_op_sgd = {
    .name = "sgd",
    .formula = "w = w - lr·g",
    .category = "update",
    .doc = "One step of gradient descent on one variable.",
    .in_names = "variable, gradient, lr",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = sgd_forward,
};
