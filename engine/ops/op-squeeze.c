/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"axes", TS_PARAM_SHAPE, .doc = "axes to drop, of size 1; empty: all such, but the batch"},
    {NULL},
};

static gboolean
squeeze_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  guint n = node->params.v[0].n_list, drop = 0;

  for (guint i = 0; i < n; i++) {
    gint64 axis = node->params.v[0].list[i];
    if (!ts_check_axis (node, "axes", axis, x, x->rank, error))
      return FALSE;
    drop |= 1u << ts_axis (axis, x->rank);
    if (x->dim[ts_axis (axis, x->rank)] == 1)
      continue;
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "squeeze: axis %" G_GINT64_FORMAT " of %s is not of size 1", axis, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  TsShape *y = &out[0].shape;
  y->rank = 0;
  for (guint i = 0; i < x->rank; i++)
    if (n ? !(drop >> i & 1) : x->dim[i] != 1)
      y->dim[y->rank++] = x->dim[i];
  return TRUE;
}

static void
squeeze_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  ts_emit_layout_grad (e, node, "reshape_grad", grad_out[0], want, grad_in);
}

static const TsOpExample examples[] = {
    {.in = {"rows 1 3 1"}, .low = -1, .high = 1},
    {.in = {"rows 1 3 1"}, .params = "axes=[1]", .low = -1, .high = 1},
    {.in = {"f 3 1 4"}, .params = "axes=[-2]", .low = -1, .high = 1},
};

const TsOpClass ts_op_squeeze = {
    .name = "squeeze",
    .formula = "y[…] = x[…, 0, …]",
    .category = "array",
    .doc = "Without axes of size 1; costs nothing.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_VIEW,
    .inplace = 0,
    .infer = squeeze_infer,
    .backward = squeeze_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
