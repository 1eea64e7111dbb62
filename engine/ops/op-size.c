/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static gboolean
size_infer (TsNode *node, TsValue *out, GError **error)
{
  node->n_out = 1;
  out[0].dtype = TS_I64;
  out[0].shape = TS_SCALAR;
  return TRUE;
}

static void
size_forward (TsCall *call)
{
  TsShape s = ts_call_shape (call, call->node->in[0]);

  *(gint64 *) call->out[0] = ts_shape_elems (&s);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .low = -1, .high = 1},
    {.in = {"f 4 5"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_size = {
    .name = "size",
    .formula = "y = number of elements of x",
    .category = "array",
    .doc = "How many elements there are, with the batch.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_UNREAD,
    .inplace = -1,
    .infer = size_infer,
    .partition = ts_partition_whole,
    .forward = size_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
