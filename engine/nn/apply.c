/* SPDX-License-Identifier: MIT */
#include "engine/nn/apply.h"

static TsValue *
apply_op (TsGraph *graph, TsValue *const *in, guint n, const char *name, const char *params,
          GError **error)
{
  const TsOpClass *op = ts_op_lookup (name);
  TsParams p;

  ts_params_init (&p, op ? op->params : NULL);
  if (op && !ts_params_parse_all (&p, params, error))
    return NULL;
  TsNode *node = ts_graph_add (graph, name, NULL, in, n, &p, error);
  return node ? node->out[0] : NULL;
}

TsValue *
ts_apply (TsGraph *graph, TsValue *x, const char *name, const char *params, GError **error)
{
  const TsLayerClass *klass = ts_layer_lookup (name);
  TsParams p;

  if (!x)
    return NULL;
  if (!klass)
    return apply_op (graph, &x, 1, name, params, error);
  ts_params_init (&p, klass->params);
  if (!ts_params_parse_all (&p, params, error))
    return NULL;
  g_autoptr (TsLayer) layer = ts_layer_new (klass, NULL, &p);
  return ts_layer_apply (layer, graph, &x, 1, error);
}

TsValue *
ts_apply2 (TsGraph *graph, TsValue *a, TsValue *b, const char *name, const char *params,
           GError **error)
{
  return a && b ? apply_op (graph, (TsValue *[]){a, b}, 2, name, params, error) : NULL;
}
