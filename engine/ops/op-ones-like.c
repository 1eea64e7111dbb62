/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static gboolean
ones_like_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
ones_like_forward (TsCall *call)
{
  TsShape y = ts_call_shape (call, call->node->out[0]);

  ts_fill (call->node->out[0]->dtype, call->out[0], ts_shape_elems (&y), 1);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .low = -1, .high = 1},
    {.in = {"f 3 4"}, .low = -1, .high = 1},
    {.in = {"labels 10"}},
};

const TsOpClass ts_op_ones_like = {
    .name = "ones_like",
    .formula = "y = 1 everywhere",
    .category = "array",
    .doc = "Ones in shape and type of x, which is not read.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_UNREAD,
    .inplace = -1,
    .infer = ones_like_infer,
    .partition = ts_partition_rows,
    .forward = ones_like_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
