/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

#include <math.h>

static const TsParamSpec params[] = {
    {"limit", TS_PARAM_FLOAT, .required = TRUE, .doc = "numbers stay before it"},
    {"start", TS_PARAM_FLOAT, .doc = "first number"},
    {"step", TS_PARAM_FLOAT, .number = 1, .doc = "from one to the next, not 0"},
    {"dtype", TS_PARAM_WORD, .text = "i32", .words = "f32|f64|i32|i64|u8", .doc = "element type"},
    {NULL},
};

static gboolean
range_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsParams *p = &node->params;
  double n = ceil ((p->v[0].f - p->v[1].f) / p->v[2].f);

  if (!(n >= 1 && n <= G_MAXINT32)) {
    g_autofree char *start = ts_params_dup_value (p, 1), *limit = ts_params_dup_value (p, 0);
    g_autofree char *step = ts_params_dup_value (p, 2);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "range: from %s to %s by %s there are none, or too many", start, limit, step);
    return FALSE;
  }
  node->n_out = 1;
  out[0].shape = TS_SHAPE ((gint64) n);
  return ts_dtype_parse (p->v[3].s, &out[0].dtype);
}

static void
range_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  const TsValue *y = call->node->out[0];

  for (gint64 i = 0; i < y->shape.dim[0]; i++)
    ts_dtype_set (y->dtype, call->out[0], i, p->v[1].f + (double) i * p->v[2].f);
}

static const TsOpExample examples[] = {
    {.params = "limit=5"},
    {.params = "start=3, limit=-1, step=-0.5, dtype=f64"},
};

const TsOpClass ts_op_range = {
    .name = "range",
    .formula = "y[i] = start + i·step",
    .category = "array",
    .doc = "Numbers that go up or down by equal steps.",
    .in_names = "",
    .min_in = 0,
    .max_in = 0,
    .params = params,
    .inplace = -1,
    .infer = range_infer,
    .partition = ts_partition_whole,
    .forward = range_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
