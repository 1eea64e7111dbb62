/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

#include <string.h>

extern const TsOpClass *const ts_op_table[]; /* made by the build */

const TsOpClass *
ts_op_lookup (const char *name)
{
  for (guint i = 0; ts_op_table[i]; i++) {
    const TsOpClass *op = ts_op_table[i];
    if (strcmp (op->name, name) == 0)
      return op;
    for (guint p = 0; op->parts && op->parts[p]; p++)
      if (strcmp (op->parts[p]->name, name) == 0)
        return op->parts[p];
  }
  return NULL;
}

void
ts_op_foreach (void (*func) (const TsOpClass *op, gpointer data), gpointer data)
{
  for (guint i = 0; ts_op_table[i]; i++) {
    func (ts_op_table[i], data);
    for (guint p = 0; ts_op_table[i]->parts && ts_op_table[i]->parts[p]; p++)
      func (ts_op_table[i]->parts[p], data);
  }
}

void
ts_call_fault (TsCall *call, gint64 position, gint64 value, gint64 limit)
{
  TsFault *f = call->fault;

  if (f->node &&
      (f->node->id < call->node->id || (f->node == call->node && f->position <= position)))
    return;
  *f = (TsFault){call->node, position, value, limit};
}

TsRng
ts_call_rng (const TsCall *call, guint64 stream)
{
  return (TsRng){call->seed, stream ^ (call->step * 0x9e3779b97f4a7c15u)};
}

double
ts_node_flops (const TsNode *node, gint64 batch)
{
  if (node->op->flops)
    return node->op->flops (node, batch);
  if (node->n_out == 0)
    return 0;
  const TsValue *y = node->out[0];
  return y->kind == TS_VALUE_ROWS ? (double) batch * (double) ts_shape_row_elems (&y->shape)
                                  : (double) ts_shape_elems (&y->shape);
}

gboolean
ts_keeps_sense (const TsNode *node)
{
  return TRUE;
}

gboolean
ts_node_less_is_better (const TsNode *node)
{
  while (node->n_in == 1 && ((node->op->flags & TS_OP_VIEW) ||
                             (node->op->keeps_sense && node->op->keeps_sense (node))))
    node = node->in[0]->node;
  return node->op->less_is_better;
}

void
ts_value_units (const TsValue *value, gint64 *extent, gint64 *unit_elems)
{
  const TsShape *s = &value->shape;
  gint64 n = ts_shape_elems (s);
  gint64 last = s->rank >= 2 ? MAX (s->dim[s->rank - 1], 1) : 1;

  *unit_elems = last;
  *extent = n / last;
}

TsPartition
ts_partition_whole (const TsNode *node)
{
  return (TsPartition){.kind = TS_PART_WHOLE, .extent = 1, .unit_elems = 1};
}

TsPartition
ts_partition_rows (const TsNode *node)
{
  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

TsPartition
ts_partition_elementwise (const TsNode *node)
{
  const TsValue *y = node->out[0];

  if (y->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  TsPartition p = {.kind = TS_PART_BLOCKS, .cut_out = (1u << node->n_out) - 1};
  ts_value_units (y, &p.extent, &p.unit_elems);
  if (p.extent <= 1)
    return ts_partition_whole (node);
  for (guint i = 0; i < node->n_in; i++)
    if (ts_shape_equal (&node->in[i]->shape, &y->shape))
      p.cut_in |= 1u << i;
  return p;
}

gsize
ts_call_elems (const TsCall *call)
{
  const TsValue *y = call->node->out[0];

  if (y->kind == TS_VALUE_ROWS)
    return (gsize) ((call->end - call->begin) * ts_shape_row_elems (&y->shape));
  gint64 extent, unit;
  ts_value_units (y, &extent, &unit);
  if (extent <= 1)
    return (gsize) unit;
  return (gsize) ((call->end - call->begin) * unit);
}

void
ts_infer_like (TsNode *node, TsValue *out, guint i, const TsValue *like)
{
  node->n_out = MAX (node->n_out, i + 1);
  out[i].dtype = like->dtype;
  out[i].shape = like->shape;
}

gboolean
ts_infer_floats (const TsNode *node, GError **error)
{
  for (guint i = 0; i < node->n_in; i++) {
    const TsValue *v = node->in[i];
    if (ts_dtype_is_float (v->dtype) && v->dtype == node->in[0]->dtype)
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs float tensors of one type, but '%s' is %s", node->op->name,
                 v->node->name, ts_dtype_name (v->dtype));
    return FALSE;
  }
  return TRUE;
}
