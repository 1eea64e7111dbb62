/* SPDX-License-Identifier: MIT */
#include "engine/ops/reduce.h"

#include <string.h>

#include "engine/ops/broadcast.h"

const TsParamSpec ts_reduce_params[] = {
    {"axes", TS_PARAM_SHAPE, .doc = "axes to reduce, the batch is 0, -1 the last; empty: all"},
    {"keepdims", TS_PARAM_BOOL, .doc = "reduced axes stay, with size 1"},
    {NULL},
};

/* ---- axes */

guint
ts_reduce_axes (const TsNode *node, const TsValue *x)
{
  guint n = node->params.v[0].n_list, seen = 0;

  if (n == 0)
    return (1u << x->shape.rank) - 1;
  for (guint i = 0; i < n; i++) {
    gint64 axis = node->params.v[0].list[i];
    seen |= 1u << (axis < 0 ? axis + x->shape.rank : axis);
  }
  return seen;
}

TsShape
ts_reduce_kept (const TsNode *node, const TsValue *x)
{
  guint axes = ts_reduce_axes (node, x);
  TsShape kept = x->shape;

  for (guint i = 0; i < kept.rank; i++)
    if (axes >> i & 1)
      kept.dim[i] = 1;
  return kept;
}

double
ts_reduce_count (const TsCall *call)
{
  const TsNode *node = call->node;
  const TsValue *x = node->n_in == 2 ? node->in[1] : node->in[0];
  guint axes = ts_reduce_axes (node, x);
  double count = 1;

  for (guint i = 0; i < x->shape.rank; i++)
    if (axes >> i & 1)
      count *= (double) (x->shape.dim[i] == TS_ANY ? call->batch : x->shape.dim[i]);
  return count;
}

/* Parameter 0 names axes of the input? */
static gboolean
check_axes (const TsNode *node, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  for (guint i = 0; i < node->params.v[0].n_list; i++) {
    gint64 axis = node->params.v[0].list[i];
    if (axis >= -(gint64) x->rank && axis < (gint64) x->rank)
      continue;
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s: axes has %" G_GINT64_FORMAT ", but '%s' is %s", node->op->name, axis,
                 node->in[0]->node->name, text);
    return FALSE;
  }
  return TRUE;
}

gboolean
ts_reduce_infer_axes (const TsNode *node, GError **error)
{
  return ts_infer_floats (node, error) && check_axes (node, error);
}

static gboolean
infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gboolean keep = ts_params_bool (&node->params, "keepdims");

  if (!check_axes (node, error))
    return FALSE;
  guint axes = ts_reduce_axes (node, node->in[0]);
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.rank = 0;
  for (guint i = 0; i < x->rank; i++)
    if (keep || !(axes >> i & 1))
      out[0].shape.dim[out[0].shape.rank++] = axes >> i & 1 ? 1 : x->dim[i];
  return TRUE;
}

gboolean
ts_reduce_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_floats (node, error) && infer (node, out, error);
}

gboolean
ts_reduce_infer_bool (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0];

  if (x->dtype == TS_BOOL)
    return infer (node, out, error);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE, "%s needs booleans, but '%s' is %s",
               node->op->name, x->node->name, ts_dtype_name (x->dtype));
  return FALSE;
}

/* ---- sums */

/* When the reduced axes are neighbours a value is seen as [outer, reduced, inner]: of one row for ROWS
 * inputs, of everything else.  Otherwise it is walked like what broadcasting stretched. */
typedef struct {
  gint64 outer, reduced, inner;
  gboolean neighbours;
  gboolean batch; /* the batch axis is among the reduced ones (then outer is 1) */
} View;

static View
view_of (const TsNode *node, const TsValue *x)
{
  View v = {1, 1, 1, FALSE, FALSE};
  guint axes = ts_reduce_axes (node, x);
  guint from = axes ? (guint) __builtin_ctz (axes) : 0;
  guint to = from + (guint) __builtin_popcount (axes);

  v.neighbours = axes == ((1u << to) - (1u << from));
  for (guint i = 0; i < x->shape.rank; i++) {
    if (i == 0 && x->kind == TS_VALUE_ROWS) {
      v.batch = axes & 1;
      continue;
    }
    *(i < from ? &v.outer : i < to ? &v.reduced : &v.inner) *= x->shape.dim[i];
  }
  return v;
}

/* Elements of one sum: of a row's, or of all. */
static gsize
sum_elems (const TsNode *node)
{
  const TsValue *y = node->out[0];

  return (gsize) (y->kind == TS_VALUE_ROWS ? ts_shape_row_elems (&y->shape)
                                           : ts_shape_elems (&y->shape));
}

TsPartition
ts_sum_partition (const TsNode *node)
{
  if (node->in[0]->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = sum_elems (node) * sizeof (double)};
}

gsize
ts_sum_workspace (const TsNode *node)
{
  return sum_elems (node) * sizeof (double);
}

/* sum (+)= what one row comes to; @w walks the row with the target as its operand */
static void
add_row (const TsCall *call, const TsBroadcast *w, const char *x, gint64 n, double *sum)
{
  gsize size = ts_dtype_size (call->dtype);
  gint64 inner = w->dim[w->rank - 1];
  gboolean along = w->step[0][w->rank - 1] != 0;

  for (gint64 at = 0; at < n; at += inner) {
    double *to = sum + ts_broadcast_offset (w, 0, at);
    if (along)
      call->k->accumulate[call->dtype](x + at * (gint64) size, to, (gsize) inner);
    else
      *to = call->k->fold[TS_FOLD_SUM][call->dtype](x + at * (gint64) size, (gsize) inner, *to, 0);
  }
}

void
ts_sum_rows (TsCall *call, const TsShape *row, const TsShape *target, gint64 rows, gboolean own,
             double factor)
{
  gint64 n_x = ts_shape_elems (row), n = ts_shape_elems (target);
  gint64 size = (gint64) ts_dtype_size (call->dtype);
  double *sum = own ? call->workspace : call->partial;
  TsBroadcast w;

  ts_broadcast_init (&w, row, &target, 1);
  if (!own && !call->accumulate)
    memset (sum, 0, (gsize) n * sizeof (double));
  for (gint64 r = 0; r < rows; r++) {
    if (own)
      memset (sum, 0, (gsize) n * sizeof (double));
    add_row (call, &w, (const char *) call->in[0] + r * n_x * size, n_x, sum);
    if (!own)
      continue;
    call->k->scale[TS_F64](sum, factor, sum, (gsize) n);
    call->k->convert[call->dtype](TS_F64, sum, (char *) call->out[0] + r * n * size, (gsize) n, 1);
  }
}

/* sum[inner] += the sum over the reduced axis of x[reduced, inner] */
static void
add_up (const TsCall *call, const char *x, View v, double *sum)
{
  gint64 size = (gint64) ts_dtype_size (call->dtype);

  if (v.inner == 1) {
    sum[0] += call->k->sum[call->dtype](x, (gsize) v.reduced);
    return;
  }
  for (gint64 r = 0; r < v.reduced; r++)
    call->k->accumulate[call->dtype](x + r * v.inner * size, sum, (gsize) v.inner);
}

static void
sum_neighbours (TsCall *call, View v, gint64 rows, double factor)
{
  gint64 size = (gint64) ts_dtype_size (call->dtype), block = v.outer * v.reduced * v.inner;

  if (v.batch) {
    double *sum = call->partial;
    if (!call->accumulate)
      memset (sum, 0, (gsize) v.inner * sizeof (double));
    for (gint64 r = 0; r < rows; r++)
      add_up (call, (const char *) call->in[0] + r * block * size, v, sum);
    return;
  }
  for (gint64 o = 0; o < v.outer * rows; o++) {
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
ts_sum_forward (TsCall *call, double factor)
{
  const TsValue *x = call->node->in[0];
  gboolean batched = x->kind == TS_VALUE_ROWS;
  gint64 rows = batched ? call->end - call->begin : 1;
  View v = view_of (call->node, x);

  if (v.neighbours) {
    sum_neighbours (call, v, rows, factor);
    return;
  }
  TsShape kept = ts_reduce_kept (call->node, x), row = x->shape;
  if (batched) {
    kept = ts_broadcast_row (&kept, x->shape.rank);
    row = ts_broadcast_row (&row, x->shape.rank);
  }
  ts_sum_rows (call, &row, &kept, rows, !v.batch, factor);
}

void
ts_sum_combine (TsCall *call, double factor)
{
  gsize n = sum_elems (call->node), size = ts_dtype_size (call->dtype), count;
  double total[256];

  for (gsize j = 0; j < n; j += count) {
    count = MIN (n - j, G_N_ELEMENTS (total));
    call->k->tree_sum[TS_F64]((const double *) call->partial + j, n, (gsize) call->n_partials,
                              total, count);
    call->k->scale[TS_F64](total, factor, total, count);
    call->k->convert[call->dtype](TS_F64, total, (char *) call->out[0] + j * size, count, 1);
  }
}

/* ---- spreading */

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
  TsShape kept = ts_reduce_kept (call->node, x), shape = x->shape;
  const TsShape *in[] = {&kept};
  gint64 size = (gint64) ts_dtype_size (call->dtype);
  TsBroadcast w;

  if (x->kind == TS_VALUE_ROWS)
    shape.dim[0] = call->end - call->begin;
  ts_broadcast_init (&w, &shape, in, 1);
  gint64 inner = w.dim[w.rank - 1], n = ts_shape_elems (&shape);
  for (gint64 at = 0; at < n; at += inner) {
    const char *dy = (const char *) call->in[0] + ts_broadcast_offset (&w, 0, at) * size;
    char *dx = (char *) call->out[0] + at * size;
    if (w.step[0][w.rank - 1])
      call->k->scale[call->dtype](dy, factor, dx, (gsize) inner);
    else
      call->k->fill[call->dtype](factor * ts_dtype_get (call->dtype, dy, 0), dx, (gsize) inner);
  }
}

TsValue *
ts_emit_spread (TsEmitter *e, const TsNode *node, TsValue *value)
{
  TsValue *in[] = {value, node->in[0]};

  return e->emit (e, "reduce_sum_grad", in, 2, &node->params)->out[0];
}
