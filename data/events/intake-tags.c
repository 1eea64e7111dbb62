/* SPDX-License-Identifier: MIT */
#include "data/events/intake-tags.h"

#include "data/events/plugin-json.h"
#include "data/store/json-read.h"

static guint
slice_hash (gconstpointer data)
{
  const TsSlice *s = data;
  guint64 h = 14695981039346656037ull; /* FNV-1a */

  for (gsize i = 0; i < s->size; i++)
    h = (h ^ s->data[i]) * 1099511628211ull;
  return (guint) (h ^ h >> 32);
}

static gboolean
slice_equal (gconstpointer a, gconstpointer b)
{
  return ts_slice_equal (a, b);
}

static void
forget_metadata (TsIntakeTag *tag)
{
  g_free (tag->plugin);
  g_free (tag->content);
  g_free (tag->display_name);
  g_free (tag->description);
}

static void
free_tag (gpointer data)
{
  TsIntakeTag *tag = data;

  g_free (tag->name);
  forget_metadata (tag);
  g_free (tag);
}

void
ts_intake_tags_init (TsIntakeTags *tags)
{
  *tags = (TsIntakeTags){g_hash_table_new_full (slice_hash, slice_equal, NULL, free_tag), NULL};
}

void
ts_intake_tags_clear (TsIntakeTags *tags)
{
  g_hash_table_unref (tags->by_bytes);
}

TsIntakeTag *
ts_intake_tags_look_up (TsIntakeTags *tags, TsSlice bytes)
{
  TsIntakeTag *tag = g_hash_table_lookup (tags->by_bytes, &bytes);

  if (!tag) {
    tag = g_new0 (TsIntakeTag, 1);
    tag->name = g_malloc0 (bytes.size + 1); /* ends at a zero byte, the bytes go on */
    memcpy (tag->name, bytes.data, bytes.size);
    tag->bytes = (TsSlice){(const guint8 *) tag->name, bytes.size};
    g_hash_table_insert (tags->by_bytes, &tag->bytes, tag);
  }
  if (tags->last)
    tags->last->next = tag;
  return tags->last = tag;
}

void
ts_intake_tag_note_metadata (TsIntakeTag *tag, TsSlice bytes)
{
  TsLogMetadata m;

  if (tag->has_metadata || !ts_log_metadata_parse (&m, bytes))
    return;
  tag->has_metadata = m.plugin.size > 0 || m.data_class;
  forget_metadata (tag);
  tag->plugin = ts_slice_dup_text (m.plugin);
  tag->display_name = ts_slice_dup_text (m.display_name);
  tag->description = ts_slice_dup_text (m.description);
  tag->content = g_memdup2 (m.content.data, m.content.size);
  tag->content_size = m.content.size;
  tag->data_class = m.data_class;
}

static void
add_member (JsonBuilder *json, const char *key, const char *text)
{
  if (!text)
    return;
  json_builder_set_member_name (json, key);
  json_builder_add_string_value (json, text);
}

char *
ts_intake_tag_dup_meta (const TsIntakeTag *tag)
{
  if (!tag->plugin && !tag->display_name && !tag->description && !tag->content_size &&
      !tag->data_class)
    return NULL;
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autofree char *content =
      tag->content_size ? g_base64_encode ((const guchar *) tag->content, tag->content_size) : NULL;
  JsonNode *mesh =
      ts_intake_tag_is (tag, "mesh")
          ? ts_plugin_mesh ((TsSlice){(const guint8 *) tag->content, tag->content_size})
          : NULL;

  json_builder_begin_object (json);
  add_member (json, "plugin", tag->plugin);
  add_member (json, "display_name",
              g_strcmp0 (tag->display_name, tag->name) == 0 ? NULL : tag->display_name);
  add_member (json, "description", tag->description);
  add_member (json, "content", content);
  if (tag->data_class) {
    json_builder_set_member_name (json, "data_class");
    json_builder_add_int_value (json, tag->data_class);
  }
  if (mesh) {
    json_builder_set_member_name (json, "mesh");
    json_builder_add_value (json, mesh);
  }
  json_builder_end_object (json);
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  return json_object_get_size (json_node_get_object (root)) ? json_to_string (root, FALSE) : NULL;
}

static char *
dup_json_text (JsonObject *object, const char *key)
{
  return g_strdup (ts_json_text (object, key, NULL));
}

void
ts_intake_tags_recall (const char *name, const char *meta, gpointer data)
{
  g_autoptr (JsonNode) root = ts_json_read (meta);
  TsIntakeTag *tag = ts_intake_tags_find (data, (TsSlice){(const guint8 *) name, strlen (name)});

  if (!root || tag->has_metadata)
    return;
  JsonObject *object = json_node_get_object (root);
  g_autofree char *content = dup_json_text (object, "content");
  tag->plugin = dup_json_text (object, "plugin");
  tag->display_name = dup_json_text (object, "display_name");
  tag->description = dup_json_text (object, "description");
  if (content)
    tag->content = (char *) g_base64_decode (content, &tag->content_size);
  tag->data_class = (int) ts_json_int (object, "data_class", 0);
  tag->has_metadata = tag->plugin || tag->data_class;
}
