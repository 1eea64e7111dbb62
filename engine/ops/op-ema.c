/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec keep_params[] = {
    {"decay", TS_PARAM_FLOAT, .number = 0.99, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "share of the average kept"},
    {NULL},
};

static void
ema_forward (TsCall *call)
{
  call->k->moving_average[call->dtype]((void *) call->in[0], call->in[1], ts_update_elems (call),
                                       ts_update_number (call, 0), 1);
}

static gboolean
keep_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_numbers (node, out, 1);
}

/* The first average is the weight itself. */
static void
keep_forward (TsCall *call)
{
  double *step = (void *) call->in[0];

  *(double *) call->out[0] = *step > 0 ? call->node->params.v[0].f : 0;
  *step += 1;
}

static const TsOpClass ema_keep = {
    .name = "ema_keep",
    .formula = "keep = t > 0 ? decay : 0; t = t + 1",
    .category = "update",
    .doc = "How much of the averages of all weights is kept in this step.",
    .in_names = "t",
    .min_in = 1,
    .max_in = 1,
    .params = keep_params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = keep_infer,
    .partition = ts_partition_whole,
    .forward = keep_forward,
};

const TsOpClass ts_op_ema = {
    .name = "ema",
    .formula = "average = keep·average + (1 - keep)·weight",
    .category = "update",
    .doc = "The exponential moving average of a weight, after its update.",
    .in_names = "average, weight, keep",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = ema_forward,
    .parts = (const TsOpClass *const[]){&ema_keep, NULL},
};
