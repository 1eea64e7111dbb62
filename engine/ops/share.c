/* SPDX-License-Identifier: MIT */
#include "engine/ops/share.h"

void
ts_share_infer (TsNode *node, TsValue *out)
{
  node->n_out = 1;
  out[0].dtype = TS_F64; /* a share of whole rows: not to be rounded */
  out[0].shape = TS_SCALAR;
}

TsPartition
ts_share_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = sizeof (double)};
  return ts_partition_whole (node);
}

gint64
ts_share_lines (const TsCall *call, gint64 line)
{
  const TsValue *x = call->node->in[0];

  if (x->kind == TS_VALUE_ROWS)
    return (call->end - call->begin) * ts_shape_row_elems (&x->shape) / line;
  return ts_shape_elems (&x->shape) / line;
}

void
ts_share_forward (TsCall *call, double hits, gint64 line)
{
  double *sum = call->partial;

  if (sum)
    *sum = (call->accumulate ? *sum : 0) + hits;
  else
    *(double *) call->out[0] = hits / (double) ts_share_lines (call, line);
}

void
ts_share_combine (TsCall *call, gint64 line)
{
  double total;
  gint64 lines = call->batch * ts_shape_row_elems (&call->node->in[0]->shape) / line;

  call->k->tree_sum[TS_F64](call->partial, 1, (gsize) call->n_partials, &total, 1);
  *(double *) call->out[0] = total / (double) lines;
}

gint64
ts_first_largest (TsDtype dtype, const void *x, gsize n)
{
  gint64 best = 0;

  for (gsize i = 0; i < n; i++) {
    double v = ts_element_at (dtype, x, i), b = ts_element_at (dtype, x, (gsize) best);
    if (v != v)
      return (gint64) i;
    if (v > b)
      best = (gint64) i;
  }
  return best;
}
