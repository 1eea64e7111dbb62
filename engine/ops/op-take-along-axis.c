/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

#include <string.h>

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1, .doc = "the batch is 0, -1 the last"},
    {NULL},
};

static gboolean
take_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_indices (node, 1, error) || !ts_infer_axis (node, error) ||
      !ts_infer_along (node, 0, 1, FALSE, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = node->in[1]->shape;
  return TRUE;
}

static void
take_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0], *indices = call->node->in[1];
  TsShape xs = ts_call_shape (call, x), is = ts_call_shape (call, indices);
  guint axis = ts_axis_of (call->node);
  TsAxisView v = ts_axis_view (&is, axis);
  gint64 n = xs.dim[axis], size = (gint64) ts_dtype_size (x->dtype);

  for (gint64 k = 0; k < v.outer * v.n * v.inner; k++) {
    gint64 index = ts_index_get (indices->dtype, call->in[1], k);
    gint64 o = k / (v.n * v.inner), i = k % v.inner;
    char *y = (char *) call->out[0] + k * size;
    if (index >= 0 && index < n) {
      memcpy (y, (const char *) call->in[0] + ((o * n + index) * v.inner + i) * size, (gsize) size);
      continue;
    }
    memset (y, 0, (gsize) size);
    ts_call_fault (call, ts_index_first (call, indices) + k, index, n);
  }
}

static void
take_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[1], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "take_along_axis_grad", in, 3, &node->params)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[2]);
  return TRUE;
}

static void
grad_forward (TsCall *call)
{
  TsShape x = ts_call_shape (call, call->node->in[2]);

  memset (call->out[0], 0, (gsize) ts_shape_elems (&x) * ts_dtype_size (call->dtype));
  ts_add_along (call, call->node->in[1], call->in[1], call->in[0], x.dim[ts_axis_of (call->node)],
                call->out[0], FALSE);
}

static const TsOpClass take_along_axis_grad = {
    .name = "take_along_axis_grad",
    .formula = "dx[…, j, …] = sum of dy[…, i, …] where indices[…, i, …] = j, in order",
    .category = "array",
    .doc = "Gradient of take_along_axis.",
    .in_names = "dy, indices, x",
    .min_in = 3,
    .max_in = 3,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_axis_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 4 2", "labels 3 2 4"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"rows 3", "labels 3 37"}, .params = "axis=0", .low = -1, .high = 1},
    {.in = {"f 2 5", "int 2 3 5"}, .low = -1, .high = 1},
    {.in = {"f 4 2", "int 3 2 4"}, .params = "axis=0", .low = -1, .high = 1},
};

const TsOpClass ts_op_take_along_axis = {
    .name = "take_along_axis",
    .formula = "y[…, i, …] = x[…, indices[…, i, …], …]",
    .category = "array",
    .doc = "For each line of an axis its own elements by their numbers; one that does not exist is "
           "an error.",
    .in_names = "x, indices",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .inplace = -1,
    .infer = take_infer,
    .partition = ts_axis_partition,
    .forward = take_forward,
    .backward = take_backward,
    .fault_text = ts_index_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&take_along_axis_grad, NULL},
};
