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
    if (ts_params_lookup (&w->node->params, "init") < 0 || /* constants have none */
        w->kind != TS_VALUE_STATE || (i < 2 && !like) ||
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
ts_update_number (const TsCall *call, guint i)
{
  return ((const double *) call->in[2])[i];
}

TsUpdate
ts_update_begin (const TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = {
      .w = (void *) call->in[0], .g = call->in[1], .n = ts_update_elems (call), .keep = 1};

  for (guint i = 3; i < call->node->n_in; i++)
    u.slot[i - 3] = (void *) call->in[i];
  double decay = ts_params_float (p, "weight_decay");
  if (ts_params_text (p, "decay")[0] == 'c')
    u.pull = decay;
  else
    u.keep = 1 - ts_update_number (call, 0) * decay;
  return u;
}

gboolean
ts_infer_numbers (TsNode *node, TsValue *out, gint64 n)
{
  node->n_out = 1;
  out[0].dtype = TS_F64;
  out[0].shape = TS_SHAPE (n);
  return TRUE;
}
