/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

/* The mean of losses that carry their weights already: ignored lines have loss and weight 0. */

static gboolean
ratio_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_pair_infer (node, out, TS_PAIR_ELEMENTS, error))
    return FALSE;
  ts_infer_like (node, out, 1, node->in[0]);
  out[0].shape = out[1].shape = TS_SCALAR;
  return TRUE;
}

static TsPartition
ratio_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = 2 * sizeof (double)};
  return ts_partition_whole (node);
}

static void
put (TsCall *call, double sum, double weight)
{
  call->k->fill[call->dtype](sum / weight, call->out[0], 1);
  call->k->fill[call->dtype](weight, call->out[1], 1);
}

static void
ratio_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize size = ts_dtype_size (call->dtype);

  if (!call->partial) {
    gsize n = (gsize) ts_shape_elems (&x->shape);
    put (call, call->k->sum[call->dtype](call->in[0], n),
         call->k->sum[call->dtype](call->in[1], n));
    return;
  }
  double *sums = call->partial;
  gsize n = (gsize) ts_shape_row_elems (&x->shape);
  for (guint i = 0; i < 2; i++) {
    if (!call->accumulate)
      sums[i] = 0;
    for (gint64 r = 0; r < call->end - call->begin; r++)
      sums[i] += call->k->sum[call->dtype]((const char *) call->in[i] + (gsize) r * n * size, n);
  }
}

static void
ratio_combine (TsCall *call)
{
  double total[2];

  call->k->tree_sum[TS_F64](call->partial, 2, (gsize) call->n_partials, total, 2);
  put (call, total[0], total[1]);
}

static void
ratio_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  TsValue *in[] = {node->in[0], grad_out[0], node->out[1]};

  if (want[0] && grad_out[0])
    grad_in[0] = e->emit (e, "sum_ratio_grad", in, 3, NULL)->out[0];
}

static void
grad_forward (TsCall *call)
{
  double dy, weight;

  call->k->convert[TS_F64](call->dtype, call->in[1], &dy, 1, 1);
  call->k->convert[TS_F64](call->dtype, call->in[2], &weight, 1, 1);
  const TsValue *x = call->node->in[0];
  gint64 rows = x->kind == TS_VALUE_ROWS ? call->end - call->begin : 1;
  gint64 elems =
      x->kind == TS_VALUE_ROWS ? ts_shape_row_elems (&x->shape) : ts_shape_elems (&x->shape);
  call->k->fill[call->dtype](dy / weight, call->out[0], (gsize) (rows * elems));
}

static const TsOpClass sum_ratio_grad = {
    .name = "sum_ratio_grad",
    .formula = "dx = dy / (sum of weights)",
    .category = "reduction",
    .doc = "Gradient of sum_ratio with respect to x.",
    .in_names = "x, dy, weight",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_pair_grad_infer,
    .partition = ts_pair_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3", "rows 3"}, .low = 0.5, .high = 2},
    {.in = {"f 4 5", "f 4 5"}, .low = 0.5, .high = 2},
};

const TsOpClass ts_op_sum_ratio = {
    .name = "sum_ratio",
    .formula = "y = (sum of x) / (sum of weights)",
    .category = "reduction",
    .doc = "The mean of losses that were weighted already, over the batch and all axes; the second "
           "output is the sum of weights, to which no gradient flows.",
    .in_names = "x, weights",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .infer = ratio_infer,
    .partition = ratio_partition,
    .forward = ratio_forward,
    .combine = ratio_combine,
    .backward = ratio_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&sum_ratio_grad, NULL},
};
