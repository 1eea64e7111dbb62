/* SPDX-License-Identifier: MIT */
#include "engine/ops/indices.h"

#include <string.h>

TsAxisView
ts_axis_view (const TsShape *s, guint axis)
{
  return (TsAxisView){ts_shape_product (s, 0, axis), s->dim[axis],
                      ts_shape_product (s, axis + 1, s->rank)};
}

guint
ts_axis_of (const TsNode *node)
{
  return ts_axis (ts_params_int (&node->params, "axis"), node->in[0]->shape.rank);
}

gboolean
ts_infer_axis (const TsNode *node, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  return ts_check_axis (node, "axis", ts_params_int (&node->params, "axis"), x, x->rank, error);
}

TsPartition
ts_axis_partition (const TsNode *node)
{
  return ts_axis_of (node) == 0 ? ts_partition_whole (node) : ts_partition_rows (node);
}

gboolean
ts_infer_indices (const TsNode *node, guint i, GError **error)
{
  const TsValue *v = node->in[i];

  if (v->dtype == TS_I32 || v->dtype == TS_I64)
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
               "%s needs integers (i32, i64) as indices, but '%s' is %s", node->op->name,
               v->node->name, ts_dtype_name (v->dtype));
  return FALSE;
}

gboolean
ts_infer_along (const TsNode *node, guint first, guint second, gboolean whole, GError **error)
{
  const TsShape *a = &node->in[first]->shape, *b = &node->in[second]->shape;
  guint axis = ts_axis_of (node);
  TsShape s = *b;

  if (!whole && s.rank == a->rank && (s.dim[axis] == TS_ANY) == (a->dim[axis] == TS_ANY))
    s.dim[axis] = a->dim[axis];
  if (ts_shape_equal (&s, a))
    return TRUE;
  g_autofree char *ta = ts_shape_dup_text (a), *tb = ts_shape_dup_text (b);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
               "%s on axis %u: '%s' is %s and '%s' is %s; they must agree%s", node->op->name, axis,
               node->in[first]->node->name, ta, node->in[second]->node->name, tb,
               whole ? "" : " on all other axes");
  return FALSE;
}

gint64
ts_index_get (TsDtype dtype, const void *indices, gint64 i)
{
  return dtype == TS_I32 ? ((const gint32 *) indices)[i] : ((const gint64 *) indices)[i];
}

gint64
ts_index_first (const TsCall *call, const TsValue *indices)
{
  return indices->kind == TS_VALUE_ROWS ? call->begin * ts_shape_row_elems (&indices->shape) : 0;
}

char *
ts_index_fault (const TsNode *node, const TsFault *f)
{
  return g_strdup_printf ("index %" G_GINT64_FORMAT " at position %" G_GINT64_FORMAT
                          " is outside of 0 to %" G_GINT64_FORMAT,
                          f->value, f->position, f->limit - 1);
}

/* sum[i] += x[i], @n of them. */
static void
add_to (const TsCall *call, TsDtype dtype, const void *x, void *sum, gsize n)
{
  static const gint64 step[] = {1, 1};
  const void *in[] = {sum, x};

  if (ts_dtype_is_float (dtype))
    call->k->add[dtype](sum, x, sum, n);
  else
    call->k->binary[TS_BINARY_add][dtype](in, step, sum, n);
}

void
ts_add_along (TsCall *call, const TsValue *indices, const void *at, const void *x, gint64 n,
              void *sum, gboolean report)
{
  TsShape s = ts_call_shape (call, indices);
  TsAxisView v = ts_axis_view (&s, ts_axis_of (call->node));
  TsDtype dtype = call->node->out[0]->dtype;
  gint64 size = (gint64) ts_dtype_size (dtype), first = ts_index_first (call, indices);

  for (gint64 k = 0; k < v.outer * v.n * v.inner; k++) {
    gint64 index = ts_index_get (indices->dtype, at, k);
    if (index >= 0 && index < n) {
      gint64 o = k / (v.n * v.inner), i = k % v.inner;
      add_to (call, dtype, (const char *) x + k * size,
              (char *) sum + ((o * n + index) * v.inner + i) * size, 1);
    } else if (report) {
      ts_call_fault (call, first + k, index, n);
    }
  }
}

gint64
ts_tuple_offset (TsCall *call, const TsValue *indices, const void *at, gint64 i, const TsShape *s,
                 gboolean report)
{
  gint64 k = indices->shape.dim[indices->shape.rank - 1], offset = 0;

  for (gint64 c = 0; c < k; c++) {
    gint64 index = ts_index_get (indices->dtype, at, i * k + c);
    if (index < 0 || index >= s->dim[c]) {
      if (report)
        ts_call_fault (call, ts_index_first (call, indices) + i * k + c, index, s->dim[c]);
      return -1;
    }
    offset = offset * s->dim[c] + index;
  }
  return offset * ts_shape_product (s, (guint) k, s->rank);
}

void
ts_add_tuples (TsCall *call, const TsValue *indices, const void *at, const void *x,
               const TsShape *s, void *sum, gboolean report)
{
  TsShape shape = ts_call_shape (call, indices);
  gint64 k = shape.dim[shape.rank - 1], n = ts_shape_product (&shape, 0, shape.rank - 1);
  TsDtype dtype = call->node->out[0]->dtype;
  gint64 inner = ts_shape_product (s, (guint) k, s->rank), size = (gint64) ts_dtype_size (dtype);

  memset (sum, 0, (gsize) (ts_shape_elems (s) * size));
  for (gint64 i = 0; i < n; i++) {
    gint64 offset = ts_tuple_offset (call, indices, at, i, s, report);
    if (offset >= 0)
      add_to (call, dtype, (const char *) x + i * inner * size, (char *) sum + offset * size,
              (gsize) inner);
  }
}
