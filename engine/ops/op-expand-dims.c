/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .required = TRUE,
     .doc = "of the output, behind the batch; -1: the last"},
    {NULL},
};

static gboolean
expand_dims_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  guint rank = x->rank + 1, axis = ts_axis (node->params.v[0].i, rank);

  if (!ts_check_axis (node, "axis", node->params.v[0].i, x, rank, error))
    return FALSE;
  if (axis == 0 && node->in[0]->kind == TS_VALUE_ROWS)
    return ts_refuse_batch (node, "axis", error);
  if (rank > TS_SHAPE_MAX) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "expand_dims: %s has %u axes, the most there can be", text, x->rank);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  TsShape *y = &out[0].shape;
  y->rank = rank;
  for (guint i = rank; i-- > 0;)
    y->dim[i] = i == axis ? 1 : x->dim[i - (i > axis)];
  return TRUE;
}

static void
expand_dims_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                      TsValue **grad_in)
{
  ts_emit_layout_grad (e, node, "reshape_grad", grad_out[0], want, grad_in);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"rows 3"}, .params = "axis=-1", .low = -1, .high = 1},
    {.in = {"f 3 4"}, .params = "axis=0", .low = -1, .high = 1},
};

const TsOpClass ts_op_expand_dims = {
    .name = "expand_dims",
    .formula = "y[…, 0, …] = x[…]",
    .category = "array",
    .doc = "One more axis, of size 1; costs nothing.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_VIEW,
    .inplace = 0,
    .infer = expand_dims_infer,
    .backward = expand_dims_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
