/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
softmax_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank < 1 || x->dim[x->rank - 1] < 1) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "softmax needs a last axis of at least one entry, but '%s' is %s",
                 node->in[0]->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static TsPartition
softmax_partition (const TsNode *node)
{
  const TsShape *y = &node->out[0]->shape;

  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  gint64 n = y->dim[y->rank - 1];
  return (TsPartition){.kind = TS_PART_BLOCKS,
                       .extent = ts_shape_elems (y) / n,
                       .unit_elems = n,
                       .cut_in = (1u << node->n_in) - 1,
                       .cut_out = 1};
}

static gint64
lines_of (const TsCall *call, gsize *n)
{
  const TsValue *y = call->node->out[0];
  gint64 lines = call->end - call->begin;

  *n = (gsize) y->shape.dim[y->shape.rank - 1];
  return y->kind == TS_VALUE_ROWS ? lines * ts_shape_row_elems (&y->shape) / (gint64) *n : lines;
}

static void
softmax_forward (TsCall *call)
{
  gsize n;
  gint64 lines = lines_of (call, &n);
  gsize bytes = n * ts_dtype_size (call->dtype);

  for (gint64 i = 0; i < lines; i++)
    call->k->softmax[call->dtype]((const char *) call->in[0] + i * bytes,
                                  (char *) call->out[0] + i * bytes, n);
}

static void
softmax_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *in[] = {node->out[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "softmax_grad", in, 2, NULL)->out[0];
}

static void
softmax_grad_forward (TsCall *call)
{
  gsize n;
  gint64 lines = lines_of (call, &n);
  gsize bytes = n * ts_dtype_size (call->dtype);

  for (gint64 i = 0; i < lines; i++)
    call->k->softmax_grad[call->dtype]((const char *) call->in[0] + i * bytes,
                                       (const char *) call->in[1] + i * bytes,
                                       (char *) call->out[0] + i * bytes, n);
}

static const TsOpClass softmax_grad = {
    .name = "softmax_grad",
    .formula = "dx = y·(dy - sum (y·dy))",
    .category = "activation",
    .doc = "Gradient of softmax.",
    .in_names = "y, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 1,
    .infer = softmax_infer,
    .partition = softmax_partition,
    .forward = softmax_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5"}, .low = -2, .high = 2},
    {.in = {"f 3 4 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_softmax = {
    .name = "softmax",
    .formula = "y[i] = exp (x[i]) / sum of exp (x)",
    .category = "activation",
    .doc = "Turns the last axis into probabilities; a NaN makes its whole line NaN.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_PROBABILITIES,
    .inplace = 0,
    .infer = softmax_infer,
    .partition = softmax_partition,
    .forward = softmax_forward,
    .backward = softmax_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softmax_grad, NULL},
};
