/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    {"start", TS_PARAM_FLOAT, .required = TRUE, .doc = "first number"},
    {"stop", TS_PARAM_FLOAT, .required = TRUE, .doc = "last number"},
    {"num", TS_PARAM_INT, .required = TRUE, .min = 1, .max = G_MAXINT32, .doc = "how many"},
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = "f32|f64", .doc = "element type"},
    {NULL},
};

static gboolean
linspace_infer (TsNode *node, TsValue *out, GError **error)
{
  node->n_out = 1;
  out[0].shape = TS_SHAPE (node->params.v[2].i);
  return ts_dtype_parse (node->params.v[3].s, &out[0].dtype);
}

static void
linspace_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  const TsValue *y = call->node->out[0];
  gint64 n = p->v[2].i;
  double step = n > 1 ? (p->v[1].f - p->v[0].f) / (double) (n - 1) : 0;

  for (gint64 i = 0; i < n; i++)
    ts_dtype_set (y->dtype, call->out[0], i,
                  i > 0 && i == n - 1 ? p->v[1].f : p->v[0].f + (double) i * step);
}

static const TsOpExample examples[] = {
    {.params = "start=-1, stop=1, num=5"},
};

const TsOpClass ts_op_linspace = {
    .name = "linspace",
    .formula = "y[i] = start + i·(stop - start) / (num - 1)",
    .category = "array",
    .doc = "Numbers from start to stop, both included, at equal distances.",
    .in_names = "",
    .min_in = 0,
    .max_in = 0,
    .params = params,
    .inplace = -1,
    .infer = linspace_infer,
    .partition = ts_partition_whole,
    .forward = linspace_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
