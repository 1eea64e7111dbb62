/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

/* Of a matrix without batch and without perm: cut by rows of the input, so that it runs on the block of
 * a kernel that the optimizer has just written, while that is in cache.  With perm any axes are moved. */

static const TsParamSpec params[] = {
    {"perm", TS_PARAM_SHAPE,
     .doc =
         "axis i of y is axis perm[i] of x; with a batch all axes, 0 first, or those of one row; "
         "empty: swaps the axes of a matrix"},
    {NULL},
};

/* Axis perm[i] of @x, for values with batch given for all axes or for a row's. */
static gint64
source_axis (const TsNode *node, const TsShape *x, guint i)
{
  guint skipped = x->rank - node->params.v[0].n_list;

  return i < skipped ? i : node->params.v[0].list[i - skipped] + skipped;
}

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  TsLayout plain;

  ts_layout_init (&plain, x);
  l->rank = x->rank;
  for (guint i = 0; i < x->rank; i++)
    l->axis[i] = plain.axis[source_axis (node, x, i)];
}

static gboolean
permute_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gboolean rows = node->in[0]->kind == TS_VALUE_ROWS;
  guint n = node->params.v[0].n_list, seen = 0;

  gboolean counts = n == x->rank || (rows && n + 1 == x->rank);

  if (counts)
    for (guint i = 0; i < x->rank; i++) {
      gint64 axis = source_axis (node, x, i);
      seen |= axis >= 0 && axis < TS_SHAPE_MAX ? 1u << axis : 0;
    }
  if (!counts || seen != (1u << x->rank) - 1) {
    g_autofree char *text = ts_shape_dup_text (x), *perm = ts_params_dup_value (&node->params, 0);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "transpose: perm %s does not name each axis of %s once", perm, text);
    return FALSE;
  }
  if (rows && source_axis (node, x, 0) != 0)
    return ts_refuse_batch (node, "perm", error);
  return ts_layout_infer (node, out, layout, error);
}

static gboolean
transpose_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (node->params.v[0].n_list)
    return permute_infer (node, out, error);
  if (x->rank != 2 || x->dim[0] == TS_ANY) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "transpose without perm needs a matrix without batch axis, but '%s' is %s",
                 node->in[0]->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[1], x->dim[0]);
  return ts_infer_floats (node, error);
}

static TsPartition
transpose_partition (const TsNode *node)
{
  const TsShape *x = &node->in[0]->shape;

  if (node->params.v[0].n_list)
    return ts_partition_rows (node);
  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = x->dim[0], .unit_elems = x->dim[1], .cut_in = 1};
}

static void
transpose_forward (TsCall *call)
{
  const TsShape *x = &call->node->in[0]->shape;
  gsize size = ts_dtype_size (call->dtype);

  if (call->node->params.v[0].n_list) {
    ts_layout_forward (call, layout, NULL);
    return;
  }
  call->k->transpose[call->dtype](
      call->in[0], (gsize) x->dim[1], (gsize) (call->end - call->begin), (gsize) x->dim[1],
      (char *) call->out[0] + (gsize) call->begin * size, (gsize) x->dim[0]);
}

static void
transpose_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 inverse[TS_SHAPE_MAX];
  TsParams back = node->params;

  if (!want[0])
    return;
  if (back.v[0].n_list) {
    for (guint i = 0; i < x->rank; i++)
      inverse[source_axis (node, x, i)] = i;
    ts_params_set_list (&back, "perm", inverse, x->rank, NULL);
  }
  grad_in[0] = e->emit (e, "transpose", &grad_out[0], 1, &back)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"f 5 19"}, .low = -1, .high = 1},
    {.in = {"f 2 3 4"}, .params = "perm=[2, 0, 1]", .low = -1, .high = 1},
    {.in = {"rows 2 3 4"}, .params = "perm=[0, 2, 3, 1]", .low = -1, .high = 1},
    {.in = {"rows 2 3 4"}, .params = "perm=[1, 0, 2]", .low = -1, .high = 1},
};

const TsOpClass ts_op_transpose = {
    .name = "transpose",
    .formula = "y[j, i] = x[i, j]",
    .category = "array",
    .doc = "Swaps the axes of a matrix, or puts any axes into another order.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = transpose_infer,
    .partition = transpose_partition,
    .forward = transpose_forward,
    .backward = transpose_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
