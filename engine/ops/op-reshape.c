/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    {"shape", TS_PARAM_SHAPE, .required = TRUE,
     .doc = "the new shape; one entry may be -1; with a batch it says the shape of one row"},
    {NULL},
};

static gboolean
reshape_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0];
  gboolean rows = x->kind == TS_VALUE_ROWS;
  gint64 have = rows ? ts_shape_row_elems (&x->shape) : ts_shape_elems (&x->shape), known = 1;
  TsShape s = {.rank = 0};
  int open = -1;

  if (rows)
    s.dim[s.rank++] = TS_ANY;
  for (guint i = 0; i < node->params.v[0].n_list && s.rank < TS_SHAPE_MAX; i++) {
    gint64 d = node->params.v[0].list[i];
    if (d == -1 && open < 0)
      open = (int) s.rank;
    else
      known = d > 0 && known > 0 && known <= G_MAXINT32 ? known * d : -1;
    s.dim[s.rank++] = d;
  }
  if (open >= 0 && known > 0 && have % known == 0) {
    s.dim[open] = have / known;
    known = have;
  }
  if (known != have) {
    g_autofree char *from = ts_shape_dup_row_text (&x->shape), *to = ts_shape_dup_row_text (&s);
    if (known < 0) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                   "cannot reshape %s (%" G_GINT64_FORMAT
                   " elements) to %s: sizes are whole numbers "
                   "of at least 1, one of them may be -1",
                   from, have, to);
      return FALSE;
    }
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "cannot reshape %s (%" G_GINT64_FORMAT " elements) to %s (%" G_GINT64_FORMAT
                 " elements)",
                 from, have, to, known);
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  out[0].shape = s;
  return TRUE;
}

static gboolean
reshape_back_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = node->in[1]->shape;
  return TRUE;
}

static void
reshape_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "reshape_grad", in, 2, NULL)->out[0];
}

static const TsOpClass reshape_grad = {
    .name = "reshape_grad",
    .formula = "dx = dy in the shape of x",
    .category = "array",
    .doc = "Gradient of reshape: no work.",
    .in_names = "dy, x",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL | TS_OP_VIEW,
    .inplace = 0,
    .infer = reshape_back_infer,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6 4"}, .params = "shape=[2, 12]", .low = -1, .high = 1},
    {.in = {"rows 6 4"}, .params = "shape=[-1]", .low = -1, .high = 1},
    {.in = {"f 6 4"}, .params = "shape=[3, -1]", .low = -1, .high = 1},
};

const TsOpClass ts_op_reshape = {
    .name = "reshape",
    .formula = "y = x with another shape",
    .category = "array",
    .doc = "The same elements in row-major order; costs nothing.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_VIEW,
    .inplace = 0,
    .infer = reshape_infer,
    .backward = reshape_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&reshape_grad, NULL},
};
