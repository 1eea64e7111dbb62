/* SPDX-License-Identifier: MIT */
#include "engine/ops/broadcast.h"
#include "engine/ops/reduce.h"

/* The gradient of broadcasting.  Sums are kept in double: row by row when every row has its own, one
 * partial per slot when the batch is summed over, too. */

static gboolean
sum_to_infer (TsNode *node, TsValue *out, GError **error)
{
  TsShape common;

  if (!ts_infer_floats (node, error) ||
      !ts_broadcast_shapes (node, &node->in[0]->shape, &node->in[1]->shape, &common, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[1]);
  return TRUE;
}

static void
sum_to_forward (TsCall *call)
{
  const TsValue *g = call->node->in[0], *y = call->node->out[0];
  gboolean rows = g->kind == TS_VALUE_ROWS;
  TsShape row = rows ? ts_broadcast_row (&g->shape, g->shape.rank) : g->shape;
  TsShape target = rows ? ts_broadcast_row (&y->shape, g->shape.rank) : y->shape;

  ts_sum_rows (call, &row, &target, rows ? call->end - call->begin : 1,
               y->kind == TS_VALUE_ROWS || !rows, 1);
}

static void
sum_to_combine (TsCall *call)
{
  ts_sum_combine (call, 1);
}

const TsOpClass ts_op_sum_to = {
    .name = "sum_to",
    .formula = "y = sum of x over the axes that broadcasting stretched",
    .category = "reduction",
    .doc = "Gradient of broadcasting: the output has the shape of the second input.",
    .in_names = "x, like",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = sum_to_infer,
    .partition = ts_sum_partition,
    .workspace = ts_sum_workspace,
    .forward = sum_to_forward,
    .combine = sum_to_combine,
};
