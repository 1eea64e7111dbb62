/* SPDX-License-Identifier: MIT */
#include "engine/ops/reduce.h"

#include <string.h>

const TsParamSpec ts_reduce_params[] = {
    {"axes", TS_PARAM_SHAPE, .doc = "neighbouring axes to reduce, the batch is 0; empty: all"},
    {NULL},
};

/* The half-open range of reduced axes; FALSE when they are not neighbours inside the shape. */
static gboolean
axis_range (const TsNode *node, const TsShape *x, guint *from, guint *to)
{
  guint n = node->params.v[0].n_list, seen = 0;

  *from = 0;
  *to = x->rank;
  if (n == 0)
    return TRUE;
  for (guint i = 0; i < n; i++) {
    gint64 axis = node->params.v[0].list[i];
    if (axis < 0)
      axis += x->rank;
    if (axis < 0 || axis >= x->rank)
      return FALSE;
    seen |= 1u << axis;
  }
  *from = (guint) __builtin_ctz (seen);
  *to = *from + (guint) __builtin_popcount (seen);
  return seen == ((1u << *to) - (1u << *from));
}

static TsReduceView
view_of (const TsNode *node, const TsValue *x)
{
  TsReduceView v = {1, 1, 1, FALSE};
  guint from, to;

  axis_range (node, &x->shape, &from, &to);
  for (guint i = 0; i < x->shape.rank; i++) {
    if (i == 0 && x->kind == TS_VALUE_ROWS) {
      v.batch = from == 0;
      continue;
    }
    *(i < from ? &v.outer : i < to ? &v.reduced : &v.inner) *= x->shape.dim[i];
  }
  return v;
}

TsReduceView
ts_reduce_view (const TsNode *node)
{
  return view_of (node, node->in[0]);
}

double
ts_reduce_count (const TsCall *call)
{
  const TsNode *node = call->node;
  const TsValue *x = node->n_in == 2 ? node->in[1] : node->in[0];
  TsReduceView v = view_of (node, x);

  return (double) v.reduced * (v.batch ? (double) call->batch : 1);
}

gboolean
ts_reduce_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  guint from, to;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (!axis_range (node, x, &from, &to)) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s: the axes must be neighbours inside %s", node->op->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.rank = 0;
  for (guint i = 0; i < x->rank; i++)
    if (i < from || i >= to)
      out[0].shape.dim[out[0].shape.rank++] = x->dim[i];
  return TRUE;
}

TsPartition
ts_reduce_partition (const TsNode *node)
{
  const TsValue *x = node->in[0];
  TsReduceView v = ts_reduce_view (node);

  if (x->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  if (!v.batch)
    return (TsPartition){.kind = TS_PART_ROWS};
  return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = (gsize) v.inner * sizeof (double)};
}

static double
element (TsDtype dtype, const void *x, gint64 i)
{
  return dtype == TS_F32 ? (double) ((const float *) x)[i] : ((const double *) x)[i];
}

/* sum[inner] (+)= the sum over the reduced axis of x[reduced, inner] */
static void
add_up (const TsCall *call, const void *x, TsReduceView v, double *sum)
{
  gsize size = ts_dtype_size (call->dtype);

  if (v.inner == 1) {
    sum[0] += call->k->sum[call->dtype](x, (gsize) v.reduced);
    return;
  }
  for (gint64 r = 0; r < v.reduced; r++)
    for (gint64 j = 0; j < v.inner; j++)
      sum[j] += element (call->dtype, (const char *) x + r * v.inner * size, j);
}

void
ts_reduce_forward (TsCall *call, double factor)
{
  const TsValue *x = call->node->in[0];
  TsReduceView v = ts_reduce_view (call->node);
  gsize size = ts_dtype_size (call->dtype);
  gint64 block = v.outer * v.reduced * v.inner;

  if (v.batch) {
    double *sum = call->partial;
    if (!call->accumulate)
      memset (sum, 0, (gsize) v.inner * sizeof (double));
    for (gint64 r = 0; r < call->end - call->begin; r++)
      add_up (call, (const char *) call->in[0] + r * block * size, v, sum);
    return;
  }
  gint64 lines = v.outer * (x->kind == TS_VALUE_ROWS ? call->end - call->begin : 1);
  for (gint64 o = 0; o < lines; o++) {
    const char *in = (const char *) call->in[0] + o * v.reduced * v.inner * size;
    char *y = (char *) call->out[0] + o * v.inner * size;
    if (v.inner == 1) {
      call->k->fill[call->dtype](factor * call->k->sum[call->dtype](in, (gsize) v.reduced), y, 1);
      continue;
    }
    call->k->column_sum[call->dtype](in, (gsize) v.inner, (gsize) v.reduced, (gsize) v.inner, y,
                                     FALSE);
    call->k->scale[call->dtype](y, factor, y, (gsize) v.inner);
  }
}

void
ts_reduce_combine (TsCall *call, double factor)
{
  TsReduceView v = ts_reduce_view (call->node);
  gsize size = ts_dtype_size (call->dtype);

  for (gint64 j = 0; j < v.inner; j++) {
    double total;
    call->k->tree_sum[TS_F64]((const double *) call->partial + j, (gsize) v.inner,
                              (gsize) call->n_partials, &total, 1);
    call->k->fill[call->dtype](factor * total, (char *) call->out[0] + j * size, 1);
  }
}

gboolean
ts_spread_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[1]);
  return TRUE;
}

TsPartition
ts_spread_partition (const TsNode *node)
{
  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

void
ts_spread_forward (TsCall *call, double factor)
{
  const TsValue *x = call->node->in[1];
  TsReduceView v = view_of (call->node, x);
  gsize size = ts_dtype_size (call->dtype);
  gint64 rows = x->kind == TS_VALUE_ROWS ? call->end - call->begin : 1;

  for (gint64 o = 0; o < rows * v.outer; o++) {
    /* when the batch is reduced, dy is the same [inner] for every row */
    const char *dy = (const char *) call->in[0] + (v.batch ? 0 : o * v.inner * size);
    char *dx = (char *) call->out[0] + o * v.reduced * v.inner * size;
    for (gint64 r = 0; r < v.reduced; r++) {
      if (v.inner == 1)
        call->k->fill[call->dtype](factor * element (call->dtype, dy, 0), dx + r * size, 1);
      else
        call->k->scale[call->dtype](dy, factor, dx + r * v.inner * size, (gsize) v.inner);
    }
  }
}
