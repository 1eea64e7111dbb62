/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .required = TRUE, .doc = "the batch is 0, -1 the last"},
    {"times", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20,
     .doc = "copies of each element"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  TsAxis *a = &l->axis[ts_axis (node->params.v[0].i, x->rank)];
  a->rule = TS_AXIS_REPEAT;
  a->step = node->params.v[1].i;
  a->out = a->in * a->step;
}

static gboolean
repeat_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 axis = node->params.v[0].i;

  if (!ts_check_axis (node, "axis", axis, x, x->rank, error))
    return FALSE;
  if (x->dim[ts_axis (axis, x->rank)] == TS_ANY)
    return ts_refuse_batch (node, "times", error);
  return ts_layout_infer (node, out, layout, error);
}

static void
repeat_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

TS_LAYOUT_GRAD (repeat, "dx = the sum of dy over the copies");

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .params = "axis=1, times=2", .low = -1, .high = 1},
    {.in = {"rows 3"}, .params = "axis=-1, times=3", .low = -1, .high = 1},
    {.in = {"f 3 4"}, .params = "axis=0, times=2", .low = -1, .high = 1},
};

const TsOpClass ts_op_repeat = {
    .name = "repeat",
    .formula = "y[i, …] = x[floor (i / times), …]",
    .category = "array",
    .doc = "Each element several times, one after the other.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = repeat_infer,
    .partition = ts_partition_rows,
    .forward = repeat_forward,
    .backward = repeat_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&repeat_grad, NULL},
};
