/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

#include <string.h>

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1, .doc = "the batch is 0, -1 the last"},
    {NULL},
};

static gboolean
scatter_add_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0], *u = node->in[2];

  if (!ts_infer_indices (node, 1, error) || !ts_infer_axis (node, error) ||
      !ts_infer_along (node, 0, 1, FALSE, error) || !ts_infer_along (node, 1, 2, TRUE, error))
    return FALSE;
  if (!ts_dtype_is_number (x->dtype) || u->dtype != x->dtype) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "scatter_add needs x and updates of one type, floats, i32 or i64, not %s and %s",
                 ts_dtype_name (x->dtype), ts_dtype_name (u->dtype));
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  return TRUE;
}

static void
scatter_add_forward (TsCall *call)
{
  TsShape x = ts_call_shape (call, call->node->in[0]);
  gsize size = ts_dtype_size (call->node->in[0]->dtype);

  if (call->out[0] != call->in[0])
    memcpy (call->out[0], call->in[0], (gsize) ts_shape_elems (&x) * size);
  ts_add_along (call, call->node->in[1], call->in[1], call->in[2], x.dim[ts_axis_of (call->node)],
                call->out[0], TRUE);
}

static void
scatter_add_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                      TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[1]};

  if (want[0])
    grad_in[0] = grad_out[0];
  if (want[2])
    grad_in[2] = e->emit (e, "take_along_axis", in, 2, &node->params)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 4 2", "labels 3 2 4", "rows 3 2"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"rows 3", "labels 3 37", "rows 3"}, .params = "axis=0", .low = -1, .high = 1},
    {.in = {"f 2 5", "int 2 7 5", "f 2 7"}, .low = -1, .high = 1},
    {.in = {"labels 4 2 9", "labels 3 2 4", "labels 3 2 9"}, .params = "axis=1"},
    {.in = {"int 2 5 9", "int 2 7 5", "int 2 7 9"}},
};

const TsOpClass ts_op_scatter_add = {
    .name = "scatter_add",
    .formula = "y = x; y[…, indices[…, i, …], …] += updates[…, i, …]",
    .category = "array",
    .doc = "Updates added to x where their numbers say, in their order; one that does not exist is "
           "an error.  Sums of integers wrap around.",
    .in_names = "x, indices, updates",
    .min_in = 3,
    .max_in = 3,
    .params = params,
    .inplace = 0,
    .infer = scatter_add_infer,
    .partition = ts_axis_partition,
    .forward = scatter_add_forward,
    .backward = scatter_add_backward,
    .fault_text = ts_index_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
