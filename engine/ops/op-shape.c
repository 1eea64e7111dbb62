/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

#include <string.h>

static gboolean
shape_infer (TsNode *node, TsValue *out, GError **error)
{
  node->n_out = 1;
  out[0].dtype = TS_I64;
  out[0].shape = TS_SHAPE (node->in[0]->shape.rank);
  return TRUE;
}

static void
shape_forward (TsCall *call)
{
  TsShape s = ts_call_shape (call, call->node->in[0]);

  memcpy (call->out[0], s.dim, s.rank * sizeof (gint64));
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .low = -1, .high = 1},
    {.in = {"f 4 5"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_shape = {
    .name = "shape",
    .formula = "y[i] = size of axis i of x",
    .category = "array",
    .doc = "The sizes of the axes, with the batch.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_UNREAD,
    .inplace = -1,
    .infer = shape_infer,
    .partition = ts_partition_whole,
    .forward = shape_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
