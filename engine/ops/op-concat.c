/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1,
     .doc = "where they are joined, the batch is 0, -1 the last"},
    {NULL},
};

static guint
axis_of (const TsNode *node)
{
  return ts_axis (node->params.v[0].i, node->in[0]->shape.rank);
}

static gboolean
concat_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 length = 0;

  if (!ts_infer_one_type (node, error) ||
      !ts_check_axis (node, "axis", node->params.v[0].i, x, x->rank, error))
    return FALSE;
  guint axis = axis_of (node);
  if (x->dim[axis] == TS_ANY)
    return ts_refuse_batch (node, "axis", error);
  for (guint i = 0; i < node->n_in; i++) {
    TsShape s = node->in[i]->shape;
    if (s.rank == x->rank) {
      if (s.dim[axis] == TS_ANY)
        return ts_refuse_batch (node, "axis", error);
      length += s.dim[axis];
      s.dim[axis] = x->dim[axis];
    }
    if (ts_shape_equal (&s, x))
      continue;
    g_autofree char *a = ts_shape_dup_text (x), *b = ts_shape_dup_text (&node->in[i]->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "concat on axis %u: %s and %s ('%s') differ on another axis", axis, a, b,
                 node->in[i]->node->name);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.dim[axis] = length;
  return TRUE;
}

static void
concat_forward (TsCall *call)
{
  ts_call_join (call, axis_of (call->node), FALSE);
}

/* The part of dy that came from each input. */
static void
concat_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  guint axis = axis_of (node), rank = node->out[0]->shape.rank;
  gint64 begin[TS_SHAPE_MAX] = {0}, size[TS_SHAPE_MAX];
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("slice")->params);
  for (guint i = 0; i < rank; i++)
    size[i] = -1;
  for (guint i = 0; i < node->n_in; i++) {
    size[axis] = node->in[i]->shape.dim[axis];
    ts_params_set_list (&p, "begin", begin, rank, NULL);
    ts_params_set_list (&p, "size", size, rank, NULL);
    if (want[i])
      grad_in[i] = e->emit (e, "slice", grad_out, 1, &p)->out[0];
    begin[axis] += size[axis];
  }
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2", "rows 3 4", "rows 3 1"}, .low = -1, .high = 1},
    {.in = {"rows 3 2", "rows 1 2"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"f 2 3", "f 4 3"}, .params = "axis=0", .low = -1, .high = 1},
    {.in = {"int 2 3 9", "int 2 1 9"}, .params = "axis=1"},
};

const TsOpClass ts_op_concat = {
    .name = "concat",
    .formula = "y[…, offset[k] + i, …] = x[k][…, i, …]",
    .category = "array",
    .doc = "Tensors one after the other on an axis.",
    .in_names = "values…",
    .min_in = 1,
    .max_in = TS_CALL_INPUTS_MAX,
    .params = params,
    .inplace = -1,
    .infer = concat_infer,
    .partition = ts_partition_rows,
    .forward = concat_forward,
    .backward = concat_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
