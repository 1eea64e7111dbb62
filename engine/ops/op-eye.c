/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"
#include "engine/ops/source.h"

static const TsParamSpec params[] = {
    {"rows", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20, .doc = "rows"},
    {"columns", TS_PARAM_INT, .min = 0, .max = 1 << 20, .doc = "columns; 0: as many"},
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = TS_DTYPE_WORDS, .doc = "element type"},
    {NULL},
};

static gboolean
eye_infer (TsNode *node, TsValue *out, GError **error)
{
  gint64 rows = node->params.v[0].i, columns = node->params.v[1].i;

  node->n_out = 1;
  out[0].shape = TS_SHAPE (rows, columns ? columns : rows);
  return ts_dtype_parse (node->params.v[2].s, &out[0].dtype);
}

static void
eye_forward (TsCall *call)
{
  const TsValue *y = call->node->out[0];
  gint64 rows = y->shape.dim[0], columns = y->shape.dim[1];

  ts_fill (y->dtype, call->out[0], rows * columns, 0);
  for (gint64 i = 0; i < MIN (rows, columns); i++)
    ts_dtype_set (y->dtype, call->out[0], i * columns + i, 1);
}

static const TsOpExample examples[] = {
    {.params = "rows=3, columns=4"},
    {.params = "rows=2, dtype=i32"},
};

const TsOpClass ts_op_eye = {
    .name = "eye",
    .formula = "y[i, j] = i = j ? 1 : 0",
    .category = "array",
    .doc = "The unit matrix.",
    .in_names = "",
    .min_in = 0,
    .max_in = 0,
    .params = params,
    .inplace = -1,
    .infer = eye_infer,
    .partition = ts_partition_whole,
    .forward = eye_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
