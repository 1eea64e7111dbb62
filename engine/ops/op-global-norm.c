/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

#include <math.h>
#include <string.h>

/* The norm of a list of tensors in two steps: each tensor's sum of squares is taken block by block,
 * beside whatever else runs on that block; a small node adds them in order. */

static gboolean
scalar_infer (TsNode *node, TsValue *out, GError **error)
{
  node->n_out = 1;
  out[0].dtype = TS_F64;
  out[0].shape = TS_SCALAR;
  return TRUE;
}

static TsPartition
squares_partition (const TsNode *node)
{
  TsPartition p = {.kind = TS_PART_BLOCKS, .cut_in = 1, .partial_bytes = sizeof (double)};

  ts_value_units (node->in[0], &p.extent, &p.unit_elems);
  return p;
}

static void
squares_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gint64 extent, unit;

  ts_value_units (x, &extent, &unit);
  *(double *) call->partial =
      call->k->sum_squares[x->dtype](call->in[0], (gsize) ((call->end - call->begin) * unit));
}

static void
squares_combine (TsCall *call)
{
  call->k->tree_sum[TS_F64](call->partial, 1, (gsize) call->n_partials, call->out[0], 1);
}

static void
norm_forward (TsCall *call)
{
  double sum = 0;

  for (guint i = 0; i < call->node->n_in; i++)
    sum += *(const double *) call->inputs[i];
  *(double *) call->out[0] = sqrt (sum);
}

static const TsOpClass sum_squares = {
    .name = "sum_squares",
    .formula = "y = sum of x²",
    .category = "reduction",
    .doc = "In double, by blocks; for tensors without batch.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = scalar_infer,
    .partition = squares_partition,
    .forward = squares_forward,
    .combine = squares_combine,
};

const TsOpClass ts_op_global_norm = {
    .name = "global_norm",
    .formula = "y = sqrt (sum of all squares)",
    .category = "reduction",
    .doc = "From the sums of squares of any number of tensors.",
    .in_names = "squares…",
    .min_in = 1,
    .max_in = G_MAXUINT,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = scalar_infer,
    .partition = ts_partition_whole,
    .forward = norm_forward,
    .parts = (const TsOpClass *const[]){&sum_squares, NULL},
};
