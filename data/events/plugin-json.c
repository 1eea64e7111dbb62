/* SPDX-License-Identifier: MIT */
#include "data/events/plugin-json.h"

static void
add_text (JsonBuilder *json, const char *key, const TsField *f)
{
  g_autofree char *copy = ts_slice_dup ((TsSlice){f->data, f->size});
  g_autofree char *valid = g_utf8_make_valid (copy, -1);

  if (key)
    json_builder_set_member_name (json, key);
  json_builder_add_string_value (json, valid);
}

/* --- Layouts --- */

/* MultilineChartContent: 1 tag[]; MarginChartContent: 1 series[] {1 value 2 lower 3 upper}. */
static gboolean
add_chart_content (JsonBuilder *json, TsWire wire, gboolean margins)
{
  static const char *const keys[] = {NULL, "value", "lower", "upper"};
  TsField f, g;

  json_builder_set_member_name (json, margins ? "margins" : "tags");
  json_builder_begin_array (json);
  while (ts_wire_next (&wire, &f)) {
    if (f.number != 1 || f.type != TS_WIRE_BYTES)
      continue;
    if (!margins) {
      add_text (json, NULL, &f);
      continue;
    }
    TsWire series = ts_field_wire (&f);
    json_builder_begin_object (json);
    while (ts_wire_next (&series, &g))
      if (g.number < G_N_ELEMENTS (keys) && g.type == TS_WIRE_BYTES)
        add_text (json, keys[g.number], &g);
    json_builder_end_object (json);
    if (!ts_wire_is_good (&series))
      wire.p = NULL;
  }
  json_builder_end_array (json);
  return ts_wire_is_good (&wire);
}

/* Chart: 1 title, 2 multiline, 3 margin. */
static gboolean
add_chart (JsonBuilder *json, TsWire wire)
{
  gboolean ok = TRUE, has_content = FALSE;
  TsField f;

  json_builder_begin_object (json);
  while (ok && ts_wire_next (&wire, &f)) {
    if (f.type != TS_WIRE_BYTES)
      continue;
    if (f.number == 1) {
      add_text (json, "title", &f);
    } else if ((f.number == 2 || f.number == 3) && !has_content) {
      has_content = TRUE;
      ok = add_chart_content (json, ts_field_wire (&f), f.number == 3);
    }
  }
  json_builder_end_object (json);
  return ok && ts_wire_is_good (&wire);
}

/* Category: 1 title, 2 chart[], 3 closed. */
static gboolean
add_category (JsonBuilder *json, TsWire wire)
{
  TsWire charts = wire;
  gboolean closed = FALSE, ok = TRUE;
  TsField f;

  json_builder_begin_object (json);
  while (ts_wire_next (&wire, &f)) {
    if (f.number == 1 && f.type == TS_WIRE_BYTES)
      add_text (json, "title", &f);
    else if (f.number == 3 && f.type == TS_WIRE_VARINT)
      closed = f.value != 0;
  }
  json_builder_set_member_name (json, "closed");
  json_builder_add_boolean_value (json, closed);
  json_builder_set_member_name (json, "charts");
  json_builder_begin_array (json);
  while (ok && ts_wire_next (&charts, &f))
    if (f.number == 2 && f.type == TS_WIRE_BYTES)
      ok = add_chart (json, ts_field_wire (&f));
  json_builder_end_array (json);
  json_builder_end_object (json);
  return ok && ts_wire_is_good (&wire);
}

JsonNode *
ts_plugin_layout (TsSlice bytes)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  TsWire wire = ts_wire (bytes.data, bytes.size);
  gboolean ok = TRUE;
  TsField f;

  json_builder_begin_array (json);
  while (ok && ts_wire_next (&wire, &f))
    if (f.number == 2 && f.type == TS_WIRE_BYTES)
      ok = add_category (json, ts_field_wire (&f));
  json_builder_end_array (json);
  return ok && ts_wire_is_good (&wire) ? json_builder_get_root (json) : NULL;
}

/* --- Meshes --- */

JsonNode *
ts_plugin_mesh (TsSlice bytes)
{
  static const char *const parts[] = {NULL, "vertex", "face", "color"};
  g_autoptr (JsonBuilder) json = json_builder_new ();
  TsWire wire = ts_wire (bytes.data, bytes.size);
  TsField f;

  json_builder_begin_object (json);
  while (ts_wire_next (&wire, &f)) {
    if (f.number == 2 && f.type == TS_WIRE_BYTES) {
      add_text (json, "name", &f);
    } else if (f.number == 3 && f.type == TS_WIRE_VARINT && f.value &&
               f.value < G_N_ELEMENTS (parts)) {
      json_builder_set_member_name (json, "part");
      json_builder_add_string_value (json, parts[f.value]);
    } else if ((f.number == 5 || f.number == 6) && f.type == TS_WIRE_BYTES && f.size &&
               *f.data == '{') { /* 6 is the shape, but there are writers that exchange the two */
      add_text (json, "config", &f);
    }
  }
  json_builder_end_object (json);
  return ts_wire_is_good (&wire) ? json_builder_get_root (json) : NULL;
}

char *
ts_plugin_dup_text (const char *key, JsonNode *value)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_object (json);
  json_builder_set_member_name (json, key);
  json_builder_add_value (json, value);
  json_builder_end_object (json);
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  return json_to_string (root, FALSE);
}
