/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

/* Of a matrix without batch.  Cut by rows of the input, so that it runs on the block of a kernel
 * that the optimizer has just written, while that is in cache. */

static gboolean
transpose_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (x->rank != 2 || x->dim[0] == TS_ANY) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "transpose needs a matrix without batch axis, but '%s' is %s",
                 node->in[0]->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[1], x->dim[0]);
  return ts_infer_floats (node, error);
}

static TsPartition
transpose_partition (const TsNode *node)
{
  const TsShape *x = &node->in[0]->shape;

  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = x->dim[0], .unit_elems = x->dim[1], .cut_in = 1};
}

static void
transpose_forward (TsCall *call)
{
  const TsShape *x = &call->node->in[0]->shape;
  gsize size = ts_dtype_size (call->dtype);

  call->k->transpose[call->dtype](
      call->in[0], (gsize) x->dim[1], (gsize) (call->end - call->begin), (gsize) x->dim[1],
      (char *) call->out[0] + (gsize) call->begin * size, (gsize) x->dim[0]);
}

static void
transpose_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "transpose", &grad_out[0], 1, NULL)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"f 5 19"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_transpose = {
    .name = "transpose",
    .formula = "y[j, i] = x[i, j]",
    .category = "array",
    .doc = "Swaps the axes of a matrix.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = transpose_infer,
    .partition = transpose_partition,
    .forward = transpose_forward,
    .backward = transpose_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
