/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gint64
channels (const TsValue *v)
{
  return v->shape.dim[v->shape.rank - 1];
}

static gboolean
bias_add_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *b = &node->in[1]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank < 1 || b->rank != 1 || x->dim[x->rank - 1] != b->dim[0]) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tb = ts_shape_dup_row_text (b);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "bias_add: the bias %s must have one number for each entry of the last axis of %s",
                 tb, tx);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static TsPartition
bias_add_partition (const TsNode *node)
{
  const TsValue *y = node->out[0];

  if (y->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return (TsPartition){.kind = TS_PART_BLOCKS,
                       .extent = ts_shape_elems (&y->shape) / channels (y),
                       .unit_elems = channels (y),
                       .cut_in = 1,
                       .cut_out = 1};
}

static void
bias_add_forward (TsCall *call)
{
  const TsValue *y = call->node->out[0];
  gsize n = (gsize) channels (y), bytes = n * ts_dtype_size (call->dtype);
  gint64 lines = call->end - call->begin;

  if (y->kind == TS_VALUE_ROWS)
    lines *= ts_shape_row_elems (&y->shape) / (gint64) n;
  for (gint64 i = 0; i < lines; i++)
    call->k->add[call->dtype]((const char *) call->in[0] + i * bytes, call->in[1],
                              (char *) call->out[0] + i * bytes, n);
}

static void
bias_add_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                   TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = grad_out[0];
  if (want[1])
    grad_in[1] = e->emit (e, "bias_grad", &grad_out[0], 1, NULL)->out[0];
}

static gboolean
bias_grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (channels (node->in[0]));
  return TRUE;
}

/* Images and sequences have many lines a row: they are added while they are hot, slot by slot. */
static TsPartition
bias_grad_partition (const TsNode *node)
{
  const TsValue *dy = node->in[0];

  if (dy->kind == TS_VALUE_ROWS && dy->shape.rank > 2)
    return (TsPartition){.kind = TS_PART_SLOTS,
                         .partial_bytes = (gsize) channels (dy) * ts_dtype_size (dy->dtype)};
  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = channels (node->in[0]), .unit_elems = 1, .cut_out = 1};
}

static void
bias_grad_forward (TsCall *call)
{
  const TsValue *dy = call->node->in[0];
  gsize n = (gsize) channels (dy), size = ts_dtype_size (call->dtype);

  if (call->partial) {
    gsize lines = (gsize) ((call->end - call->begin) * ts_shape_row_elems (&dy->shape)) / n;
    call->k->column_sum[call->dtype](call->in[0], n, lines, n, call->partial, call->accumulate);
    return;
  }
  gint64 elems = dy->kind == TS_VALUE_ROWS ? call->batch * ts_shape_row_elems (&dy->shape)
                                           : ts_shape_elems (&dy->shape);

  call->k->column_sum[call->dtype]((const char *) call->in[0] + (gsize) call->begin * size, n,
                                   (gsize) elems / n, (gsize) (call->end - call->begin),
                                   call->out[0], FALSE);
}

static const TsOpClass bias_grad = {
    .name = "bias_grad",
    .formula = "dbias[n] = sum over lines of dy[·, n]",
    .category = "linear",
    .doc = "Sum over all axes but the last, in order.",
    .in_names = "dy",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = bias_grad_infer,
    .partition = bias_grad_partition,
    .forward = bias_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7", "f 7"}, .low = -1, .high = 1},
    {.in = {"f 3 4 5", "f 5"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_bias_add = {
    .name = "bias_add",
    .formula = "y[…, n] = x[…, n] + bias[n]",
    .category = "linear",
    .doc = "Adds one number per entry of the last axis.",
    .in_names = "x, bias",
    .min_in = 2,
    .max_in = 2,
    .inplace = 0,
    .infer = bias_add_infer,
    .partition = bias_add_partition,
    .forward = bias_add_forward,
    .backward = bias_add_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&bias_grad, NULL},
};
