/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"pads", TS_PARAM_SHAPE, .required = TRUE,
     .doc = "elements before and after, two numbers for each axis; the batch: 0, 0"},
    {"mode", TS_PARAM_WORD, .text = "constant", .words = "constant|reflect|symmetric",
     .doc = "what is put there: value, or x mirrored without or with its edge"},
    {"value", TS_PARAM_FLOAT, .doc = "of the elements around, for mode=constant"},
    {NULL},
};

static TsAxisRule
rule (const TsNode *node)
{
  switch (node->params.v[1].s[0]) {
  case 'c':
    return TS_AXIS_INSIDE;
  case 'r':
    return TS_AXIS_REFLECT;
  default:
    return TS_AXIS_SYMMETRIC;
  }
}

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  for (guint i = 0; i < x->rank; i++) {
    gint64 before = node->params.v[0].list[2 * i], after = node->params.v[0].list[2 * i + 1];
    if (before == 0 && after == 0)
      continue;
    l->axis[i].rule = rule (node);
    l->axis[i].begin = before;
    l->axis[i].out = before + x->dim[i] + after;
  }
}

static gboolean
pad_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  const gint64 *pads = node->params.v[0].list;
  g_autofree char *text = ts_shape_dup_text (x);

  if (node->params.v[0].n_list != 2 * x->rank) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "pad: pads has %u numbers, but %s needs two for each axis",
                 node->params.v[0].n_list, text);
    return FALSE;
  }
  for (guint i = 0; i < x->rank; i++) {
    gint64 most = MAX (pads[2 * i], pads[2 * i + 1]);
    gint64 limit =
        rule (node) == TS_AXIS_INSIDE ? G_MAXINT32 : x->dim[i] - (rule (node) == TS_AXIS_REFLECT);
    if (x->dim[i] == TS_ANY && (pads[0] || pads[1]))
      return ts_refuse_batch (node, "pads", error);
    if (MIN (pads[2 * i], pads[2 * i + 1]) >= 0 && (x->dim[i] == TS_ANY || most <= limit))
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "pad: pads of %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                 " on axis %u of %s; mode=%s allows 0 to %" G_GINT64_FORMAT,
                 pads[2 * i], pads[2 * i + 1], i, text, node->params.v[1].s, limit);
    return FALSE;
  }
  return ts_layout_infer (node, out, layout, error);
}

static void
pad_forward (TsCall *call)
{
  guint64 value;

  ts_dtype_set (call->node->in[0]->dtype, &value, 0, call->node->params.v[2].f);
  ts_layout_forward (call, layout, &value);
}

TS_LAYOUT_GRAD (pad, "dx = the sum of dy over where x was read");

static const TsOpExample examples[] = {
    {.in = {"rows 3 2"}, .params = "pads=[0, 0, 1, 2, 0, 1], value=3", .low = -1, .high = 1},
    {.in = {"rows 3 4"}, .params = "pads=[0, 0, 2, 1, 3, 0], mode=reflect", .low = -1, .high = 1},
    {.in = {"f 3 4"}, .params = "pads=[3, 1, 0, 4], mode=symmetric", .low = -1, .high = 1},
    {.in = {"f 3 3"}, .params = "pads=[1, 0, 0, 2]", .low = -1, .high = 1},
};

const TsOpClass ts_op_pad = {
    .name = "pad",
    .formula = "y[i, …] = x[i - before, …]",
    .category = "array",
    .doc = "Elements around x: a number, or x mirrored.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = pad_infer,
    .partition = ts_partition_rows,
    .forward = pad_forward,
    .backward = pad_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&pad_grad, NULL},
};
