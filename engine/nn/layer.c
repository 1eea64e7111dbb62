/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"

#include <string.h>

struct TsLayer {
  const TsLayerClass *klass;
  TsParams params;
  char *name;
  GHashTable *variables; /* name -> TsValue */
};

const TsLayerClass *
ts_layer_lookup (const char *name)
{
  for (guint i = 0; ts_layer_table[i]; i++)
    if (strcmp (ts_layer_table[i]->name, name) == 0)
      return ts_layer_table[i];
  return NULL;
}

TsLayer *
ts_layer_new (const TsLayerClass *klass, const char *name, const TsParams *params)
{
  TsLayer *l = g_new0 (TsLayer, 1);

  l->klass = klass;
  l->params = *params;
  l->name = g_strdup (name ? name : klass->name);
  l->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return l;
}

void
ts_layer_free (TsLayer *l)
{
  g_hash_table_unref (l->variables);
  g_free (l->name);
  g_free (l);
}

const TsLayerClass *
ts_layer_get_class (const TsLayer *l)
{
  return l->klass;
}

const TsParams *
ts_layer_get_params (const TsLayer *l)
{
  return &l->params;
}

TsValue *
ts_layer_apply (TsLayer *l, TsGraph *graph, TsValue *const *in, guint n_in, GError **error)
{
  if (n_in != l->klass->n_in) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s takes the tensors (%s), not %u of them", l->klass->name, l->klass->in_names,
                 n_in);
    return NULL;
  }
  if (!ts_params_check (&l->params, l->klass->name, error))
    return NULL;
  ts_graph_push_scope (graph, l->name);
  TsValue *y = l->klass->build (l, graph, in, error);
  ts_graph_pop_scope (graph);
  return y;
}

static TsValue *
variable (TsLayer *l, TsGraph *graph, const char *name, TsDtype dtype, const TsShape *shape,
          const char *init, gboolean trainable, GError **error)
{
  TsValue *v = g_hash_table_lookup (l->variables, name);

  if (v && !ts_shape_equal (&v->shape, shape)) {
    g_autofree char *old = ts_shape_dup_text (&v->shape), *new = ts_shape_dup_text (shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "layer '%s' is shared but its input changed: its %s is %s, this use needs %s",
                 l->name, name, old, new);
    return NULL;
  }
  if (v)
    return v;
  v = ts_graph_variable (graph, name, dtype, shape, init, 0, trainable, error);
  if (v)
    g_hash_table_insert (l->variables, g_strdup (name), v);
  return v;
}

TsValue *
ts_layer_variable (TsLayer *l, TsGraph *graph, const char *name, TsDtype dtype,
                   const TsShape *shape, const char *init, GError **error)
{
  return variable (l, graph, name, dtype, shape, init, TRUE, error);
}

TsValue *
ts_layer_statistic (TsLayer *l, TsGraph *graph, const char *name, TsDtype dtype,
                    const TsShape *shape, const char *init, GError **error)
{
  return variable (l, graph, name, dtype, shape, init, FALSE, error);
}

TsValue *
ts_layer_activate (TsGraph *graph, const char *name, TsValue *x, GError **error)
{
  if (strcmp (name, "linear") == 0)
    return x;
  TsNode *node = ts_graph_add (graph, name, NULL, &x, 1, NULL, error);
  return node ? node->out[0] : NULL;
}
