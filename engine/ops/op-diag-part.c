/* SPDX-License-Identifier: MIT */
#include "engine/ops/triangle.h"

#include <string.h>

static gboolean
diag_part_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.rank--;
  return ts_infer_matrices (node, TRUE, error);
}

static void
diag_part_forward (TsCall *call)
{
  TsShape y = ts_call_shape (call, call->node->out[0]);
  gint64 n = y.dim[y.rank - 1];
  gsize size = ts_dtype_size (call->node->in[0]->dtype);

  for (gint64 i = 0; i < ts_shape_elems (&y); i++)
    memcpy ((char *) call->out[0] + (gsize) i * size,
            (const char *) call->in[0] + (gsize) (i * n + i % n) * size, size);
}

static void
diag_part_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "diag", grad_out, 1, NULL)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 3"}, .low = -1, .high = 1},
    {.in = {"f 4 4"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_diag_part = {
    .name = "diag_part",
    .formula = "y[…, i] = x[…, i, i]",
    .category = "array",
    .doc = "The diagonals of square matrices.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = diag_part_infer,
    .partition = ts_partition_rows,
    .forward = diag_part_forward,
    .backward = diag_part_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
