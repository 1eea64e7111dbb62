/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static gboolean
not_infer (TsNode *node, TsValue *out, GError **error)
{
  if (node->in[0]->dtype != TS_BOOL) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "logical_not needs booleans, but '%s' is %s", node->in[0]->node->name,
                 ts_dtype_name (node->in[0]->dtype));
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static const TsOpExample examples[] = {
    {.in = {"flags 5"}},
    {.in = {"bool 3 5"}},
};

const TsOpClass ts_op_logical_not = {
    .name = "logical_not",
    .formula = "y = not x",
    .category = "element-wise",
    .doc = "TRUE where x is FALSE.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_logical_not,
    .infer = not_infer,
    .forward = ts_unary_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
