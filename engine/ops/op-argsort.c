/* SPDX-License-Identifier: MIT */
#include "engine/ops/order.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1, .doc = "the batch is 0, -1 the last"},
    {"descending", TS_PARAM_BOOL, .doc = "the largest first"},
    {NULL},
};

static gboolean
argsort_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_axis (node, error))
    return FALSE;
  ts_order_infer (node, out, node->in[0]->shape.dim[ts_axis_of (node)], FALSE);
  return TRUE;
}

static void
argsort_forward (TsCall *call)
{
  TsShape x = ts_call_shape (call, call->node->in[0]);

  ts_order_forward (call, x.dim[ts_axis_of (call->node)], call->node->params.v[1].i != 0, 0);
}

static const TsOpExample examples[] = {
    {.in = {"rows 4 3"}, .params = "axis=1", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axis=0, descending=true", .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
    {.in = {"labels 5 4"}},
};

const TsOpClass ts_op_argsort = {
    .name = "argsort",
    .formula = "y[j] = the i of the j-th smallest x[i]",
    .category = "array",
    .doc = "Where the elements of each line stand, in their order; equals keep theirs, a NaN is "
           "the largest.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = argsort_infer,
    .partition = ts_axis_partition,
    .forward = argsort_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
