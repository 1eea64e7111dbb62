/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

static gboolean
invert_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0];

  if (!ts_infer_indices (node, 0, error))
    return FALSE;
  if (x->shape.rank != 1 || x->kind == TS_VALUE_ROWS) {
    g_autofree char *text = ts_shape_dup_text (&x->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "invert_permutation needs a vector without batch axis, but '%s' is %s",
                 x->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  return TRUE;
}

static void
invert_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gint64 n = x->shape.dim[0];

  ts_fill (x->dtype, call->out[0], n, -1);
  for (gint64 i = 0; i < n; i++) {
    gint64 index = ts_index_get (x->dtype, call->in[0], i);
    if (index < 0 || index >= n || ts_index_get (x->dtype, call->out[0], index) >= 0)
      ts_call_fault (call, i, index, n);
    else
      ts_dtype_set (x->dtype, call->out[0], index, (double) i);
  }
}

static char *
invert_fault (const TsNode *node, const TsFault *f)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " at position %" G_GINT64_FORMAT
                          " is outside of 0 to %" G_GINT64_FORMAT " or was there before",
                          f->value, f->position, f->limit - 1);
}

static const TsOpExample examples[] = {
    {.in = {"int 1 1"}},
};

const TsOpClass ts_op_invert_permutation = {
    .name = "invert_permutation",
    .formula = "y[x[i]] = i",
    .category = "array",
    .doc = "Where each number of a permutation stands; what is no permutation is an error.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = invert_infer,
    .partition = ts_partition_whole,
    .forward = invert_forward,
    .fault_text = invert_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
