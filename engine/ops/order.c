/* SPDX-License-Identifier: MIT */
#include "engine/ops/order.h"

#include <string.h>

/* A number that is ordered like the element. */
static gint64
key_of (const TsOrder *o, gint64 i)
{
  gint64 at = i * o->step, bits;

  if (o->dtype == TS_I64)
    return ((const gint64 *) o->x)[at];
  double v = ts_dtype_get (o->dtype, o->x, at);
  if (v != v)
    return G_MAXINT64;
  if (v == 0)
    return 0; /* -0, too */
  memcpy (&bits, &v, sizeof bits);
  return bits < 0 ? bits ^ G_MAXINT64 : bits;
}

gboolean
ts_order_before (const TsOrder *o, gint64 i, gint64 j)
{
  gint64 a = key_of (o, i), b = key_of (o, j);

  if (a == b)
    return i < j;
  return o->descending ? a > b : a < b;
}

/* Lets the entry at @at sink in a heap of @n whose top comes last. */
static void
sink (const TsOrder *o, gint32 *index, gint64 at, gint64 n)
{
  gint32 moved = index[at * o->step];

  for (gint64 child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && ts_order_before (o, index[child * o->step], index[(child + 1) * o->step]))
      child++;
    if (ts_order_before (o, index[child * o->step], moved))
      break;
    index[at * o->step] = index[child * o->step];
  }
  index[at * o->step] = moved;
}

void
ts_order_first (const TsOrder *o, gint64 k, gint32 *index)
{
  for (gint64 i = 0; i < k; i++)
    index[i * o->step] = (gint32) i;
  for (gint64 i = k / 2; i-- > 0;)
    sink (o, index, i, k);
  for (gint64 i = k; i < o->n; i++)
    if (ts_order_before (o, i, index[0])) {
      index[0] = (gint32) i;
      sink (o, index, 0, k);
    }
  for (gint64 end = k - 1; end > 0; end--) {
    gint32 last = index[end * o->step];
    index[end * o->step] = index[0];
    index[0] = last;
    sink (o, index, 0, end);
  }
}

void
ts_order_forward (TsCall *call, gint64 k, gboolean descending, guint which)
{
  const TsValue *x = call->node->in[0];
  TsShape s = ts_call_shape (call, x);
  TsAxisView v = ts_axis_view (&s, ts_axis_of (call->node));
  gsize size = ts_dtype_size (x->dtype);

  for (gint64 line = 0; line < v.outer * v.inner; line++) {
    gint64 o = line / v.inner, i = line % v.inner, to = o * k * v.inner + i;
    const char *from = (const char *) call->in[0] + (gsize) (o * v.n * v.inner + i) * size;
    TsOrder order = {x->dtype, from, v.n, v.inner, descending};
    gint32 *index = (gint32 *) call->out[which] + to;
    ts_order_first (&order, k, index);
    for (gint64 j = 0; which > 0 && j < k; j++)
      memcpy ((char *) call->out[0] + (gsize) (to + j * v.inner) * size,
              from + (gsize) (index[j * v.inner] * v.inner) * size, size);
  }
}

void
ts_order_infer (TsNode *node, TsValue *out, gint64 k, gboolean values)
{
  guint axis = ts_axis_of (node), n = values ? 2 : 1;

  for (guint i = 0; i < n; i++) {
    ts_infer_like (node, out, i, node->in[0]);
    out[i].shape.dim[axis] = k;
  }
  out[n - 1].dtype = TS_I32;
}

void
ts_order_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                   TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->out[1], node->in[0]};
  TsParams p;

  if (!want[0] || !grad_out[0])
    return;
  ts_params_init (&p, ts_op_lookup ("take_along_axis_grad")->params);
  ts_params_set_number (&p, "axis", ts_axis_of (node), NULL);
  grad_in[0] = e->emit (e, "take_along_axis_grad", in, 3, &p)->out[0];
}

gboolean
ts_extreme_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_infer_axis (node, error))
    return FALSE;
  guint axis = ts_axis_of (node);
  if (x->dim[axis] == 0) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE, "%s: axis %u of %s has no elements",
                 node->op->name, axis, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].dtype = TS_I32;
  out[0].shape.rank--;
  for (guint i = axis; i < out[0].shape.rank; i++)
    out[0].shape.dim[i] = x->dim[i + 1];
  return TRUE;
}

void
ts_extreme_forward (TsCall *call, gboolean largest)
{
  const TsValue *x = call->node->in[0];
  TsShape s = ts_call_shape (call, x);
  TsAxisView v = ts_axis_view (&s, ts_axis_of (call->node));
  gsize size = ts_dtype_size (x->dtype);

  for (gint64 line = 0; line < v.outer * v.inner; line++) {
    gint64 first = line / v.inner * v.n * v.inner + line % v.inner, best = 0;
    TsOrder order = {x->dtype, (const char *) call->in[0] + (gsize) first * size, v.n, v.inner,
                     largest};
    for (gint64 i = 1; i < v.n; i++)
      if (ts_order_before (&order, i, best))
        best = i;
    ((gint32 *) call->out[0])[line] = (gint32) best;
  }
}
