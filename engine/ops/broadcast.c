/* SPDX-License-Identifier: MIT */
#include "engine/ops/broadcast.h"

static void
set_mismatch (const TsNode *node, const TsShape *a, const TsShape *b, const TsShape *out,
              guint axis, GError **error)
{
  g_autofree char *left = ts_shape_dup_row_text (a), *right = ts_shape_dup_row_text (b);
  gint64 da = a->dim[a->rank - (out->rank - axis)], db = b->dim[b->rank - (out->rank - axis)];

  if (da == TS_ANY || db == TS_ANY)
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s cannot broadcast %s with %s: the batch meets an axis of %" G_GINT64_FORMAT,
                 node->op->name, left, right, da == TS_ANY ? db : da);
  else
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s cannot broadcast %s with %s: axis %u has %" G_GINT64_FORMAT
                 " on the left and %" G_GINT64_FORMAT " on the right",
                 node->op->name, left, right, axis - (out->dim[0] == TS_ANY), da, db);
}

gboolean
ts_broadcast_shapes (const TsNode *node, const TsShape *a, const TsShape *b, TsShape *out,
                     GError **error)
{
  TsShape y = {.rank = MAX (a->rank, b->rank)};

  for (guint i = 0; i < y.rank; i++) {
    guint from_end = y.rank - i;
    gint64 da = from_end <= a->rank ? a->dim[a->rank - from_end] : 1;
    gint64 db = from_end <= b->rank ? b->dim[b->rank - from_end] : 1;
    y.dim[i] = da == 1 ? db : da;
    if (da != db && da != 1 && db != 1) {
      set_mismatch (node, a, b, &y, i, error);
      return FALSE;
    }
    if (y.dim[i] != TS_ANY || i == 0)
      continue;
    g_autofree char *left = ts_shape_dup_row_text (a), *right = ts_shape_dup_row_text (b);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s cannot broadcast %s with %s: the one without batch has more axes",
                 node->op->name, left, right);
    return FALSE;
  }
  *out = y;
  return TRUE;
}

void
ts_broadcast_init (TsBroadcast *w, const TsShape *out, const TsShape *const *in, guint n_in)
{
  gint64 next[TS_BROADCAST_MAX]; /* elements of each operand below the axis */
  guint r = TS_SHAPE_MAX;        /* axes are found from the last to the first */

  for (guint i = 0; i < n_in; i++)
    next[i] = 1;
  for (guint axis = out->rank; axis-- > 0;) {
    gint64 dim = out->dim[axis], step[TS_BROADCAST_MAX] = {0};
    gboolean merge = r < TS_SHAPE_MAX;
    for (guint i = 0; i < n_in; i++) {
      guint from_end = out->rank - axis;
      gboolean has = from_end <= in[i]->rank && in[i]->dim[in[i]->rank - from_end] != 1;
      step[i] = has ? next[i] : 0;
      next[i] *= has ? dim : 1;
      merge = merge && step[i] == w->step[i][r] * w->dim[r];
    }
    if (dim == 1)
      continue;
    if (merge) {
      w->dim[r] *= dim;
      continue;
    }
    w->dim[--r] = dim;
    for (guint i = 0; i < n_in; i++)
      w->step[i][r] = step[i];
  }
  w->rank = TS_SHAPE_MAX - r;
  for (guint k = 0; k < w->rank; k++) {
    w->dim[k] = w->dim[r + k];
    for (guint i = 0; i < n_in; i++)
      w->step[i][k] = w->step[i][r + k];
  }
  if (w->rank > 0)
    return;
  w->rank = 1;
  w->dim[0] = 1;
  for (guint i = 0; i < n_in; i++)
    w->step[i][0] = 0;
}

gint64
ts_broadcast_offset (const TsBroadcast *w, guint i, gint64 at)
{
  gint64 offset = 0;

  for (guint axis = w->rank; axis-- > 0; at /= w->dim[axis])
    offset += at % w->dim[axis] * w->step[i][axis];
  return offset;
}

TsShape
ts_broadcast_row (const TsShape *shape, guint rank)
{
  TsShape row = *shape;

  if (shape->rank < rank || rank == 0)
    return row;
  row.rank--;
  for (guint i = 0; i < row.rank; i++)
    row.dim[i] = shape->dim[i + 1];
  return row;
}

TsValue *
ts_emit_sum_to (TsEmitter *e, TsValue *g, TsValue *like)
{
  TsValue *in[] = {g, like};

  return ts_shape_equal (&g->shape, &like->shape) ? g : e->emit (e, "sum_to", in, 2, NULL)->out[0];
}
