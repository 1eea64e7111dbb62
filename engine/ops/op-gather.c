/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

#include <string.h>

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = 0,
     .doc = "the axis of x that the indices count, the batch is 0, -1 the last"},
    {NULL},
};

/* x is [outer, n, inner], the indices m in all: y [outer, m, inner]. */

static gboolean
gather_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0], *indices = node->in[1];
  TsShape y = x->shape;

  if (!ts_infer_indices (node, 1, error) || !ts_infer_axis (node, error))
    return FALSE;
  guint axis = ts_axis_of (node), n = indices->shape.rank;
  if ((indices->kind == TS_VALUE_ROWS && axis != 0) || x->shape.rank - 1 + n > TS_SHAPE_MAX) {
    g_autofree char *tx = ts_shape_dup_text (&x->shape), *ti = ts_shape_dup_text (&indices->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "gather: indices %s on axis %u of %s: %s", ti, axis, tx,
                 axis ? "indices with a batch are for axis 0, or for take_along_axis"
                      : "the result would have too many axes");
    return FALSE;
  }
  y.rank = x->shape.rank - 1 + n;
  for (guint i = axis; i < y.rank; i++)
    y.dim[i] = i < axis + n ? indices->shape.dim[i - axis] : x->shape.dim[i + 1 - n];
  ts_infer_like (node, out, 0, x);
  out[0].shape = y;
  return ts_check_size (node, &y, error);
}

/* With x's batch as the axis rows meet. */
static TsPartition
partition (const TsNode *node, const TsValue *x)
{
  if (x->kind == TS_VALUE_ROWS && ts_axis (node->params.v[0].i, x->shape.rank) == 0)
    return ts_partition_whole (node);
  return ts_partition_rows (node);
}

static TsPartition
gather_partition (const TsNode *node)
{
  return partition (node, node->in[0]);
}

static void
gather_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0], *indices = call->node->in[1];
  TsShape xs = ts_call_shape (call, x), is = ts_call_shape (call, indices);
  TsAxisView v = ts_axis_view (&xs, ts_axis_of (call->node));
  gint64 m = ts_shape_elems (&is), line = v.inner * (gint64) ts_dtype_size (x->dtype);
  char *y = call->out[0];

  for (gint64 o = 0; o < v.outer; o++)
    for (gint64 j = 0; j < m; j++, y += line) {
      gint64 index = ts_index_get (indices->dtype, call->in[1], j);
      if (index >= 0 && index < v.n) {
        memcpy (y, (const char *) call->in[0] + (o * v.n + index) * line, (gsize) line);
        continue;
      }
      memset (y, 0, (gsize) line);
      ts_call_fault (call, ts_index_first (call, indices) + j, index, v.n);
    }
}

static void
gather_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[1], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "gather_grad", in, 3, &node->params)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[2]);
  return TRUE;
}

static TsPartition
grad_partition (const TsNode *node)
{
  return partition (node, node->in[2]);
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[2], *indices = call->node->in[1];
  TsShape xs = ts_call_shape (call, x), is = ts_call_shape (call, indices);
  TsAxisView v = ts_axis_view (&xs, ts_axis (call->node->params.v[0].i, xs.rank));
  gint64 m = ts_shape_elems (&is), line = v.inner * (gint64) ts_dtype_size (call->dtype);
  const char *dy = call->in[0];

  memset (call->out[0], 0, (gsize) (v.outer * v.n * line));
  for (gint64 o = 0; o < v.outer; o++)
    for (gint64 j = 0; j < m; j++, dy += line) {
      gint64 index = ts_index_get (indices->dtype, call->in[1], j);
      char *sum = (char *) call->out[0] + (o * v.n + index) * line;
      if (index >= 0 && index < v.n)
        call->k->add[call->dtype](sum, dy, sum, (gsize) v.inner);
    }
}

static const TsOpClass gather_grad = {
    .name = "gather_grad",
    .formula = "dx[…, j, …] = sum of dy[…, i, …] where indices[i] = j, in order",
    .category = "array",
    .doc = "Gradient of gather.",
    .in_names = "dy, indices, x",
    .min_in = 3,
    .max_in = 3,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = grad_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 4 3", "int 5 4"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"rows 3", "int 6 37"}, .params = "axis=0", .low = -1, .high = 1},
    {.in = {"rows 3", "labels 37"}, .low = -1, .high = 1},
    {.in = {"f 5 3", "labels 2 5"}, .low = -1, .high = 1},
    {.in = {"f 3 5 2", "int 2 2 5"}, .params = "axis=-2", .low = -1, .high = 1},
};

const TsOpClass ts_op_gather = {
    .name = "gather",
    .formula = "y[…, i, …] = x[…, indices[i], …]",
    .category = "array",
    .doc = "Elements of one axis by their numbers; one that does not exist is an error.",
    .in_names = "x, indices",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INDICES,
    .inplace = -1,
    .infer = gather_infer,
    .partition = gather_partition,
    .forward = gather_forward,
    .backward = gather_backward,
    .fault_text = ts_index_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&gather_grad, NULL},
};
