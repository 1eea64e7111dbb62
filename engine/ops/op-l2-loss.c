/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

/* Half the sum of squares, as in TensorFlow.  A weight goes by blocks, beside whatever else runs on
 * them; a value with batch by slots. */

static gboolean
l2_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SCALAR;
  return TRUE;
}

static TsPartition
l2_partition (const TsNode *node)
{
  TsPartition p = {.kind = TS_PART_BLOCKS, .cut_in = 1, .partial_bytes = sizeof (double)};

  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = sizeof (double)};
  ts_value_units (node->in[0], &p.extent, &p.unit_elems);
  return p;
}

static void
l2_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  double *sum = call->partial;
  gint64 extent, unit = ts_shape_row_elems (&x->shape);
  gsize size = ts_dtype_size (call->dtype);

  if (x->kind != TS_VALUE_ROWS) {
    ts_value_units (x, &extent, &unit);
    *sum =
        call->k->sum_squares[call->dtype](call->in[0], (gsize) ((call->end - call->begin) * unit));
    return;
  }
  if (!call->accumulate)
    *sum = 0;
  for (gint64 r = 0; r < call->end - call->begin; r++)
    *sum += call->k->sum_squares[call->dtype](
        (const char *) call->in[0] + (gsize) (r * unit) * size, (gsize) unit);
}

static void
l2_combine (TsCall *call)
{
  double total;

  call->k->tree_sum[TS_F64](call->partial, 1, (gsize) call->n_partials, &total, 1);
  call->k->fill[call->dtype](total / 2, call->out[0], 1);
}

static void
l2_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
             TsValue **grad_in)
{
  TsValue *in[] = {node->in[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "l2_loss_grad", in, 2, NULL)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static TsPartition
grad_partition (const TsNode *node)
{
  TsPartition p = ts_partition_elementwise (node);

  p.cut_in &= 1u; /* dy is one number, also beside an x of one element */
  return p;
}

static void
grad_forward (TsCall *call)
{
  double dy;

  call->k->convert[TS_F64](call->dtype, call->in[1], &dy, 1, 1);
  call->k->scale[call->dtype](call->in[0], dy, call->out[0], ts_call_elems (call));
}

static const TsOpClass l2_loss_grad = {
    .name = "l2_loss_grad",
    .formula = "dx = dy·x",
    .category = "loss",
    .doc = "Gradient of l2_loss.",
    .in_names = "x, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = grad_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_l2_loss = {
    .name = "l2_loss",
    .formula = "y = sum of x² / 2",
    .category = "loss",
    .doc = "Half the sum of all squares: a penalty on large weights.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .less_is_better = TRUE,
    .infer = l2_infer,
    .partition = l2_partition,
    .forward = l2_forward,
    .combine = l2_combine,
    .backward = l2_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&l2_loss_grad, NULL},
};
