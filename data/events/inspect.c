/* SPDX-License-Identifier: MIT */
#include "data/events/inspect.h"

#include <math.h>

#include "data/events/log-event.h"
#include "data/events/tree.h"
#include "data/store/point.h"

typedef struct {
  TsInspect *out;
  GHashTable *tags;    /* "kind\ntag" → TsInspectTag */
  GHashTable *plugins; /* tag → plugin: it comes with the first value only */
} Inspection;

static void
free_tag (gpointer data)
{
  TsInspectTag *tag = data;

  g_free (tag->tag);
  g_free (tag->kind);
  g_free (tag->plugin);
  g_free (tag);
}

void
ts_inspect_free (TsInspect *i)
{
  g_array_unref (i->damage);
  g_array_unref (i->starts);
  g_ptr_array_unref (i->tags);
  g_free (i->version);
  g_free (i->writer);
  g_free (i);
}

static char *
dup_valid (TsSlice slice)
{
  g_autofree char *text = ts_slice_dup (slice);

  return g_utf8_make_valid (text, -1);
}

static const char *
kind_name (TsLogCarrier carrier)
{
  switch (carrier) {
  case TS_CARRIER_SIMPLE:
    return "scalar";
  case TS_CARRIER_HISTOGRAM:
  case TS_CARRIER_OLD_HISTOGRAM:
    return "histogram";
  case TS_CARRIER_IMAGE:
    return "image";
  case TS_CARRIER_AUDIO:
    return "audio";
  case TS_CARRIER_TENSOR:
    return "tensor";
  case TS_CARRIER_NONE:
    break;
  }
  return "metadata";
}

static void
note_plugin (Inspection *in, const char *tag, TsSlice bytes)
{
  TsLogMetadata m;

  if (bytes.data && ts_log_metadata_parse (&m, bytes) && m.plugin.size &&
      !g_hash_table_contains (in->plugins, tag))
    g_hash_table_insert (in->plugins, g_strdup (tag), dup_valid (m.plugin));
}

static void
note_value (Inspection *in, const TsLogEvent *event, const TsLogValue *v)
{
  const char *kind = kind_name (v->carrier);
  g_autofree char *name = dup_valid (v->tag);
  g_autofree char *key = g_strconcat (kind, "\n", name, NULL);
  TsInspectTag *tag = g_hash_table_lookup (in->tags, key);

  note_plugin (in, name, v->metadata);
  if (!tag) {
    tag = g_new0 (TsInspectTag, 1);
    *tag = (TsInspectTag){.tag = g_strdup (name),
                          .kind = g_strdup (kind),
                          .min_step = event->step,
                          .max_step = event->step};
    tag->plugin = g_strdup (g_hash_table_lookup (in->plugins, name));
    g_hash_table_insert (in->tags, g_steal_pointer (&key), tag);
    g_ptr_array_add (in->out->tags, tag);
  }
  tag->count++;
  tag->min_step = MIN (tag->min_step, event->step);
  tag->max_step = MAX (tag->max_step, event->step);
}

static gboolean
note_summary (Inspection *in, const TsLogEvent *event)
{
  TsInspect *out = in->out;
  TsWire summary = ts_wire (event->body.data, event->body.size);
  TsLogValue value;

  out->min_step = out->summaries ? MIN (out->min_step, event->step) : event->step;
  out->max_step = out->summaries ? MAX (out->max_step, event->step) : event->step;
  out->summaries++;
  while (ts_log_value_next (&summary, &value)) {
    out->values++;
    note_value (in, event, &value);
  }
  return ts_wire_is_good (&summary);
}

static void
note_wall (TsInspect *out, double wall)
{
  if (!isfinite (wall))
    return;
  if (isnan (out->first_wall))
    out->first_wall = wall;
  out->last_wall = wall;
}

/* SourceMetadata.writer, in the event of the file's version. */
static void
note_version (TsInspect *out, const TsLogEvent *event, const guint8 *data, gsize size)
{
  TsWire wire = ts_wire (data, size);
  TsField f, g;

  g_free (out->version);
  out->version = dup_valid (event->body);
  while (ts_wire_next (&wire, &f)) {
    TsWire source = ts_field_wire (&f);
    while (f.number == 10 && f.type == TS_WIRE_BYTES && ts_wire_next (&source, &g))
      if (g.number == 1 && g.type == TS_WIRE_BYTES && !out->writer)
        out->writer = dup_valid ((TsSlice){g.data, g.size});
  }
}

static gboolean
note_record (Inspection *in, const guint8 *data, gsize size)
{
  TsInspect *out = in->out;
  TsLogEvent event;

  if (!ts_log_event_parse (&event, data, size))
    return FALSE;
  if (event.what != TS_LOG_NOTHING)
    note_wall (out, ts_unbits ((guint64) event.wall));
  if (event.what == TS_LOG_SUMMARY)
    return note_summary (in, &event);
  if (event.what == TS_LOG_FILE_VERSION)
    note_version (out, &event, data, size);
  else if (event.what == TS_LOG_SESSION && ts_log_session_status (event.body) == 1)
    g_array_append_val (out->starts, event.step);
  out->graphs += event.what == TS_LOG_GRAPH || event.what == TS_LOG_META_GRAPH;
  out->run_metadata += event.what == TS_LOG_RUN_METADATA;
  out->messages += event.what == TS_LOG_MESSAGE;
  return TRUE;
}

TsInspect *
ts_inspect_file (const char *path, GError **error)
{
  g_autoptr (TsRecordReader) reader = ts_record_reader_open (path, 0, NULL, error);
  const guint8 *data;
  gsize size;
  gint64 offset;
  int more;

  if (!reader)
    return NULL;
  g_autoptr (TsInspect) out = g_new0 (TsInspect, 1);
  out->first_wall = out->last_wall = NAN;
  out->damage = g_array_new (FALSE, FALSE, sizeof (TsDamage));
  out->starts = g_array_new (FALSE, FALSE, sizeof (gint64));
  out->tags = g_ptr_array_new_with_free_func (free_tag);
  Inspection in = {out, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};
  while ((more = ts_record_reader_next (reader, &data, &size, &offset, error)) == 1) {
    out->records++;
    if (!note_record (&in, data, size))
      ts_record_reader_add_damage (reader);
  }
  g_hash_table_unref (in.tags);
  g_hash_table_unref (in.plugins);
  const GArray *damage = ts_record_reader_get_damage (reader);
  g_array_append_vals (out->damage, damage->data, damage->len);
  out->size = ts_record_reader_get_size (reader);
  out->end = ts_record_reader_get_offset (reader);
  out->tail = ts_record_reader_get_tail (reader);
  out->lfs_pointer = ts_tree_is_lfs_pointer (path);
  return more < 0 ? NULL : g_steal_pointer (&out);
}
