/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

/* x[…, K]·kernel[K, N] (+ bias[N]).  The bias is where each sum starts, so nothing is left to fuse.
 * dkernel sums over the batch inside one chain per element, cut by rows of the kernel. */

static gboolean
dense_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *w = &node->in[1]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  gboolean fits = x->rank >= 1 && w->rank == 2 && x->dim[x->rank - 1] == w->dim[0];
  if (fits && node->n_in == 3)
    fits = node->in[2]->shape.rank == 1 && node->in[2]->shape.dim[0] == w->dim[1];
  if (!fits) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tw = ts_shape_dup_row_text (w);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the input is %s and the kernel %s; the last axis of the input must be the "
                 "kernel's first",
                 node->op->name, tx, tw);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.dim[x->rank - 1] = w->dim[1];
  return TRUE;
}

static TsPartition
dense_partition (const TsNode *node)
{
  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  const TsShape *y = &node->out[0]->shape;
  gint64 n = y->dim[y->rank - 1];
  return (TsPartition){.kind = TS_PART_BLOCKS,
                       .extent = ts_shape_elems (y) / n,
                       .unit_elems = n,
                       .cut_in = 1,
                       .cut_out = 1};
}

static void
dense_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0], *w = call->node->in[1];
  gint64 lines = call->end - call->begin;

  if (x->kind == TS_VALUE_ROWS)
    lines *= ts_shape_row_elems (&x->shape) / w->shape.dim[0];
  call->k->gemm[call->dtype](&(TsGemm){.m = lines,
                                       .n = w->shape.dim[1],
                                       .k = w->shape.dim[0],
                                       .segments = 1,
                                       .a = call->in[0],
                                       .a_row = w->shape.dim[0],
                                       .a_col = 1,
                                       .b = call->in[1],
                                       .b_row = w->shape.dim[1],
                                       .bias = call->node->n_in == 3 ? call->in[2] : NULL,
                                       .c = call->out[0],
                                       .c_row = w->shape.dim[1]});
}

static void
dense_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  TsValue *dy = grad_out[0];

  if (want[0]) {
    TsValue *in[] = {dy, node->in[1]};
    grad_in[0] = e->emit (e, "dense_transposed", in, 2, NULL)->out[0];
  }
  if (want[1]) {
    TsValue *in[] = {node->in[0], dy};
    grad_in[1] = e->emit (e, "dense_grad_kernel", in, 2, NULL)->out[0];
  }
  if (node->n_in == 3 && want[2])
    grad_in[2] = e->emit (e, "bias_grad", &dy, 1, NULL)->out[0];
}

static double
dense_flops (const TsNode *node, gint64 batch)
{
  const TsShape *w = &node->in[1]->shape, *x = &node->in[0]->shape;
  double lines = x->dim[0] == TS_ANY ? (double) batch * ts_shape_row_elems (x) / w->dim[0]
                                     : (double) ts_shape_elems (x) / w->dim[0];

  return 2.0 * lines * w->dim[0] * w->dim[1];
}

static gboolean
kernel_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *dy = &node->in[1]->shape;

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[x->rank - 1], dy->dim[dy->rank - 1]);
  return TRUE;
}

static TsPartition
kernel_partition (const TsNode *node)
{
  const TsShape *w = &node->out[0]->shape;

  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = w->dim[0], .unit_elems = w->dim[1], .cut_out = 1};
}

static gint64
lines_of (const TsCall *call, const TsValue *x)
{
  gint64 last = x->shape.dim[x->shape.rank - 1];

  return x->kind == TS_VALUE_ROWS ? call->batch * ts_shape_row_elems (&x->shape) / last
                                  : ts_shape_elems (&x->shape) / last;
}

static void
kernel_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsShape *w = &node->out[0]->shape;
  gsize size = ts_dtype_size (call->dtype);

  for (guint i = 0; i < node->n_in; i += 2)
    call->k->gemm[call->dtype](&(TsGemm){
        .m = call->end - call->begin,
        .n = w->dim[1],
        .k = lines_of (call, node->in[i]),
        .segments = 1,
        .a = (const char *) call->in[i] + (gsize) call->begin * size,
        .a_row = 1,
        .a_col = w->dim[0],
        .b = call->in[i + 1],
        .b_row = w->dim[1],
        .c = call->out[0],
        .c_row = w->dim[1],
        .accumulate = i > 0,
    });
}

static double
kernel_flops (const TsNode *node, gint64 batch)
{
  const TsShape *w = &node->out[0]->shape;
  double lines = 0;

  for (guint i = 0; i < node->n_in; i += 2) {
    const TsShape *x = &node->in[i]->shape;
    lines += x->dim[0] == TS_ANY ? (double) batch * ts_shape_row_elems (x) / w->dim[0]
                                 : (double) ts_shape_elems (x) / w->dim[0];
  }
  return 2.0 * lines * w->dim[0] * w->dim[1];
}

static const TsOpClass dense_grad_kernel = {
    .name = "dense_grad_kernel",
    .formula = "dkernel[k, n] = sum over lines of x[·, k]·dy[·, n]",
    .category = "linear",
    .doc = "Gradient of dense with respect to its kernel; a second pair is added to the first.",
    .in_names = "x, dy, x?, dy?",
    .min_in = 2,
    .max_in = 4,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = kernel_infer,
    .partition = kernel_partition,
    .forward = kernel_forward,
    .flops = kernel_flops,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7", "f 7 5", "f 5"}, .low = -1, .high = 1},
    {.in = {"rows 3 4", "f 4 18"}, .low = -1, .high = 1},
    {.in = {"f 6 9", "f 9 2", "f 2"}, .low = -1, .high = 1},
    {.in = {"f 3 5 4", "f 4 3"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_dense = {
    .name = "dense",
    .formula = "y = x·kernel + bias",
    .category = "linear",
    .doc = "Matrix product over the last axis; the bias may be left out.",
    .in_names = "x, kernel, bias?",
    .min_in = 2,
    .max_in = 3,
    .flags = TS_OP_MANY,
    .inplace = -1,
    .infer = dense_infer,
    .partition = dense_partition,
    .forward = dense_forward,
    .backward = dense_backward,
    .flops = dense_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&dense_grad_kernel, NULL},
};
