/* SPDX-License-Identifier: MIT */
#include "engine/ops/channels.h"

#include <string.h>

#include "engine/ops/window.h"

gint64
ts_channels (const TsValue *x)
{
  return x->shape.dim[x->shape.rank - 1];
}

gint64
ts_channel_lines (const TsValue *x)
{
  gint64 n = x->kind == TS_VALUE_ROWS ? ts_shape_row_elems (&x->shape) : ts_shape_elems (&x->shape);

  return n / MAX (ts_channels (x), 1);
}

gsize
ts_call_channel_lines (const TsCall *call, const TsValue *x)
{
  gint64 rows = x->kind == TS_VALUE_ROWS ? call->end - call->begin : 1;

  return (gsize) (rows * ts_channel_lines (x));
}

gboolean
ts_infer_per_channel (const TsNode *node, guint first, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gboolean rows = node->in[0]->kind == TS_VALUE_ROWS;

  if (x->rank < 1 || (rows && x->rank < 2)) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs an axis of channels, but '%s' is %s", node->op->name,
                 node->in[0]->node->name, text);
    return FALSE;
  }
  for (guint i = first; i < node->n_in; i++) {
    const TsShape *v = &node->in[i]->shape;
    if (v->rank == 1 && v->dim[0] == x->dim[x->rank - 1])
      continue;
    g_autofree char *tx = ts_shape_dup_row_text (x), *tv = ts_shape_dup_row_text (v);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: '%s' %s must have one number for each entry of the last axis of %s",
                 node->op->name, node->in[i]->node->name, tv, tx);
    return FALSE;
  }
  return TRUE;
}

gsize
ts_sums_bytes (gint64 channels, guint n_sums)
{
  return (gsize) channels * n_sums * sizeof (double);
}

TsPartition
ts_sums_partition (const TsNode *node, gint64 channels, guint n_sums)
{
  if (node->in[0]->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = ts_sums_bytes (channels, n_sums)};
}

double *
ts_sums_begin (const TsCall *call, gint64 channels, guint n_sums)
{
  double *sums = call->partial ? call->partial : call->workspace;

  if (!call->partial || !call->accumulate)
    memset (sums, 0, ts_sums_bytes (channels, n_sums));
  return sums;
}

static void
put (const TsCall *call, const double *sums, gint64 channels, guint n_sums)
{
  for (guint i = 0; i < n_sums; i++)
    call->k->convert[call->dtype](TS_F64, sums + i * channels, call->out[i], (gsize) channels, 1);
}

void
ts_sums_finish (const TsCall *call, gint64 channels, guint n_sums)
{
  if (!call->partial)
    put (call, call->workspace, channels, n_sums);
}

void
ts_sums_combine (TsCall *call)
{
  guint n_sums = call->node->n_out;
  gint64 channels = ts_channels (call->node->out[0]);
  gsize all = (gsize) channels * n_sums;

  /* the tree reads a part before it writes over it, so the first part can hold the total */
  call->k->tree_sum[TS_F64](call->partial, all, (gsize) call->n_partials, call->partial, all);
  put (call, call->partial, channels, n_sums);
}

gboolean
ts_infer_global_pool (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank < 3) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs an image [height, width, channels] or a sequence [length, channels] but "
                 "its input is %s",
                 node->op->name, text);
    return FALSE;
  }
  if (!ts_window_check (node->op->name, x, NULL, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], x->dim[x->rank - 1]);
  return TRUE;
}

gsize
ts_global_pixels (const TsValue *x)
{
  return (gsize) (ts_shape_row_elems (&x->shape) / ts_channels (x));
}

gboolean
ts_infer_like_second (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[1]);
  return TRUE;
}
