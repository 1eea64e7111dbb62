/* SPDX-License-Identifier: MIT */
#include "engine/graph/graph.h"

#include <string.h>

#include "engine/graph/graph-private.h"

static void
node_free (gpointer data)
{
  TsNode *node = data;

  for (guint i = 0; i < node->n_out; i++)
    g_free (node->out[i]);
  g_free (node->in);
  g_free (node->after);
  g_free (node->data);
  g_free (node);
}

TsGraph *
ts_graph_new (void)
{
  TsGraph *g = g_new0 (TsGraph, 1);

  g->refs = 1;
  g->names = g_string_chunk_new (1024);
  g->nodes = g_ptr_array_new_with_free_func (node_free);
  g->values = g_ptr_array_new ();
  g->updates = g_ptr_array_new ();
  g->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g->counts = g_hash_table_new (g_str_hash, g_str_equal);
  g->scopes = g_ptr_array_new ();
  g_ptr_array_add (g->scopes, (gpointer) "");
  g->derived = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g->variable_scopes = g_array_new (FALSE, FALSE, sizeof (TsVariableScope));
  g->shared_variables = g_hash_table_new (g_str_hash, g_str_equal);
  g->controls = g_ptr_array_new ();
  g->control_marks = g_array_new (FALSE, FALSE, sizeof (guint));
  return g;
}

TsGraph *
ts_graph_ref (TsGraph *g)
{
  __atomic_add_fetch (&g->refs, 1, __ATOMIC_RELAXED);
  return g;
}

void
ts_graph_unref (TsGraph *g)
{
  if (__atomic_sub_fetch (&g->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  g_ptr_array_unref (g->nodes);
  g_ptr_array_unref (g->values);
  g_ptr_array_unref (g->updates);
  g_ptr_array_unref (g->scopes);
  g_hash_table_unref (g->by_name);
  g_hash_table_unref (g->counts);
  g_hash_table_unref (g->derived);
  g_string_chunk_free (g->names);
  g_hash_table_unref (g->shared_variables);
  g_array_unref (g->variable_scopes);
  g_ptr_array_unref (g->controls);
  g_array_unref (g->control_marks);
  g_free (g);
}

const char *
ts_graph_get_scope (TsGraph *g)
{
  return g->scopes->pdata[g->scopes->len - 1];
}

/* "scope/name", then "scope/name_1", … */
static const char *
unique_name (TsGraph *g, const char *name)
{
  const char *scope = g->absolute ? "" : ts_graph_get_scope (g);
  g_autofree char *full = g_strconcat (scope, *scope ? "/" : "", name, NULL);
  const char *stem = g_string_chunk_insert_const (g->names, full), *result = stem;
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (g->counts, stem));

  while (g_hash_table_contains (g->by_name, result)) {
    g_autofree char *numbered = g_strdup_printf ("%s_%u", stem, ++count);
    result = g_string_chunk_insert_const (g->names, numbered);
  }
  g_hash_table_insert (g->counts, (gpointer) stem, GUINT_TO_POINTER (count));
  return result;
}

void
ts_graph_push_scope (TsGraph *g, const char *scope)
{
  const char *full = unique_name (g, scope);

  g_hash_table_insert (g->by_name, (gpointer) full, NULL);
  g_ptr_array_add (g->scopes, (gpointer) full);
}

void
ts_graph_pop_scope (TsGraph *g)
{
  g_return_if_fail (g->scopes->len > 1);
  g_ptr_array_remove_index (g->scopes, g->scopes->len - 1);
}

void
ts_graph_set_place (TsGraph *g, int line, int column)
{
  g->line = line;
  g->column = column;
}

static TsValueKind
kind_of (const TsNode *node, const TsValue *out)
{
  if (ts_node_is_variable (node) || ts_node_is_constant (node))
    return TS_VALUE_STATE;
  if (out->shape.rank > 0 && out->shape.dim[0] == TS_ANY)
    return TS_VALUE_ROWS;
  return TS_VALUE_FREE;
}

static gboolean
count_fits (const TsOpClass *op, guint n_in, GError **error)
{
  if (n_in >= op->min_in && n_in <= op->max_in)
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s takes the tensors (%s), not %u of them", op->name, op->in_names, n_in);
  return FALSE;
}

/* Choosing among values and a function such as relu of each may change places: max-pool (relu (x)) is
 * relu (max-pool (x)), to the bit, also in the gradients.  The function then works on fewer values and the
 * unpooled ones need not be kept. */
static gboolean
may_swap (const TsOpClass *op, TsValue *const *in, guint n_in)
{
  if (!(op->flags & TS_OP_SELECT) || n_in != 1)
    return FALSE;
  const TsNode *before = in[0]->node;
  return (before->op->flags & TS_OP_SWAPS) && before->n_in == 1 && before->n_out == 1;
}

static TsNode *
add_swapped (TsGraph *g, const char *op, const char *name, TsNode *function, const TsParams *params,
             GError **error)
{
  TsNode *select = ts_graph_add (g, op, name, function->in, 1, params, error);

  return select ? ts_graph_add (g, function->op->name, NULL, &select->out[0], 1, &function->params,
                                error)
                : NULL;
}

/* More than this no machine holds, and products of sizes stay far from overflow. */
#define ELEMS_MAX ((gint64) 1 << 50)

static gboolean
sizes_fit (const TsNode *node, const TsValue *out, GError **error)
{
  for (guint i = 0; i < node->n_out; i++) {
    const TsShape *s = &out[i].shape;
    gint64 n = 1;
    for (guint k = 0; k < s->rank; k++)
      if (s->dim[k] > 0 && (__builtin_mul_overflow (n, s->dim[k], &n) || n > ELEMS_MAX)) {
        g_autofree char *text = ts_shape_dup_row_text (s);
        g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT,
                     "%s: its result %s is too large", node->op->name, text);
        return FALSE;
      }
  }
  return TRUE;
}

TsNode *
ts_graph_add (TsGraph *g, const char *op_name, const char *name, TsValue *const *in, guint n_in,
              const TsParams *params, GError **error)
{
  const TsOpClass *op = ts_op_lookup (op_name);
  TsValue out[TS_NODE_OUTPUTS_MAX] = {{0}};

  if (!op) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "unknown operation '%s'", op_name);
    return NULL;
  }
  if (!g->plain && may_swap (op, in, n_in))
    return add_swapped (g, op_name, name, in[0]->node, params, error);
  TsNode *node = g_new0 (TsNode, 1);
  node->op = op;
  node->name = unique_name (g, name ? name : op->name);
  node->n_in = n_in;
  node->in = g_memdup2 (in, n_in * sizeof (TsValue *));
  if (params)
    node->params = *params;
  else
    ts_params_init (&node->params, op->params);
  if (!count_fits (op, n_in, error) || !ts_params_check (&node->params, op->name, error) ||
      !op->infer (node, out, error)) {
    node->n_out = 0;
    node_free (node);
    return NULL;
  }
  if (!sizes_fit (node, out, error)) {
    node->n_out = 0;
    node_free (node);
    return NULL;
  }
  node->id = g->nodes->len;
  node->line = g->line;
  node->column = g->column;
  node->stream = ts_rng_stream (node->name, 0);
  if (!(op->flags & TS_OP_SOURCE))
    for (guint i = 0; i < g->controls->len; i++)
      ts_graph_add_control (g, node, g->controls->pdata[i]);
  g_ptr_array_add (g->nodes, node);
  g_hash_table_insert (g->by_name, (gpointer) node->name, node);
  for (guint i = 0; i < node->n_out; i++) {
    TsValue *v = node->out[i] = g_memdup2 (&out[i], sizeof (TsValue));
    v->node = node;
    v->index = i;
    v->id = g->values->len;
    v->kind = kind_of (node, v);
    g_ptr_array_add (g->values, v);
  }
  return node;
}

void
ts_graph_add_control (TsGraph *g, TsNode *node, TsNode *before)
{
  g_return_if_fail (before->id < node->id);
  node->after = g_renew (TsNode *, node->after, node->n_after + 1);
  node->after[node->n_after++] = before;
}

void
ts_graph_set_rewrites (TsGraph *g, gboolean rewrites)
{
  g->plain = !rewrites;
}

void
ts_graph_push_control (TsGraph *g, TsNode *const *before, guint n)
{
  guint mark = g->controls->len;

  g_array_append_val (g->control_marks, mark);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (g->controls, before[i]);
}

void
ts_graph_pop_control (TsGraph *g)
{
  guint n = g->control_marks->len;

  g_return_if_fail (n > 0);
  g_ptr_array_set_size (g->controls, (gint) g_array_index (g->control_marks, guint, n - 1));
  g_array_set_size (g->control_marks, n - 1);
}

void
ts_graph_add_update (TsGraph *g, TsNode *node)
{
  g_ptr_array_add (g->updates, node);
}

guint
ts_graph_get_n_updates (const TsGraph *g)
{
  return g->updates->len;
}

TsNode *
ts_graph_get_update (const TsGraph *g, guint i)
{
  return g->updates->pdata[i];
}

static void
set_source (TsParams *p, const char *op, TsDtype dtype, const TsShape *shape)
{
  ts_params_init (p, ts_op_lookup (op)->params);
  ts_params_set_text (p, "dtype", ts_dtype_name (dtype), NULL);
  ts_params_set_list (p, "shape", shape->dim, shape->rank, NULL);
}

TsValue *
ts_graph_placeholder (TsGraph *g, const char *name, TsDtype dtype, const TsShape *shape,
                      GError **error)
{
  TsParams p;

  set_source (&p, "placeholder", dtype, shape);
  TsNode *node = ts_graph_add (g, "placeholder", name, NULL, 0, &p, error);
  return node ? node->out[0] : NULL;
}

TsValue *
ts_graph_variable (TsGraph *g, const char *name, TsDtype dtype, const TsShape *shape,
                   const char *init, double scale, gboolean trainable, GError **error)
{
  TsParams p;

  set_source (&p, "variable", dtype, shape);
  if (!ts_params_set_text (&p, "init", init, error))
    return NULL;
  ts_params_set_number (&p, "scale", scale, NULL);
  ts_params_set_bool (&p, "trainable", trainable, NULL);
  TsNode *node = ts_graph_add (g, "variable", name, NULL, 0, &p, error);
  return node ? node->out[0] : NULL;
}

TsValue *
ts_graph_constant (TsGraph *g, const char *name, TsDtype dtype, const TsShape *shape, double value)
{
  TsParams p;

  set_source (&p, "constant", dtype, shape);
  ts_params_set_number (&p, "value", value, NULL);
  TsNode *node = ts_graph_add (g, "constant", name, NULL, 0, &p, NULL);
  g_assert (node);
  return node->out[0];
}

TsValue *
ts_graph_constant_data (TsGraph *g, const char *name, TsDtype dtype, const TsShape *shape,
                        const void *data)
{
  TsValue *v = ts_graph_constant (g, name, dtype, shape, 0);

  v->node->data = g_memdup2 (data, ts_value_row_bytes (v));
  return v;
}

TsValue *
ts_graph_derive (TsGraph *g, const char *op, TsValue *value)
{
  g_autofree char *key = g_strdup_printf ("%s %u", op, value->id);
  TsValue *known = g_hash_table_lookup (g->derived, key);

  if (known)
    return known;
  TsNode *node = ts_graph_add (g, op, NULL, &value, 1, NULL, NULL);
  g_assert (node);
  if (value->kind == TS_VALUE_STATE)
    node->out[0]->kind = TS_VALUE_STATE;
  g_hash_table_insert (g->derived, g_steal_pointer (&key), node->out[0]);
  return node->out[0];
}

guint
ts_graph_get_n_nodes (const TsGraph *g)
{
  return g->nodes->len;
}

TsNode *
ts_graph_get_node (const TsGraph *g, guint id)
{
  return g->nodes->pdata[id];
}

guint
ts_graph_get_n_values (const TsGraph *g)
{
  return g->values->len;
}

TsValue *
ts_graph_get_value (const TsGraph *g, guint id)
{
  return g->values->pdata[id];
}

TsNode *
ts_graph_lookup (const TsGraph *g, const char *name)
{
  return g_hash_table_lookup (g->by_name, name);
}

/* A source that keeps its value has an initialiser or a constant; a placeholder has neither. */
gboolean
ts_node_is_variable (const TsNode *node)
{
  return (node->op->flags & TS_OP_SOURCE) && ts_params_lookup (&node->params, "init") >= 0;
}

gboolean
ts_node_is_constant (const TsNode *node)
{
  return (node->op->flags & TS_OP_SOURCE) && ts_params_lookup (&node->params, "value") >= 0;
}

gboolean
ts_node_is_derived (const TsNode *node)
{
  return node->n_out == 1 && node->n_in == 1 && node->out[0]->kind == TS_VALUE_STATE;
}

gboolean
ts_node_is_trainable (const TsNode *node)
{
  return ts_node_is_variable (node) && ts_params_bool (&node->params, "trainable");
}

gboolean
ts_node_is_slot (const TsNode *node)
{
  return ts_node_is_variable (node) && ts_params_bool (&node->params, "slot");
}
