/* SPDX-License-Identifier: MIT */
#include "engine/graph/graph-dump.h"

#include <json-glib/json-glib.h>

static const char *
kind_name (const TsNode *node)
{
  if (ts_node_is_variable (node))
    return "variable";
  if (ts_node_is_constant (node))
    return "constant";
  if (node->op->flags & TS_OP_SOURCE)
    return "placeholder";
  return ts_node_is_derived (node) ? "derived" : "op";
}

static void
add_outputs (JsonBuilder *b, const TsNode *node)
{
  json_builder_set_member_name (b, "outputs");
  json_builder_begin_array (b);
  for (guint i = 0; i < node->n_out; i++) {
    const TsShape *s = &node->out[i]->shape;
    json_builder_begin_object (b);
    json_builder_set_member_name (b, "dtype");
    json_builder_add_string_value (b, ts_dtype_name (node->out[i]->dtype));
    json_builder_set_member_name (b, "shape");
    json_builder_begin_array (b);
    for (guint k = 0; k < s->rank; k++)
      if (s->dim[k] == TS_ANY)
        json_builder_add_null_value (b);
      else
        json_builder_add_int_value (b, s->dim[k]);
    json_builder_end_array (b);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

static void
add_node (JsonBuilder *b, const TsNode *node)
{
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "name");
  json_builder_add_string_value (b, node->name);
  json_builder_set_member_name (b, "op");
  json_builder_add_string_value (b, node->op->name);
  json_builder_set_member_name (b, "kind");
  json_builder_add_string_value (b, kind_name (node));
  json_builder_set_member_name (b, "inputs");
  json_builder_begin_array (b);
  for (guint i = 0; i < node->n_in; i++) {
    g_autofree char *text = g_strdup_printf ("%s:%u", node->in[i]->node->name, node->in[i]->index);
    json_builder_add_string_value (b, text);
  }
  json_builder_end_array (b);
  if (node->n_after) {
    json_builder_set_member_name (b, "control");
    json_builder_begin_array (b);
    for (guint i = 0; i < node->n_after; i++)
      json_builder_add_string_value (b, node->after[i]->name);
    json_builder_end_array (b);
  }
  add_outputs (b, node);
  if (node->params.n) {
    json_builder_set_member_name (b, "params");
    json_builder_begin_object (b);
    for (guint i = 0; i < node->params.n; i++) {
      g_autofree char *text = ts_params_dup_value (&node->params, i);
      json_builder_set_member_name (b, node->params.specs[i].name);
      json_builder_add_string_value (b, text ? text : "");
    }
    json_builder_end_object (b);
  }
  if (node->line) {
    json_builder_set_member_name (b, "line");
    json_builder_add_int_value (b, node->line);
    json_builder_set_member_name (b, "column");
    json_builder_add_int_value (b, node->column);
  }
  json_builder_end_object (b);
}

char *
ts_graph_dup_json (const TsGraph *graph)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  json_builder_set_member_name (b, "nodes");
  json_builder_begin_array (b);
  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++)
    add_node (b, ts_graph_get_node (graph, i));
  json_builder_end_array (b);
  json_builder_end_object (b);
  g_autoptr (JsonNode) root = json_builder_get_root (b);
  return json_to_string (root, FALSE);
}
