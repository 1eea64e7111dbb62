/* SPDX-License-Identifier: MIT */
#include "engine/ops/order.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1, .doc = "the batch is 0, -1 the last"},
    {"descending", TS_PARAM_BOOL, .doc = "the largest first"},
    {NULL},
};

static gboolean
sort_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_axis (node, error))
    return FALSE;
  ts_order_infer (node, out, node->in[0]->shape.dim[ts_axis_of (node)], TRUE);
  return TRUE;
}

static void
sort_forward (TsCall *call)
{
  TsShape x = ts_call_shape (call, call->node->in[0]);

  ts_order_forward (call, x.dim[ts_axis_of (call->node)], call->node->params.v[1].i != 0, 1);
}

static const TsOpExample examples[] = {
    {.in = {"rows 4 3"}, .params = "axis=1", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axis=0, descending=true", .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
    {.in = {"labels 5 4"}},
};

const TsOpClass ts_op_sort = {
    .name = "sort",
    .formula = "values[j], indices[j] = the j-th smallest x[i] and its i",
    .category = "array",
    .doc = "The elements of each line in order, and where they stood; equals keep their order, a "
           "NaN is the largest.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = sort_infer,
    .partition = ts_axis_partition,
    .forward = sort_forward,
    .backward = ts_order_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
