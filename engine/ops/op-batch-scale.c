/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    {"factor", TS_PARAM_FLOAT, .number = 1, .doc = "what the mean is multiplied by"},
    {NULL},
};

static gboolean
batch_scale_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
batch_scale_forward (TsCall *call)
{
  double factor = call->node->params.v[0].f / (double) call->batch;

  call->k->scale[call->dtype](call->in[0], factor, call->out[0], ts_call_elems (call));
}

const TsOpClass ts_op_batch_scale = {
    .name = "batch_scale",
    .formula = "y = factor·x / rows of the batch",
    .category = "element-wise",
    .doc = "Makes a sum over the batch its mean.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = batch_scale_infer,
    .forward = batch_scale_forward,
};
