/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"begin", TS_PARAM_SHAPE, .required = TRUE, .doc = "first element on each axis; the batch: 0"},
    {"size", TS_PARAM_SHAPE, .required = TRUE,
     .doc = "how many on each axis; -1: all that are left, as the batch needs it"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  for (guint i = 0; i < x->rank; i++) {
    gint64 begin = node->params.v[0].list[i], size = node->params.v[1].list[i];
    l->axis[i].begin = begin;
    l->axis[i].out = size < 0 ? x->dim[i] - begin : size;
  }
}

static gboolean
slice_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  g_autofree char *text = ts_shape_dup_text (x);

  if (node->params.v[0].n_list != x->rank || node->params.v[1].n_list != x->rank) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "slice: begin has %u and size %u numbers, but %s has %u axes",
                 node->params.v[0].n_list, node->params.v[1].n_list, text, x->rank);
    return FALSE;
  }
  for (guint i = 0; i < x->rank; i++) {
    gint64 begin = node->params.v[0].list[i], size = node->params.v[1].list[i], dim = x->dim[i];
    if (dim == TS_ANY && (begin != 0 || size != -1))
      return ts_refuse_batch (node, begin ? "begin" : "size", error);
    if (dim == TS_ANY ||
        (begin >= 0 && begin < dim && size >= -1 && size != 0 && size <= dim - begin))
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "slice: %" G_GINT64_FORMAT " elements from %" G_GINT64_FORMAT
                 " on are not inside axis %u of %s",
                 size, begin, i, text);
    return FALSE;
  }
  return ts_layout_infer (node, out, layout, error);
}

static void
slice_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

TS_LAYOUT_GRAD (slice, "dx = dy where y was read, 0 elsewhere");

static const TsOpExample examples[] = {
    {.in = {"rows 4 3"}, .params = "begin=[0, 1, 0], size=[-1, 2, -1]", .low = -1, .high = 1},
    {.in = {"f 5 6"}, .params = "begin=[1, 2], size=[3, -1]", .low = -1, .high = 1},
    {.in = {"labels 10"}, .params = "begin=[0], size=[-1]"},
};

const TsOpClass ts_op_slice = {
    .name = "slice",
    .formula = "y[i, …] = x[begin + i, …]",
    .category = "array",
    .doc = "A box of the elements.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = slice_infer,
    .partition = ts_partition_rows,
    .forward = slice_forward,
    .backward = slice_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&slice_grad, NULL},
};
