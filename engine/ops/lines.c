/* SPDX-License-Identifier: MIT */
#include "engine/ops/lines.h"

#include <string.h>

TsPartition
ts_lines_partition (const TsNode *node)
{
  const TsValue *x = node->in[0];

  if (x->kind == TS_VALUE_ROWS && !(ts_reduce_axes (node, x) & 1))
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

void
ts_lines_init (TsLines *l, TsCall *call, const TsValue *x)
{
  guint axes = ts_reduce_axes (call->node, x);
  gboolean rows = x->kind == TS_VALUE_ROWS, own = rows && !(axes & 1);
  guint r[2] = {TS_SHAPE_MAX, TS_SHAPE_MAX};
  gint64 step = 1;

  *l = (TsLines){.call = call, .size = ts_dtype_size (x->dtype), .n_lines = 1, .length = 1};
  for (guint axis = x->shape.rank; axis-- > 0;) {
    guint k = axes >> axis & 1;
    gint64 dim = x->shape.dim[axis];
    if (dim == TS_ANY)
      dim = own ? call->end - call->begin : call->batch;
    *(k ? &l->length : &l->n_lines) *= dim;
    if (r[k] < TS_SHAPE_MAX && step == l->step[k][r[k]] * l->dim[k][r[k]]) {
      l->dim[k][r[k]] *= dim;
    } else if (dim != 1) {
      l->dim[k][--r[k]] = dim;
      l->step[k][r[k]] = step;
    }
    step *= dim;
  }
  for (guint k = 0; k < 2; k++) {
    l->rank[k] = TS_SHAPE_MAX - r[k];
    for (guint i = 0; i < l->rank[k]; i++) {
      l->dim[k][i] = l->dim[k][r[k] + i];
      l->step[k][i] = l->step[k][r[k] + i];
    }
  }
}

/* Where the @at-th line begins (k = 0), or how far from there its @at-th element lies (k = 1). */
static gint64
offset (const TsLines *l, guint k, gint64 at)
{
  gint64 sum = 0;

  for (guint i = l->rank[k]; i-- > 0; at /= l->dim[k][i])
    sum += at % l->dim[k][i] * l->step[k][i];
  return sum;
}

static gboolean
is_dense (const TsLines *l)
{
  return l->rank[1] == 0 || (l->rank[1] == 1 && l->step[1][0] == 1);
}

/* Copies @n elements with @step between them on one side. */
static void
copy (gsize size, const char *from, gint64 from_step, char *to, gint64 to_step, gint64 n)
{
#define COPY(type)                                                                                 \
  for (gint64 i = 0; i < n; i++)                                                                   \
  ((type *) to)[i * to_step] = ((const type *) from)[i * from_step]
  if (size == 8)
    COPY (guint64);
  else if (size == 4)
    COPY (guint32);
  else
    COPY (guint8);
#undef COPY
}

/* Between @dense, which holds the piece, and the line in @data; one of them is written. */
static void
move (const TsLines *l, char *dense, gint64 at, gint64 n, char *data, gboolean gather)
{
  gint64 size = (gint64) l->size, first = offset (l, 0, l->line);
  gint64 inner = l->rank[1] ? l->dim[1][l->rank[1] - 1] : 1;
  gint64 step = l->rank[1] ? l->step[1][l->rank[1] - 1] : 1;

  for (gint64 end = at + n, run; at < end; at += run, dense += run * size) {
    char *there = data + (first + offset (l, 1, at)) * size;
    run = MIN (inner - at % inner, end - at);
    if (gather)
      copy (l->size, there, step, dense, 1, run);
    else
      copy (l->size, dense, 1, there, step, run);
  }
}

const void *
ts_lines_gather (const TsLines *l, const void *data, gint64 at, gint64 n, void *buffer)
{
  if (is_dense (l))
    return (const char *) data + (offset (l, 0, l->line) + at) * (gint64) l->size;
  move (l, buffer, at, n, (char *) data, TRUE);
  return buffer;
}

void
ts_lines_scatter (const TsLines *l, const void *piece, gint64 at, gint64 n, void *data)
{
  move (l, (char *) piece, at, n, data, FALSE);
}

double
ts_lines_fold (const TsLines *l, TsFold fold, double start, double c)
{
  const TsCall *call = l->call;
  double buffer[TS_LINE_PIECE];

  for (gint64 at = 0, n; at < l->length; at += n) {
    n = MIN (TS_LINE_PIECE, l->length - at);
    const void *x = ts_lines_gather (l, call->in[0], at, n, buffer);
    start = call->k->fold[fold][call->dtype](x, (gsize) n, start, c);
  }
  return start;
}

gboolean
ts_lines_find (const TsLines *l, guint8 value)
{
  guint8 buffer[TS_LINE_PIECE];

  for (gint64 at = 0, n; at < l->length; at += n) {
    n = MIN (TS_LINE_PIECE, l->length - at);
    if (memchr (ts_lines_gather (l, l->call->in[0], at, n, buffer), value, (gsize) n))
      return TRUE;
  }
  return FALSE;
}

void
ts_lines_forward (TsCall *call, double (*value) (const TsLines *l))
{
  const TsNode *node = call->node;
  TsLines l;

  ts_lines_init (&l, call, node->in[0]);
  for (l.line = 0; l.line < l.n_lines; l.line++)
    ts_dtype_set (node->out[0]->dtype, call->out[0], l.line, value (&l));
}
