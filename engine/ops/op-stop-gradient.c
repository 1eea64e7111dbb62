/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
stop_gradient_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static const TsOpExample examples[] = {
    {.in = {"rows 6 4"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_stop_gradient = {
    .name = "stop_gradient",
    .formula = "y = x",
    .category = "array",
    .doc =
        "Passes the value and no gradient: what lies behind it is a constant to the backward pass.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_VIEW,
    .inplace = 0,
    .infer = stop_gradient_infer,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
