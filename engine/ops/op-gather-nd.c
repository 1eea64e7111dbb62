/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

#include <string.h>

static gboolean
gather_nd_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *i = &node->in[1]->shape;
  gint64 k = i->rank ? i->dim[i->rank - 1] : 0;

  if (!ts_infer_indices (node, 1, error))
    return FALSE;
  if (k < 1 || k > x->rank || i->rank - 1 + x->rank - k > TS_SHAPE_MAX) {
    g_autofree char *tx = ts_shape_dup_text (x), *ti = ts_shape_dup_text (i);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "gather_nd: indices %s into %s: the last axis must hold 1 to %u indices", ti, tx,
                 x->rank);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  TsShape *y = &out[0].shape;
  y->rank = 0;
  for (guint d = 0; d + 1 < i->rank; d++)
    y->dim[y->rank++] = i->dim[d];
  for (guint d = (guint) k; d < x->rank; d++)
    y->dim[y->rank++] = x->dim[d];
  return TRUE;
}

/* The first index counts the batch, if there is one. */
static TsPartition
gather_nd_partition (const TsNode *node)
{
  return node->in[0]->kind == TS_VALUE_ROWS ? ts_partition_whole (node) : ts_partition_rows (node);
}

static void
gather_nd_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0], *indices = call->node->in[1];
  TsShape xs = ts_call_shape (call, x), is = ts_call_shape (call, indices);
  guint k = (guint) is.dim[is.rank - 1];
  gint64 n = ts_shape_product (&is, 0, is.rank - 1), size = (gint64) ts_dtype_size (x->dtype);
  gsize bytes = (gsize) (ts_shape_product (&xs, k, xs.rank) * size);

  for (gint64 i = 0; i < n; i++) {
    gint64 offset = ts_tuple_offset (call, indices, call->in[1], i, &xs, TRUE);
    char *y = (char *) call->out[0] + (gsize) i * bytes;
    if (offset >= 0)
      memcpy (y, (const char *) call->in[0] + offset * size, bytes);
    else
      memset (y, 0, bytes);
  }
}

static void
gather_nd_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[1], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "gather_nd_grad", in, 3, NULL)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[2]);
  return TRUE;
}

static void
grad_forward (TsCall *call)
{
  TsShape x = ts_call_shape (call, call->node->in[2]);

  ts_add_tuples (call, call->node->in[1], call->in[1], call->in[0], &x, call->out[0], FALSE);
}

static const TsOpClass gather_nd_grad = {
    .name = "gather_nd_grad",
    .formula = "dx[j…] = sum of dy[i] where indices[i] = j…, in order",
    .category = "array",
    .doc = "Gradient of gather_nd.",
    .in_names = "dy, indices, x",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_partition_whole,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3", "int 4 2 3"}, .low = -1, .high = 1},
    {.in = {"f 3 4 2", "int 5 2 3"}, .low = -1, .high = 1},
    {.in = {"f 5 3", "labels 1 5"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_gather_nd = {
    .name = "gather_nd",
    .formula = "y[i, …] = x[indices[i, 0], indices[i, 1], …, …]",
    .category = "array",
    .doc = "Elements or parts of x by tuples of numbers; one that does not exist is an error.",
    .in_names = "x, indices",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .infer = gather_nd_infer,
    .partition = gather_nd_partition,
    .forward = gather_nd_forward,
    .backward = gather_nd_backward,
    .fault_text = ts_index_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&gather_nd_grad, NULL},
};
