/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"
#include "engine/ops/source.h"

static const TsParamSpec params[] = {
    {"shape", TS_PARAM_SHAPE, .doc = "all axes known; empty: a scalar"},
    {"value", TS_PARAM_FLOAT, .doc = "of every element"},
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = TS_DTYPE_WORDS, .doc = "element type"},
    {NULL},
};

static gboolean
fill_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_source (node, out, error) && ts_check_size (node, &out[0].shape, error);
}

static void
fill_forward (TsCall *call)
{
  const TsValue *y = call->node->out[0];

  ts_fill (y->dtype, call->out[0], ts_shape_elems (&y->shape), call->node->params.v[1].f);
}

static const TsOpExample examples[] = {
    {.params = "shape=[2, 3], value=4"},
    {.params = "shape=[2, 3], value=7, dtype=i64"},
};

const TsOpClass ts_op_fill = {
    .name = "fill",
    .formula = "y = value",
    .category = "array",
    .doc = "One number everywhere.",
    .in_names = "",
    .min_in = 0,
    .max_in = 0,
    .params = params,
    .inplace = -1,
    .infer = fill_infer,
    .partition = ts_partition_whole,
    .forward = fill_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
