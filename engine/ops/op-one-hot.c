/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"
#include "engine/ops/source.h"

static const TsParamSpec params[] = {
    {"depth", TS_PARAM_INT, .required = TRUE, .min = 1, .max = G_MAXINT32, .doc = "classes"},
    {"on", TS_PARAM_FLOAT, .number = 1, .doc = "at the place of the class"},
    {"off", TS_PARAM_FLOAT, .doc = "everywhere else"},
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = TS_DTYPE_WORDS, .doc = "element type of y"},
    {NULL},
};

static gboolean
one_hot_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0];

  if (!ts_infer_indices (node, 0, error))
    return FALSE;
  if (x->shape.rank == TS_SHAPE_MAX) {
    g_autofree char *text = ts_shape_dup_text (&x->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "one_hot: %s has %d axes, the most there can be", text, TS_SHAPE_MAX);
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  out[0].shape.dim[out[0].shape.rank++] = node->params.v[0].i;
  return ts_check_size (node, &out[0].shape, error) &&
         ts_dtype_parse (node->params.v[3].s, &out[0].dtype);
}

static void
one_hot_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  const TsParams *p = &call->node->params;
  TsDtype dtype = call->node->out[0]->dtype;
  TsShape s = ts_call_shape (call, x);
  gint64 n = ts_shape_elems (&s), depth = p->v[0].i;

  ts_fill (dtype, call->out[0], n * depth, p->v[2].f);
  for (gint64 i = 0; i < n; i++) {
    gint64 index = ts_index_get (x->dtype, call->in[0], i);
    if (index >= 0 && index < depth)
      ts_dtype_set (dtype, call->out[0], i * depth + index, p->v[1].f);
  }
}

static const TsOpExample examples[] = {
    {.in = {"labels 5"}, .params = "depth=4"},
    {.in = {"int 2 3 5"}, .params = "depth=5, on=2, off=-1, dtype=i32"},
};

const TsOpClass ts_op_one_hot = {
    .name = "one_hot",
    .formula = "y[…, j] = indices[…] = j ? on : off",
    .category = "array",
    .doc = "Numbers as lines that are on in one place; a number out of range is off everywhere.",
    .in_names = "indices",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = one_hot_infer,
    .partition = ts_partition_rows,
    .forward = one_hot_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
