/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    {"momentum", TS_PARAM_FLOAT, .number = 0.99, .min = 0, .max = 1,
     .doc = "share of the old value kept"},
    {"per_row", TS_PARAM_INT, .min = 0, .max = G_MAXINT32,
     .doc = "the value is a biased variance of so many elements a batch row and is to be made "
            "unbiased; 0: take it as it is"},
    {NULL},
};

static void
moving_average_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  double n = (double) p->v[1].i * (double) call->batch;

  call->k->moving_average[call->dtype]((void *) call->in[0], call->in[1], ts_update_elems (call),
                                       p->v[0].f, n > 1 ? n / (n - 1) : 1);
}

const TsOpClass ts_op_moving_average = {
    .name = "moving_average",
    .formula = "v = momentum·v + (1 - momentum)·x",
    .category = "update",
    .doc = "Lets a variable follow a value slowly.",
    .in_names = "variable, value",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = moving_average_forward,
};
