/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

/* x[…, N]·kernel[K, N]ᵀ (+ bias[K]): the way back through a dense layer, for its gradient and for the nets
 * that share one kernel between both directions.  The product turns the kernel panel by panel. */

static gboolean
transposed_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *w = &node->in[1]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  gboolean fits = x->rank >= 1 && w->rank == 2 && x->dim[x->rank - 1] == w->dim[1];
  if (fits && node->n_in == 3)
    fits = node->in[2]->shape.rank == 1 && node->in[2]->shape.dim[0] == w->dim[0];
  if (!fits) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tw = ts_shape_dup_text (w);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the input is %s and the kernel %s; the last axis of both must be the same",
                 node->op->name, tx, tw);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.dim[x->rank - 1] = w->dim[0];
  return TRUE;
}

static gint64
lines_in (const TsShape *x, gint64 batch)
{
  gint64 last = x->dim[x->rank - 1];

  return x->dim[0] == TS_ANY ? batch * (ts_shape_row_elems (x) / last) : ts_shape_elems (x) / last;
}

static TsPartition
transposed_partition (const TsNode *node)
{
  const TsShape *y = &node->out[0]->shape;

  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return (TsPartition){.kind = TS_PART_BLOCKS,
                       .extent = lines_in (y, 1),
                       .unit_elems = y->dim[y->rank - 1],
                       .cut_in = 1,
                       .cut_out = 1};
}

static void
transposed_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  const TsShape *w = &call->node->in[1]->shape;
  gint64 count = call->end - call->begin;

  call->k->gemm[call->dtype](&(TsGemm){
      .m = x->kind == TS_VALUE_ROWS ? lines_in (&x->shape, count) : count,
      .n = w->dim[0],
      .k = w->dim[1],
      .segments = 1,
      .a = call->in[0],
      .a_row = w->dim[1],
      .a_col = 1,
      .b = call->in[1],
      .b_row = w->dim[1],
      .b_turned = TRUE,
      .bias = call->node->n_in == 3 ? call->in[2] : NULL,
      .c = call->out[0],
      .c_row = w->dim[0],
  });
}

static void
transposed_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                     TsValue **grad_in)
{
  TsValue *dy = grad_out[0];

  if (want[0])
    grad_in[0] = e->emit (e, "dense", (TsValue *[]){dy, node->in[1]}, 2, NULL)->out[0];
  if (want[1])
    grad_in[1] = e->emit (e, "dense_grad_kernel", (TsValue *[]){dy, node->in[0]}, 2, NULL)->out[0];
  if (node->n_in == 3 && want[2])
    grad_in[2] = e->emit (e, "bias_grad", &dy, 1, NULL)->out[0];
}

static double
transposed_flops (const TsNode *node, gint64 batch)
{
  return 2.0 * (double) lines_in (&node->in[0]->shape, batch) *
         (double) ts_shape_elems (&node->in[1]->shape);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "f 5 7", "f 5"}, .low = -1, .high = 1},
    {.in = {"rows 3 20", "f 34 20"}, .low = -1, .high = 1},
    {.in = {"f 6 9", "f 2 9", "f 2"}, .low = -1, .high = 1},
    {.in = {"f 3 5 4", "f 3 4"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_dense_transposed = {
    .name = "dense_transposed",
    .formula = "y = x·transpose (kernel) + bias",
    .category = "linear",
    .doc = "Matrix product over the last axis with the transpose of a kernel: the way back through "
           "dense.",
    .in_names = "x, kernel, bias?",
    .min_in = 2,
    .max_in = 3,
    .flags = TS_OP_MANY,
    .inplace = -1,
    .infer = transposed_infer,
    .partition = transposed_partition,
    .forward = transposed_forward,
    .backward = transposed_backward,
    .flops = transposed_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
