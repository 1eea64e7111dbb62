/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

gboolean
ts_infer_update (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *w = node->in[0];

  node->n_out = 0;
  for (guint i = 0; i < node->n_in; i++) {
    const TsValue *v = node->in[i];
    gboolean like = v->dtype == w->dtype && ts_shape_equal (&v->shape, &w->shape);
    if (w->kind != TS_VALUE_STATE || (i < 2 && !like) ||
        ((node->op->updates >> i & 1) && v->kind != TS_VALUE_STATE)) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                   "%s: '%s' does not go with the variable '%s'", node->op->name, v->node->name,
                   w->node->name);
      return FALSE;
    }
  }
  return TRUE;
}

TsPartition
ts_partition_update (const TsNode *node)
{
  TsPartition p = {.kind = TS_PART_BLOCKS};

  ts_value_units (node->in[0], &p.extent, &p.unit_elems);
  for (guint i = 0; i < node->n_in; i++)
    if (i < 2 || (node->op->updates >> i & 1))
      p.cut_in |= 1u << i;
  return p;
}

gsize
ts_update_elems (const TsCall *call)
{
  gint64 extent, unit;

  ts_value_units (call->node->in[0], &extent, &unit);
  return (gsize) ((call->end - call->begin) * unit);
}

double
ts_call_scalar (const TsCall *call, guint input, guint i)
{
  return ((const double *) call->in[input])[i];
}
