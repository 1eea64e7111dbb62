/* SPDX-License-Identifier: MIT */
#include "engine/ops/broadcast.h"

#include <string.h>

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

/* Elements of one sum. */
static gint64
target_elems (const TsNode *node)
{
  const TsValue *y = node->out[0];

  return y->kind == TS_VALUE_ROWS ? ts_shape_row_elems (&y->shape) : ts_shape_elems (&y->shape);
}

static TsPartition
sum_to_partition (const TsNode *node)
{
  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  if (node->in[0]->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  return (TsPartition){.kind = TS_PART_SLOTS,
                       .partial_bytes = (gsize) target_elems (node) * sizeof (double)};
}

static gsize
sum_to_workspace (const TsNode *node)
{
  return (gsize) target_elems (node) * sizeof (double);
}

/* sum (+)= what one row of g comes to */
static void
add_row (const TsCall *call, const TsBroadcast *w, const char *g, double *sum)
{
  gsize size = ts_dtype_size (call->dtype);
  gint64 inner = w->dim[w->rank - 1], total = 1;
  gboolean along = w->step[0][w->rank - 1] != 0;

  for (guint i = 0; i < w->rank; i++)
    total *= w->dim[i];
  for (gint64 at = 0; at < total; at += inner) {
    double *to = sum + ts_broadcast_offset (w, 0, at);
    if (along)
      call->k->accumulate[call->dtype](g + at * size, to, (gsize) inner);
    else
      *to = call->k->fold[TS_FOLD_SUM][call->dtype](g + at * size, (gsize) inner, *to, 0);
  }
}

static void
sum_to_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsValue *g = node->in[0], *y = node->out[0];
  gboolean rows = g->kind == TS_VALUE_ROWS, own = y->kind == TS_VALUE_ROWS || !rows;
  TsShape all = rows ? ts_broadcast_row (&g->shape, g->shape.rank) : g->shape;
  TsShape target = rows ? ts_broadcast_row (&y->shape, g->shape.rank) : y->shape;
  const TsShape *in[] = {&target};
  gint64 n = target_elems (node), n_g = ts_shape_elems (&all);
  gsize size = ts_dtype_size (call->dtype);
  double *sum = own ? call->workspace : call->partial;
  TsBroadcast w;

  ts_broadcast_init (&w, &all, in, 1);
  for (gint64 r = 0; r < (rows ? call->end - call->begin : 1); r++) {
    if (own || (r == 0 && !call->accumulate))
      memset (sum, 0, (gsize) n * sizeof (double));
    add_row (call, &w, (const char *) call->in[0] + r * n_g * size, sum);
    if (own)
      call->k->convert[call->dtype](TS_F64, sum, (char *) call->out[0] + r * n * size, (gsize) n,
                                    1);
  }
}

static void
sum_to_combine (TsCall *call)
{
  gsize n = (gsize) target_elems (call->node), size = ts_dtype_size (call->dtype);
  double total;

  for (gsize j = 0; j < n; j++) {
    call->k->tree_sum[TS_F64]((const double *) call->partial + j, n, (gsize) call->n_partials,
                              &total, 1);
    call->k->fill[call->dtype](total, (char *) call->out[0] + j * size, 1);
  }
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
    .partition = sum_to_partition,
    .workspace = sum_to_workspace,
    .forward = sum_to_forward,
    .combine = sum_to_combine,
};
