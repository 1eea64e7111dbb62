/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

/* As in Python: x[begin:end:stride] on each axis, numbers below 0 count from the end, and what is
 * beyond the ends is held inside. */

static const TsParamSpec params[] = {
    {"begin", TS_PARAM_SHAPE, .required = TRUE,
     .doc = "first element on each axis; later axes are taken whole"},
    {"end", TS_PARAM_SHAPE, .required = TRUE,
     .doc = "the first that is not taken any more; begin and end 0 on the batch axis: all"},
    {"strides", TS_PARAM_SHAPE, .doc = "from one to the next, may be negative; empty: 1"},
    {"new_axis", TS_PARAM_SHAPE, .doc = "axes of the output that are new, with size 1"},
    {"shrink", TS_PARAM_SHAPE,
     .doc = "axes of x on which only element begin is taken, and no axis stays"},
    {NULL},
};

static gboolean
listed (const TsNode *node, guint param, guint axis)
{
  for (guint i = 0; i < node->params.v[param].n_list; i++)
    if (node->params.v[param].list[i] == axis)
      return TRUE;
  return FALSE;
}

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  ts_layout_init (l, x);
  for (guint i = 0; i < node->params.v[0].n_list; i++) {
    gint64 begin = node->params.v[0].list[i], end = node->params.v[1].list[i], dim = x->dim[i];
    gint64 step = i < node->params.v[2].n_list ? node->params.v[2].list[i] : 1, n;
    if (node->in[node->n_in - 1]->shape.dim[i] == TS_ANY)
      continue;
    begin += begin < 0 ? dim : 0;
    if (listed (node, 4, i)) {
      l->axis[i].begin = begin;
      l->axis[i].out = 1;
      continue;
    }
    end += end < 0 ? dim : 0;
    begin = CLAMP (begin, step < 0 ? -1 : 0, step < 0 ? dim - 1 : dim);
    end = CLAMP (end, step < 0 ? -1 : 0, step < 0 ? dim - 1 : dim);
    n = step < 0 ? (begin - end - step - 1) / -step : (end - begin + step - 1) / step;
    l->axis[i].begin = begin;
    l->axis[i].step = step;
    l->axis[i].out = MAX (n, 0);
  }
}

static gboolean
check_axis (const TsNode *node, const TsLayout *l, guint i, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 begin = node->params.v[0].list[i], end = node->params.v[1].list[i];
  gint64 step = i < node->params.v[2].n_list ? node->params.v[2].list[i] : 1;
  const TsAxis *a = &l->axis[i];
  g_autofree char *text = ts_shape_dup_text (x);

  if (x->dim[i] == TS_ANY)
    return (begin == 0 && end == 0 && step == 1 && !listed (node, 4, i)) ||
           ts_refuse_batch (node, "begin, end or strides", error);
  if (a->out > 0 && (!listed (node, 4, i) || (a->begin >= 0 && a->begin < a->in)))
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "strided_slice: there is nothing from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
               " on axis %u of %s",
               begin, end, i, text);
  return FALSE;
}

/* Takes the axes of `shrink` out and puts those of `new_axis` in. */
static gboolean
edit_axes (const TsNode *node, TsShape *y, GError **error)
{
  TsShape kept = {.rank = 0}, all = {.rank = 0};
  guint next = 0, total;

  for (guint i = 0; i < y->rank; i++)
    if (!listed (node, 4, i))
      kept.dim[kept.rank++] = y->dim[i];
  total = kept.rank + node->params.v[3].n_list;
  for (guint i = 0; i < total && all.rank < TS_SHAPE_MAX; i++) {
    gboolean new = listed (node, 3, i);
    if (!new &&next == kept.rank)
      break;
    all.dim[all.rank++] = new ? 1 : kept.dim[next++];
  }
  gboolean batch = y->rank > 0 && y->dim[0] == TS_ANY;
  if (all.rank != total || (batch && all.dim[0] != TS_ANY)) {
    g_autofree char *text = ts_shape_dup_text (y);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "strided_slice: new_axis does not fit %s: axes must be 0 to %u, different, at "
                 "most %d in all, "
                 "and behind the batch",
                 text, total - 1, TS_SHAPE_MAX);
    return FALSE;
  }
  *y = all;
  return TRUE;
}

static gboolean
strided_slice_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  guint n = node->params.v[0].n_list, n_strides = node->params.v[2].n_list;
  g_autofree char *text = ts_shape_dup_text (x);
  TsLayout l;

  if (n > x->rank || node->params.v[1].n_list != n || (n_strides && n_strides != n)) {
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
        "strided_slice: begin, end and strides have %u, %u and %u numbers, but %s has %u axes", n,
        node->params.v[1].n_list, n_strides, text, x->rank);
    return FALSE;
  }
  for (guint i = 0; i < n_strides; i++)
    if (node->params.v[2].list[i] == 0) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                   "strided_slice: the stride of axis %u is 0", i);
      return FALSE;
    }
  for (guint i = 0; i < node->params.v[4].n_list; i++)
    if (node->params.v[4].list[i] < 0 || node->params.v[4].list[i] >= n) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                   "strided_slice: shrink has %" G_GINT64_FORMAT
                   ", but begin speaks of the first %u axes of %s",
                   node->params.v[4].list[i], n, text);
      return FALSE;
    }
  layout (node, x, &l);
  for (guint i = 0; i < n; i++)
    if (!check_axis (node, &l, i, error))
      return FALSE;
  return ts_layout_infer (node, out, layout, error) && edit_axes (node, &out[0].shape, error);
}

static void
strided_slice_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

TS_LAYOUT_GRAD (strided_slice, "dx = dy where y was read, 0 elsewhere");

static const TsOpExample examples[] = {
    {.in = {"rows 4 3"},
     .params = "begin=[0, 3, 0], end=[0, -5, 3], strides=[1, -2, 1]",
     .low = -1,
     .high = 1},
    {.in = {"rows 4 3"},
     .params = "begin=[0, 1], end=[0, 0], shrink=[1], new_axis=[1]",
     .low = -1,
     .high = 1},
    {.in = {"f 5 6"},
     .params = "begin=[-1, 1], end=[-6, 9], strides=[-2, 3]",
     .low = -1,
     .high = 1},
};

const TsOpClass ts_op_strided_slice = {
    .name = "strided_slice",
    .formula = "y[i, …] = x[begin + i·stride, …]",
    .category = "array",
    .doc = "Every so many elements, forwards or backwards, as in Python.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = strided_slice_infer,
    .partition = ts_partition_rows,
    .forward = strided_slice_forward,
    .backward = strided_slice_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&strided_slice_grad, NULL},
};
