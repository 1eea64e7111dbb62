/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1,
     .doc = "the new axis of y, behind the batch; -1: the last"},
    {NULL},
};

static guint
axis_of (const TsNode *node)
{
  return ts_axis (node->params.v[0].i, node->in[0]->shape.rank + 1);
}

static gboolean
stack_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_infer_one_type (node, error) ||
      !ts_check_axis (node, "axis", node->params.v[0].i, x, x->rank + 1, error))
    return FALSE;
  for (guint i = 0; i < node->n_in; i++) {
    if (ts_shape_equal (&node->in[i]->shape, x) && x->rank < TS_SHAPE_MAX)
      continue;
    g_autofree char *a = ts_shape_dup_text (x), *b = ts_shape_dup_text (&node->in[i]->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "stack: %s and %s ('%s') must be alike and have less than %d axes", a, b,
                 node->in[i]->node->name, TS_SHAPE_MAX);
    return FALSE;
  }
  guint axis = axis_of (node);
  if (axis == 0 && node->in[0]->kind == TS_VALUE_ROWS)
    return ts_refuse_batch (node, "axis", error);
  ts_infer_like (node, out, 0, node->in[0]);
  TsShape *y = &out[0].shape;
  y->rank = x->rank + 1;
  for (guint i = y->rank; i-- > 0;)
    y->dim[i] = i == axis ? node->n_in : x->dim[i - (i > axis)];
  return TRUE;
}

static void
stack_forward (TsCall *call)
{
  ts_call_join (call, axis_of (call->node), FALSE);
}

static void
stack_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  guint axis = axis_of (node), rank = node->out[0]->shape.rank;
  gint64 begin[TS_SHAPE_MAX] = {0}, size[TS_SHAPE_MAX], drop[] = {axis};
  TsParams p, q;

  ts_params_init (&p, ts_op_lookup ("slice")->params);
  ts_params_init (&q, ts_op_lookup ("squeeze")->params);
  ts_params_set_list (&q, "axes", drop, 1, NULL);
  for (guint i = 0; i < rank; i++)
    size[i] = i == axis ? 1 : -1;
  ts_params_set_list (&p, "size", size, rank, NULL);
  for (guint i = 0; i < node->n_in; i++) {
    begin[axis] = i;
    ts_params_set_list (&p, "begin", begin, rank, NULL);
    if (want[i])
      grad_in[i] =
          e->emit (e, "squeeze", e->emit (e, "slice", grad_out, 1, &p)->out, 1, &q)->out[0];
  }
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 2", "rows 3 2"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"rows 3", "rows 3", "rows 3"}, .low = -1, .high = 1},
    {.in = {"f 2 3", "f 2 3"}, .params = "axis=0", .low = -1, .high = 1},
};

const TsOpClass ts_op_stack = {
    .name = "stack",
    .formula = "y[…, k, …] = x[k][…]",
    .category = "array",
    .doc = "Tensors of one shape side by side on a new axis.",
    .in_names = "values…",
    .min_in = 1,
    .max_in = TS_CALL_INPUTS_MAX,
    .params = params,
    .inplace = -1,
    .infer = stack_infer,
    .partition = ts_partition_rows,
    .forward = stack_forward,
    .backward = stack_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
