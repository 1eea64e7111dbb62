/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

static const TsParamSpec params[] = {
    {"shape", TS_PARAM_SHAPE, .required = TRUE, .doc = "of y, all axes known"},
    {NULL},
};

static TsShape
shape_of (const TsNode *node)
{
  TsShape s = {.rank = MIN (node->params.v[0].n_list, TS_SHAPE_MAX)};

  for (guint i = 0; i < s.rank; i++)
    s.dim[i] = node->params.v[0].list[i];
  return s;
}

static gboolean
scatter_nd_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *i = &node->in[0]->shape, *u = &node->in[1]->shape;
  TsShape y = shape_of (node), want = {.rank = 0};
  gint64 k = i->rank ? i->dim[i->rank - 1] : 0;
  gboolean fits = node->params.v[0].n_list <= TS_SHAPE_MAX && k >= 1 && k <= y.rank;

  for (guint d = 0; d < y.rank; d++)
    fits &= y.dim[d] >= 1;
  for (guint d = 0; d + 1 < i->rank; d++)
    want.dim[want.rank++] = i->dim[d];
  for (guint d = (guint) MAX (k, 0); fits && d < y.rank && want.rank < TS_SHAPE_MAX; d++)
    want.dim[want.rank++] = y.dim[d];
  if (!ts_infer_indices (node, 0, error))
    return FALSE;
  if (!ts_dtype_is_number (node->in[1]->dtype)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "scatter_nd needs floats, i32 or i64 as updates, but '%s' is %s",
                 node->in[1]->node->name, ts_dtype_name (node->in[1]->dtype));
    return FALSE;
  }
  if (!fits || !ts_shape_equal (&want, u)) {
    g_autofree char *ti = ts_shape_dup_text (i), *tu = ts_shape_dup_text (u);
    g_autofree char *ty = ts_params_dup_value (&node->params, 0);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "scatter_nd: indices %s and updates %s do not fit the shape %s", ti, tu, ty);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[1]);
  out[0].shape = y;
  return ts_check_size (node, &y, error);
}

static void
scatter_nd_forward (TsCall *call)
{
  TsShape y = shape_of (call->node);

  ts_add_tuples (call, call->node->in[0], call->in[0], call->in[1], &y, call->out[0], TRUE);
}

static void
scatter_nd_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                     TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[1])
    grad_in[1] = e->emit (e, "gather_nd", in, 2, NULL)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"labels 1 5", "rows 2"}, .params = "shape=[5, 2]", .low = -1, .high = 1},
    {.in = {"int 4 2 3", "f 4 2"}, .params = "shape=[3, 4, 2]", .low = -1, .high = 1},
    {.in = {"int 6 1 3", "f 6"}, .params = "shape=[3]", .low = -1, .high = 1},
    {.in = {"labels 1 5", "labels 2 9"}, .params = "shape=[5, 2]"},
    {.in = {"int 4 2 3", "int 4 2 9"}, .params = "shape=[3, 4, 2]"},
};

const TsOpClass ts_op_scatter_nd = {
    .name = "scatter_nd",
    .formula = "y[indices[i, 0], …] = sum of updates[i]",
    .category = "array",
    .doc = "Updates added up where tuples of numbers say, in their order; elsewhere 0.  Sums of "
           "integers wrap around.",
    .in_names = "indices, updates",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .inplace = -1,
    .infer = scatter_nd_infer,
    .partition = ts_partition_whole,
    .forward = scatter_nd_forward,
    .backward = scatter_nd_backward,
    .fault_text = ts_index_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
