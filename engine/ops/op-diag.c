/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

#include <string.h>

static gboolean
diag_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 n = x->rank ? x->dim[x->rank - 1] : TS_ANY;

  if (n == TS_ANY || x->rank == TS_SHAPE_MAX) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "diag needs vectors on the last axis, but '%s' is %s", node->in[0]->node->name,
                 text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.dim[out[0].shape.rank++] = n;
  return ts_check_size (node, &out[0].shape, error);
}

static void
diag_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  TsShape s = ts_call_shape (call, x);
  gint64 n = s.dim[s.rank - 1], all = ts_shape_elems (&s);
  gsize size = ts_dtype_size (x->dtype);

  memset (call->out[0], 0, (gsize) (all * n) * size);
  for (gint64 i = 0; i < all; i++)
    memcpy ((char *) call->out[0] + (gsize) (i * n + i % n) * size,
            (const char *) call->in[0] + (gsize) i * size, size);
}

static void
diag_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "diag_part", grad_out, 1, NULL)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 3"}, .low = -1, .high = 1},
    {.in = {"f 4"}, .low = -1, .high = 1},
    {.in = {"f 2 3"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_diag = {
    .name = "diag",
    .formula = "y[…, i, j] = i = j ? x[…, i] : 0",
    .category = "array",
    .doc = "Matrices with the vectors of the last axis on their diagonals.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = diag_infer,
    .partition = ts_partition_rows,
    .forward = diag_forward,
    .backward = diag_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
