/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"reps", TS_PARAM_SHAPE, .required = TRUE, .doc = "how often on each axis; the batch: 1"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  for (guint i = 0; i < x->rank; i++)
    if (node->params.v[0].list[i] != 1) {
      l->axis[i].rule = TS_AXIS_WRAP;
      l->axis[i].out = x->dim[i] * node->params.v[0].list[i];
    }
}

static gboolean
tile_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  guint n = node->params.v[0].n_list;
  gboolean fits = n == x->rank;

  for (guint i = 0; i < n; i++)
    fits &= node->params.v[0].list[i] > 0 && node->params.v[0].list[i] <= 1 << 20;
  if (!fits) {
    g_autofree char *text = ts_shape_dup_text (x), *reps = ts_params_dup_value (&node->params, 0);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "tile: reps is %s, but %s needs %u numbers from 1 to 1048576", reps, text,
                 x->rank);
    return FALSE;
  }
  if (n && x->dim[0] == TS_ANY && node->params.v[0].list[0] != 1)
    return ts_refuse_batch (node, "reps", error);
  return ts_layout_infer (node, out, layout, error);
}

static void
tile_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

TS_LAYOUT_GRAD (tile, "dx = the sum of dy over the copies");

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .params = "reps=[1, 2, 3]", .low = -1, .high = 1},
    {.in = {"f 3 4"}, .params = "reps=[2, 1]", .low = -1, .high = 1},
    {.in = {"f 3 2"}, .params = "reps=[1, 3]", .low = -1, .high = 1},
};

const TsOpClass ts_op_tile = {
    .name = "tile",
    .formula = "y[i, …] = x[i mod n, …]",
    .category = "array",
    .doc = "Copies of all of x beside each other.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = tile_infer,
    .partition = ts_partition_rows,
    .forward = tile_forward,
    .backward = tile_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&tile_grad, NULL},
};
