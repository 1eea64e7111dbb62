/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

static gboolean
is_bool (TsDtype dtype)
{
  return dtype == TS_BOOL;
}

/* Inputs from @first on are of one type that @fits. */
static gboolean
check_types (const TsNode *node, guint first, gboolean (*fits) (TsDtype), const char *what,
             GError **error)
{
  for (guint i = first; i < node->n_in; i++) {
    const TsValue *v = node->in[i], *a = node->in[first];
    if (fits (v->dtype) && v->dtype == a->dtype)
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs %s of one type, but '%s' is %s%s%s%s%s", node->op->name, what,
                 v->node->name, ts_dtype_name (v->dtype), i > first ? " and '" : "",
                 i > first ? a->node->name : "", i > first ? "' is " : "",
                 i > first ? ts_dtype_name (a->dtype) : "");
    return FALSE;
  }
  return TRUE;
}

static gboolean
infer (TsNode *node, TsValue *out, TsDtype dtype, GError **error)
{
  out[0].shape = node->in[0]->shape;
  for (guint i = 1; i < node->n_in; i++) {
    TsShape so_far = out[0].shape;
    if (!ts_broadcast_shapes (node, &so_far, &node->in[i]->shape, &out[0].shape, error))
      return FALSE;
  }
  node->n_out = 1;
  out[0].dtype = dtype;
  return TRUE;
}

gboolean
ts_binary_infer_float (TsNode *node, TsValue *out, GError **error)
{
  return check_types (node, 0, ts_dtype_is_float, "float tensors", error) &&
         infer (node, out, node->in[0]->dtype, error);
}

gboolean
ts_binary_infer_number (TsNode *node, TsValue *out, GError **error)
{
  return check_types (node, 0, ts_dtype_is_number, "floats, i32 or i64", error) &&
         infer (node, out, node->in[0]->dtype, error);
}

gboolean
ts_binary_infer_compare (TsNode *node, TsValue *out, GError **error)
{
  return check_types (node, 0, ts_dtype_is_number, "floats, i32 or i64", error) &&
         infer (node, out, TS_BOOL, error);
}

gboolean
ts_binary_infer_bool (TsNode *node, TsValue *out, GError **error)
{
  return check_types (node, 0, is_bool, "booleans", error) && infer (node, out, TS_BOOL, error);
}

gboolean
ts_binary_infer_select (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *c = node->in[0];

  if (c->dtype != TS_BOOL) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs booleans as its first tensor, but '%s' is %s", node->op->name,
                 c->node->name, ts_dtype_name (c->dtype));
    return FALSE;
  }
  return check_types (node, 1, ts_dtype_is_number, "floats, i32 or i64", error) &&
         infer (node, out, node->in[1]->dtype, error);
}

/* Notes the first integer divisor that is 0; output element @at is where the run begins. */
static void
check_divisor (TsCall *call, const void *b, gint64 step, gint64 at, gint64 n)
{
  TsDtype dtype = call->node->in[1]->dtype;

  if (ts_dtype_is_float (dtype))
    return;
  for (gint64 i = 0; i < n; i++) {
    gboolean zero =
        dtype == TS_I32 ? ((const gint32 *) b)[i * step] == 0 : ((const gint64 *) b)[i * step] == 0;
    if (!zero)
      continue;
    ts_call_fault (call, at + i, 0, 0);
    return;
  }
}

/* Runs the kernel on output elements [from, to) of what @w walks; the call's first is @from. */
static void
walk (TsCall *call, const TsBroadcast *w, gint64 from, gint64 to, gint64 first_of_call)
{
  const TsNode *node = call->node;
  const TsValue *last = node->in[node->n_in - 1], *y = node->out[0];
  TsZipFunc *zip = call->k->binary[node->op->kernel][last->dtype];
  gint64 inner = w->dim[w->rank - 1], step[TS_BROADCAST_MAX], size[TS_BROADCAST_MAX], n;
  gint64 before[TS_BROADCAST_MAX]; /* elements ahead of where the operand's pointer stands */

  for (guint i = 0; i < node->n_in; i++) {
    size[i] = (gint64) ts_dtype_size (node->in[i]->dtype);
    step[i] = w->step[i][w->rank - 1];
    before[i] =
        ts_shape_equal (&node->in[i]->shape, &y->shape) ? from : 0; /* cut along, or whole */
  }
  for (gint64 at = from; at < to; at += n) {
    const void *in[TS_BROADCAST_MAX];
    n = MIN (inner - at % inner, to - at);
    for (guint i = 0; i < node->n_in; i++)
      in[i] = (const char *) call->in[i] + (ts_broadcast_offset (w, i, at) - before[i]) * size[i];
    if (node->n_in < TS_BROADCAST_MAX) { /* a kernel of three that leaves the last one out */
      in[2] = in[1];
      step[2] = step[1];
    }
    zip (in, step, (char *) call->out[0] + (at - from) * (gint64) ts_dtype_size (y->dtype),
         (gsize) n);
    if (node->op->fault_text)
      check_divisor (call, in[1], step[1], first_of_call + at - from, n);
  }
}

void
ts_binary_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsShape shape = node->out[0]->shape;
  gint64 n = (gint64) ts_call_elems (call), begin = 0, first = 0;
  const TsShape *in[TS_BROADCAST_MAX];
  gboolean same = TRUE;
  TsBroadcast w;

  for (guint i = 0; i < node->n_in; i++) {
    in[i] = &node->in[i]->shape;
    same = same && ts_shape_equal (in[i], &shape);
  }
  if (node->out[0]->kind == TS_VALUE_ROWS) {
    first = call->begin * ts_shape_row_elems (&shape);
    shape.dim[0] = call->end - call->begin;
  } else {
    gint64 extent, unit;
    ts_value_units (node->out[0], &extent, &unit);
    begin = first = call->begin * unit;
  }
  if (same) { /* one run over everything */
    w = (TsBroadcast){.rank = 1, .dim = {MAX (begin + n, 1)}, .step = {{1}, {1}, {1}}};
    walk (call, &w, begin, begin + n, first);
    return;
  }
  ts_broadcast_init (&w, &shape, in, node->n_in);
  walk (call, &w, begin, begin + n, first);
}

char *
ts_binary_fault_text (const TsNode *node, const TsFault *fault)
{
  return g_strdup_printf ("division by zero at element %" G_GINT64_FORMAT, fault->position);
}

void
ts_binary_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  TsValue *a = node->in[0], *b = node->in[1];

  for (guint i = 0; i < 2; i++)
    if (want[i])
      grad_in[i] = ts_emit_sum_to (e, ts_emit_op (e, node->op->parts[i]->name, grad_out[0], a, b),
                                   node->in[i]);
}

TsValue *
ts_emit_op (TsEmitter *e, const char *op, TsValue *a, TsValue *b, TsValue *c)
{
  TsValue *in[] = {a, b, c};

  return e->emit (e, op, in, c ? 3 : 2, NULL)->out[0];
}
