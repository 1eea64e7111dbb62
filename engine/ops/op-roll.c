/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"shift", TS_PARAM_INT, .required = TRUE,
     .doc = "places towards higher positions, may be negative"},
    {"axis", TS_PARAM_INT, .required = TRUE, .doc = "the batch is 0, -1 the last"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  TsAxis *a = &l->axis[ts_axis (node->params.v[1].i, x->rank)];
  if (a->in <= 0)
    return; /* a batch that is not known yet, or nothing */
  a->rule = TS_AXIS_WRAP;
  a->begin = (a->in - node->params.v[0].i % a->in) % a->in;
}

static gboolean
roll_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  ts_infer_like (node, out, 0, node->in[0]);
  return ts_check_axis (node, "axis", node->params.v[1].i, x, x->rank, error);
}

static TsPartition
roll_partition (const TsNode *node)
{
  if (ts_axis (node->params.v[1].i, node->in[0]->shape.rank) == 0)
    return ts_partition_whole (node);
  return ts_partition_rows (node);
}

static void
roll_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

static void
roll_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsParams back = node->params;

  ts_params_set_number (&back, "shift", -(double) node->params.v[0].i, NULL);
  if (want[0])
    grad_in[0] = e->emit (e, "roll", grad_out, 1, &back)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .params = "shift=2, axis=1", .low = -1, .high = 1},
    {.in = {"rows 3"}, .params = "shift=-5, axis=0", .low = -1, .high = 1},
    {.in = {"f 3 4"}, .params = "shift=-1, axis=1", .low = -1, .high = 1},
};

const TsOpClass ts_op_roll = {
    .name = "roll",
    .formula = "y[(i + shift) mod n, …] = x[i, …]",
    .category = "array",
    .doc = "The elements moved along an axis; what leaves at the end comes in at the front.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = roll_infer,
    .partition = roll_partition,
    .forward = roll_forward,
    .backward = roll_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
