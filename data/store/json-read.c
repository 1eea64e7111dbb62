/* SPDX-License-Identifier: MIT */
#include "data/store/json-read.h"

#include "engine/base/json-depth.h"

JsonNode *
ts_json_read (const char *text)
{
  g_autoptr (JsonNode) root =
      text && ts_json_is_shallow (text, -1) ? json_from_string (text, NULL) : NULL;

  return root && JSON_NODE_HOLDS_OBJECT (root) ? g_steal_pointer (&root) : NULL;
}

const char *
ts_json_text (JsonObject *object, const char *name, const char *fallback)
{
  JsonNode *node = json_object_get_member (object, name);
  const char *text = node && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

  return text ? text : fallback;
}

gint64
ts_json_int (JsonObject *object, const char *name, gint64 fallback)
{
  JsonNode *node = json_object_get_member (object, name);
  gboolean is_number =
      node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;

  return is_number ? json_node_get_int (node) : fallback;
}

JsonArray *
ts_json_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

JsonObject *
ts_json_array_object (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

const char *
ts_json_array_text (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}
