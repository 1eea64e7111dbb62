/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

#include <string.h>

/* ---- axes */

guint
ts_axis (gint64 axis, guint rank)
{
  return (guint) (axis < 0 ? axis + rank : axis);
}

gboolean
ts_check_axis (const TsNode *node, const char *name, gint64 axis, const TsShape *x, guint rank,
               GError **error)
{
  if (axis >= -(gint64) rank && axis < (gint64) rank)
    return TRUE;
  g_autofree char *text = ts_shape_dup_text (x);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s: %s %" G_GINT64_FORMAT " is no axis of %s", node->op->name, name, axis, text);
  return FALSE;
}

gboolean
ts_refuse_batch (const TsNode *node, const char *name, GError **error)
{
  g_autofree char *text = ts_shape_dup_text (&node->in[0]->shape);

  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s: %s would change axis 0 of %s, which is the batch", node->op->name, name, text);
  return FALSE;
}

gboolean
ts_infer_one_type (const TsNode *node, GError **error)
{
  for (guint i = 1; i < node->n_in; i++) {
    if (node->in[i]->dtype == node->in[0]->dtype)
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs tensors of one type, but '%s' is %s and '%s' is %s", node->op->name,
                 node->in[0]->node->name, ts_dtype_name (node->in[0]->dtype),
                 node->in[i]->node->name, ts_dtype_name (node->in[i]->dtype));
    return FALSE;
  }
  return TRUE;
}

gboolean
ts_check_size (const TsNode *node, const TsShape *y, GError **error)
{
  const gint64 limit = (gint64) 1 << 40;
  gint64 n = 1;

  for (guint i = y->rank > 0 && y->dim[0] == TS_ANY; i < y->rank; i++) {
    if (!__builtin_mul_overflow (n, y->dim[i], &n) && n <= limit)
      continue;
    g_autofree char *text = ts_shape_dup_text (y);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the result would be %s, more than %" G_GINT64_FORMAT " elements",
                 node->op->name, text, limit);
    return FALSE;
  }
  return TRUE;
}

gint64
ts_shape_product (const TsShape *s, guint from, guint to)
{
  gint64 n = 1;

  for (guint i = from; i < to; i++)
    n *= s->dim[i];
  return n;
}

void
ts_fill (TsDtype dtype, void *to, gint64 n, double value)
{
  gsize size = ts_dtype_size (dtype);

  for (gint64 i = 0; i < n; i++)
    if (i == 0)
      ts_dtype_set (dtype, to, 0, value);
    else
      memcpy ((char *) to + (gsize) i * size, to, size);
}

TsShape
ts_call_shape (const TsCall *call, const TsValue *v)
{
  TsShape s = v->shape;

  if (v->kind == TS_VALUE_ROWS)
    s.dim[0] = call->node->op->partition (call->node).kind == TS_PART_ROWS ? call->end - call->begin
                                                                           : call->batch;
  return s;
}

/* ---- layouts */

void
ts_layout_init (TsLayout *l, const TsShape *x)
{
  gint64 pitch = 1;

  l->rank = x->rank;
  for (guint i = x->rank; i-- > 0;) {
    l->axis[i] = (TsAxis){TS_AXIS_STEP, x->dim[i], x->dim[i], 0, 1, pitch};
    pitch *= x->dim[i];
  }
}

gboolean
ts_layout_infer (TsNode *node, TsValue *out, TsLayoutFunc layout, GError **error)
{
  TsLayout l;

  layout (node, &node->in[0]->shape, &l);
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.rank = l.rank;
  for (guint i = 0; i < l.rank; i++)
    out[0].shape.dim[i] = l.axis[i].out;
  return ts_check_size (node, &out[0].shape, error);
}

/* From output @o on, how many elements go on evenly: the first is read at *at (-1: not at all), the
 * others *step further each. */
static gint64
axis_run (const TsAxis *a, gint64 o, gint64 *at, gint64 *step)
{
  gint64 rest = a->out - o, i = o - a->begin, edge = a->rule == TS_AXIS_SYMMETRIC;

  *step = 1;
  switch (a->rule) {
  case TS_AXIS_STEP:
    *at = a->begin + a->step * o;
    *step = a->step;
    return rest;
  case TS_AXIS_WRAP:
    *at = (a->begin + o) % a->in;
    return MIN (rest, a->in - *at);
  case TS_AXIS_REPEAT:
    *at = o / a->step;
    *step = 0;
    return a->step - o % a->step;
  case TS_AXIS_INSIDE:
    *at = i >= 0 && i < a->in ? i : -1;
    return i < 0 ? MIN (rest, -i) : i < a->in ? MIN (rest, a->in - i) : rest;
  case TS_AXIS_REFLECT:
  case TS_AXIS_SYMMETRIC:
    *at = i < 0 ? -i - edge : i < a->in ? i : 2 * (a->in - 1) + edge - i;
    *step = i >= 0 && i < a->in ? 1 : -1;
    return i < 0 ? MIN (rest, -i) : i < a->in ? MIN (rest, a->in - i) : rest;
  }
  g_return_val_if_reached (rest);
}

typedef struct Walk Walk;
struct Walk {
  const TsCall *call;
  const TsLayout *l;
  guint rank;   /* axes to be walked; the others are whole blocks */
  gint64 block; /* elements */
  gint64 size;  /* bytes of an element */
  char *x, *y;  /* y goes on */
  const void *nothing;
  /* @n blocks of y and those of x at element @from (-1: none), @step elements apart. */
  void (*piece) (Walk *w, gint64 from, gint64 step, gint64 n);
};

#define COPY_STEPS(type)                                                                           \
  for (gint64 i = 0; i < n; i++)                                                                   \
  ((type *) w->y)[i] = ((const type *) x)[i * step]

static void
copy_piece (Walk *w, gint64 from, gint64 step, gint64 n)
{
  const char *x = from < 0 ? w->nothing : w->x + from * w->size;
  gint64 bytes = w->block * w->size;

  if (from < 0)
    for (gint64 i = 0; i < n * w->block; i++)
      memcpy (w->y + i * w->size, x, (gsize) w->size);
  else if (step == w->block)
    memcpy (w->y, x, (gsize) (n * bytes));
  else if (w->block > 1)
    for (gint64 i = 0; i < n; i++)
      memcpy (w->y + i * bytes, x + i * step * w->size, (gsize) bytes);
  else if (w->size == 8)
    COPY_STEPS (guint64);
  else if (w->size == 4)
    COPY_STEPS (guint32);
  else
    COPY_STEPS (guint8);
}

static void
add_piece (Walk *w, gint64 from, gint64 step, gint64 n)
{
  TsBinaryFunc *add = w->call->k->add[w->call->dtype];
  gint64 length = step == w->block ? n * w->block : w->block;

  if (from < 0)
    return;
  for (gint64 i = 0; i < n * w->block / length; i++) {
    char *sum = w->x + (from + i * step) * w->size;
    add (sum, w->y + i * length * w->size, sum, (gsize) length);
  }
}

static void
walk (Walk *w, guint level, gint64 from)
{
  if (level == w->rank) {
    w->piece (w, from, w->block, 1);
    w->y += w->block * w->size;
    return;
  }
  const TsAxis *a = &w->l->axis[level];
  for (gint64 o = 0, run, at = 0, step = 0; o < a->out; o += run) {
    run = axis_run (a, o, &at, &step);
    gint64 first = from < 0 || at < 0 ? -1 : from + at * a->pitch;
    if (level + 1 == w->rank) {
      w->piece (w, first, step * a->pitch, run);
      w->y += run * w->block * w->size;
      continue;
    }
    for (gint64 i = 0; i < run; i++)
      walk (w, level + 1, first < 0 ? -1 : first + i * step * a->pitch);
  }
}

static void
start (Walk *w, const TsLayout *l)
{
  w->l = l;
  w->rank = l->rank;
  w->block = 1;
  for (; w->rank > 0; w->rank--) {
    const TsAxis *a = &l->axis[w->rank - 1];
    if (a->rule != TS_AXIS_STEP || a->begin != 0 || a->step != 1 || a->pitch != w->block ||
        a->in != a->out)
      break;
    w->block *= a->out;
  }
  walk (w, 0, 0);
}

void
ts_layout_forward (TsCall *call, TsLayoutFunc layout, const void *nothing)
{
  const TsValue *x = call->node->in[0];
  TsShape shape = ts_call_shape (call, x);
  TsLayout l;
  Walk w = {.call = call,
            .size = (gint64) ts_dtype_size (x->dtype),
            .x = (char *) call->in[0],
            .y = call->out[0],
            .nothing = nothing,
            .piece = copy_piece};

  layout (call->node, &shape, &l);
  start (&w, &l);
}

void
ts_layout_grad_forward (TsCall *call, TsLayoutFunc layout)
{
  TsShape shape = ts_call_shape (call, call->node->in[1]);
  TsLayout l;
  Walk w = {.call = call,
            .size = (gint64) ts_dtype_size (call->dtype),
            .x = call->out[0],
            .y = (char *) call->in[0],
            .piece = add_piece};

  memset (call->out[0], 0, (gsize) (ts_shape_elems (&shape) * w.size));
  layout (call->node, &shape, &l);
  start (&w, &l);
}

gboolean
ts_layout_grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[1]);
  return TRUE;
}

void
ts_emit_layout_grad (TsEmitter *e, const TsNode *node, const char *op, TsValue *dy,
                     const gboolean *want, TsValue **grad_in)
{
  TsValue *in[] = {dy, node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, op, in, 2, &node->params)->out[0];
}

/* ---- parts */

void
ts_call_join (TsCall *call, guint axis, gboolean split)
{
  const TsNode *node = call->node;
  guint n = split ? node->n_out : node->n_in;
  TsValue *const *parts = split ? node->out : node->in;
  TsShape first = ts_call_shape (call, parts[0]);
  gint64 lines = ts_shape_product (&first, 0, axis);
  gsize size = ts_dtype_size (parts[0]->dtype), bytes[TS_CALL_INPUTS_MAX];
  char *whole = split ? (char *) call->in[0] : call->out[0];

  for (guint i = 0; i < n; i++)
    bytes[i] = (gsize) ts_shape_product (&parts[i]->shape, axis, parts[i]->shape.rank) * size;
  for (gint64 line = 0; line < lines; line++)
    for (guint i = 0; i < n; whole += bytes[i++]) {
      if (split)
        memcpy ((char *) call->out[i] + (gsize) line * bytes[i], whole, bytes[i]);
      else
        memcpy (whole, (const char *) call->in[i] + (gsize) line * bytes[i], bytes[i]);
    }
}
