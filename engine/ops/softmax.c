/* SPDX-License-Identifier: MIT */
#include "engine/ops/softmax.h"

gboolean
ts_softmax_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank < 1 || x->dim[x->rank - 1] < 1) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs a last axis of at least one entry, but '%s' is %s", node->op->name,
                 node->in[0]->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

TsPartition
ts_softmax_partition (const TsNode *node)
{
  const TsShape *y = &node->out[0]->shape;

  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  gint64 n = y->dim[y->rank - 1];
  return (TsPartition){.kind = TS_PART_BLOCKS,
                       .extent = ts_shape_elems (y) / n,
                       .unit_elems = n,
                       .cut_in = (1u << node->n_in) - 1,
                       .cut_out = 1};
}

gint64
ts_softmax_lines (const TsCall *call, gsize *n)
{
  const TsValue *y = call->node->out[0];
  gint64 lines = call->end - call->begin;

  *n = (gsize) y->shape.dim[y->shape.rank - 1];
  return y->kind == TS_VALUE_ROWS ? lines * ts_shape_row_elems (&y->shape) / (gint64) *n : lines;
}

void
ts_softmax_grad_forward (TsCall *call,
                         void (*grad) (const void *y, const void *dy, void *dx, gsize n))
{
  gsize n;
  gint64 lines = ts_softmax_lines (call, &n);
  gsize bytes = n * ts_dtype_size (call->dtype);

  for (gint64 i = 0; i < lines; i++)
    grad ((const char *) call->in[0] + i * bytes, (const char *) call->in[1] + i * bytes,
          (char *) call->out[0] + i * bytes, n);
}

void
ts_softmax_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                     TsValue **grad_in)
{
  TsValue *in[] = {node->out[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, node->op->parts[0]->name, in, 2, NULL)->out[0];
}
