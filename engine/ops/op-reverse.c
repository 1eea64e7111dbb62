/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"axes", TS_PARAM_SHAPE, .required = TRUE,
     .doc = "axes to turn round, the batch is 0, -1 the last"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  for (guint i = 0; i < node->params.v[0].n_list; i++) {
    TsAxis *a = &l->axis[ts_axis (node->params.v[0].list[i], x->rank)];
    a->begin = a->in - 1;
    a->step = -1;
  }
}

static gboolean
reverse_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  for (guint i = 0; i < node->params.v[0].n_list; i++)
    if (!ts_check_axis (node, "axes", node->params.v[0].list[i], x, x->rank, error))
      return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static TsPartition
reverse_partition (const TsNode *node)
{
  for (guint i = 0; i < node->params.v[0].n_list; i++)
    if (ts_axis (node->params.v[0].list[i], node->in[0]->shape.rank) == 0)
      return ts_partition_whole (node);
  return ts_partition_rows (node);
}

static void
reverse_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

static void
reverse_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "reverse", grad_out, 1, &node->params)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .params = "axes=[1, -1]", .low = -1, .high = 1},
    {.in = {"rows 3"}, .params = "axes=[0]", .low = -1, .high = 1},
    {.in = {"f 3 4"}, .params = "axes=[0, 1]", .low = -1, .high = 1},
    {.in = {"labels 10"}, .params = "axes=[0]"},
};

const TsOpClass ts_op_reverse = {
    .name = "reverse",
    .formula = "y[i, …] = x[n - 1 - i, …]",
    .category = "array",
    .doc = "The elements in the opposite order on some axes.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = reverse_infer,
    .partition = reverse_partition,
    .forward = reverse_forward,
    .backward = reverse_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
