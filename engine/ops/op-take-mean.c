/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    {"count", TS_PARAM_INT, .number = 1, .min = 1, .max = 1e9, .doc = "how many there are in all"},
    {NULL},
};

static gboolean
take_mean_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_update (node, out, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[1]);
  return TRUE;
}

static TsPartition
take_mean_partition (const TsNode *node)
{
  TsPartition p = ts_partition_update (node);

  p.cut_out = 1;
  return p;
}

static void
take_mean_forward (TsCall *call)
{
  gsize n = ts_update_elems (call);
  double count = (double) call->node->params.v[0].i;

  call->k->add[call->dtype](call->in[0], call->in[1], call->out[0], n);
  call->k->scale[call->dtype](call->out[0], 1 / count, call->out[0], n);
  call->k->fill[call->dtype](0, (void *) call->in[0], n);
}

const TsOpClass ts_op_take_mean = {
    .name = "take_mean",
    .formula = "y = (sum + x) / count; sum = 0",
    .category = "update",
    .doc = "The mean of what was summed up so far and of the last one; the sum starts anew.",
    .in_names = "sum, x",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = take_mean_infer,
    .partition = take_mean_partition,
    .forward = take_mean_forward,
};
