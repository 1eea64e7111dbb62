/* SPDX-License-Identifier: MIT */
#include "engine/graph/variables.h"

#include <string.h>

#include "engine/graph/graph-private.h"

/* The three refusals have TensorFlow's words (variable_scope.py), which people search for. */

void
ts_graph_push_variable_scope (TsGraph *g, const char *name, TsReuse reuse)
{
  const TsVariableScope *outer = ts_graph_variable_scope (g);
  TsVariableScope inner = {.reuse = reuse};
  g_autofree char *prefix = outer ? g_strconcat (outer->prefix, "/", name, NULL) : g_strdup (name);

  if (outer && reuse == TS_REUSE_NO)
    inner.reuse = outer->reuse; /* once on, it holds for all scopes inside */
  inner.prefix = g_string_chunk_insert_const (g->names, prefix);
  ts_graph_push_scope (g, name);
  g_array_append_val (g->variable_scopes, inner);
}

void
ts_graph_pop_variable_scope (TsGraph *g)
{
  g_return_if_fail (g->variable_scopes->len > 0);
  g_array_set_size (g->variable_scopes, g->variable_scopes->len - 1);
  ts_graph_pop_scope (g);
}

static gboolean
agrees (const TsValue *v, TsDtype dtype, const TsShape *shape, GError **error)
{
  if (!ts_shape_equal (&v->shape, shape)) {
    g_autofree char *found = ts_shape_dup_text (&v->shape), *asked = ts_shape_dup_text (shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "Trying to share variable %s, but specified shape %s and found shape %s.",
                 v->node->name, asked, found);
    return FALSE;
  }
  if (v->dtype != dtype) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "Trying to share variable %s, but specified dtype %s and found dtype %s.",
                 v->node->name, ts_dtype_name (dtype), ts_dtype_name (v->dtype));
    return FALSE;
  }
  return TRUE;
}

TsValue *
ts_graph_get_variable (TsGraph *g, const char *name, TsDtype dtype, const TsShape *shape,
                       const char *init, double scale, gboolean trainable, GError **error)
{
  const TsVariableScope *scope = ts_graph_variable_scope (g);
  TsReuse reuse = scope ? scope->reuse : TS_REUSE_NO;
  g_autofree char *full = scope ? g_strconcat (scope->prefix, "/", name, NULL) : g_strdup (name);
  TsValue *v = g_hash_table_lookup (g->shared_variables, full);

  if (v && reuse == TS_REUSE_NO) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
                 "Variable %s already exists, disallowed. Did you mean to set reuse=True or "
                 "reuse=tf.AUTO_REUSE in VarScope? Here: TS_REUSE_YES or TS_REUSE_AUTO, or better, "
                 "a layer object used twice.",
                 full);
    return NULL;
  }
  if (v)
    return agrees (v, dtype, shape, error) ? v : NULL;
  if (reuse == TS_REUSE_YES) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
                 "Variable %s does not exist, or was not created with tf.get_variable(). Did you "
                 "mean to set reuse=tf.AUTO_REUSE in VarScope? Here: ts_graph_get_variable, "
                 "TS_REUSE_AUTO.",
                 full);
    return NULL;
  }
  g->absolute = TRUE;
  v = ts_graph_variable (g, full, dtype, shape, init, scale, trainable, error);
  g->absolute = FALSE;
  if (v)
    g_hash_table_insert (g->shared_variables, g_string_chunk_insert_const (g->names, full), v);
  return v;
}

TsValue *
ts_graph_print (TsGraph *g, TsValue *value, const char *message, gint64 first_n, gint64 summarize,
                GError **error)
{
  TsShape scalar = TS_SCALAR;
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("print")->params);
  if (!ts_params_set_text (&p, "message", message ? message : "", error) ||
      !ts_params_set_number (&p, "first_n", (double) first_n, error) ||
      !ts_params_set_number (&p, "summarize", (double) summarize, error))
    return NULL;
  TsValue *count = ts_graph_variable (g, "printed", TS_F64, &scalar, "zeros", 0, FALSE, error);
  TsValue *in[] = {value, count};
  TsNode *node = count ? ts_graph_add (g, "print", NULL, in, 2, &p, error) : NULL;
  return node ? node->out[0] : NULL;
}
