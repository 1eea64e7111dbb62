/* SPDX-License-Identifier: MIT */
#include "engine/ops/order.h"

static const TsParamSpec params[] = {
    {"k", TS_PARAM_INT, .required = TRUE, .min = 1, .max = G_MAXINT32, .doc = "how many"},
    {"axis", TS_PARAM_INT, .number = -1, .doc = "behind the batch; -1: the last"},
    {NULL},
};

static gboolean
topk_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 k = node->params.v[0].i;

  if (!ts_infer_axis (node, error))
    return FALSE;
  gint64 n = x->dim[ts_axis_of (node)];
  if (n == TS_ANY)
    return ts_refuse_batch (node, "axis", error);
  if (k > n) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "topk: there are no %" G_GINT64_FORMAT " elements on axis %u of %s", k,
                 ts_axis_of (node), text);
    return FALSE;
  }
  ts_order_infer (node, out, k, TRUE);
  return TRUE;
}

static void
topk_forward (TsCall *call)
{
  ts_order_forward (call, call->node->params.v[0].i, TRUE, 1);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4"}, .params = "k=2", .low = -2, .high = 2},
    {.in = {"rows 4 3"}, .params = "k=3, axis=1", .low = -2, .high = 2},
    {.in = {"f 5 6"}, .params = "k=4", .low = -2, .high = 2},
    {.in = {"labels 5 4"}, .params = "k=2"},
};

const TsOpClass ts_op_topk = {
    .name = "topk",
    .formula = "values[j], indices[j] = the j-th largest x[i] and its i",
    .category = "array",
    .doc = "The k largest elements of each line, the largest first, and where they stand; a NaN is "
           "the largest, of equals the lower index comes first.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = topk_infer,
    .partition = ts_axis_partition,
    .forward = topk_forward,
    .backward = ts_order_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
