/* SPDX-License-Identifier: MIT */
#include "data/events/intake.h"

#include <math.h>

#include "data/events/intake-tags.h"
#include "data/events/log-items.h"
#include "data/events/plugin-json.h"
#include "data/store/item.h"

struct TsIntake {
  TsImport *import;
  TsImportRun *run;
  TsIntakeTags tags;
  GByteArray *buffer;
  gboolean has_points, has_graph;
  gboolean recalled;             /* what the file knew of the run has been read */
  double lowest_wall, last_wall; /* so far, in all files; infinite and NaN: none */
  /* the file being read */
  char *path;
  TsImportAttempt *attempt;
  double first_wall;
  gboolean replaced;
};

/* --- Made and freed --- */

TsIntake *
ts_intake_new (TsImport *import, TsImportRun *run)
{
  TsIntake *intake = g_new0 (TsIntake, 1);

  intake->import = import;
  intake->run = run;
  ts_intake_tags_init (&intake->tags);
  intake->buffer = g_byte_array_new ();
  intake->last_wall = NAN;
  gint64 created_us = ts_import_get_created_us (run);
  intake->lowest_wall = created_us ? (double) created_us / 1e6 : (double) INFINITY;
  if (ts_import_get_ended_us (run)) { /* some of it was read before */
    intake->has_points = TRUE;
    intake->last_wall = (double) ts_import_get_ended_us (run) / 1e6;
  }
  return intake;
}

void
ts_intake_free (TsIntake *intake)
{
  ts_intake_tags_clear (&intake->tags);
  g_byte_array_unref (intake->buffer);
  g_free (intake->path);
  g_free (intake);
}

/* --- Attempts --- */

static gint64
wall_us (double wall)
{
  return isfinite (wall) ? ts_wall_us ((gint64) ts_bits (wall), TS_WALL_SECONDS) : 0;
}

/* A file that begins when all before it have ended goes on with the run: where it gives the points of a series
 * anew, they take the place of the old ones.  Files that are written at the same time stand side by side. */
TsImportAttempt *
ts_intake_get_attempt (TsIntake *intake)
{
  gboolean resumes = intake->first_wall >= intake->last_wall; /* FALSE with a NaN */

  if (!intake->attempt)
    intake->attempt = ts_import_add_attempt (
        intake->import, intake->run, intake->path, wall_us (intake->first_wall),
        ts_import_count_attempts (intake->run) > 0 && resumes, intake->replaced, G_MININT64);
  return intake->attempt;
}

/* SessionLog.START: steps from here on are written again.  The first one of a run begins it. */
static void
restart (TsIntake *intake, gint64 step, double wall)
{
  if (!intake->has_points)
    return;
  if (!intake->attempt || !ts_import_attempt_is_empty (intake->attempt))
    intake->attempt = ts_import_add_attempt (intake->import, intake->run, intake->path,
                                             wall_us (wall), FALSE, TRUE, step);
  else
    ts_import_set_resume_step (intake->attempt, step);
}

static void
note_wall (TsIntake *intake, double wall)
{
  if (wall >= intake->lowest_wall && wall <= intake->last_wall && !isnan (intake->first_wall))
    return;
  if (!isfinite (wall))
    return;
  if (isnan (intake->first_wall)) {
    intake->first_wall = wall;
    if (intake->attempt)
      ts_import_attempt_goes_on (intake->import, intake->attempt);
    ts_intake_get_attempt (intake);
  }
  intake->lowest_wall = MIN (intake->lowest_wall, wall);
  intake->last_wall = isnan (intake->last_wall) ? wall : MAX (intake->last_wall, wall);
}

void
ts_intake_settle (TsIntake *intake)
{
  if (isfinite (intake->lowest_wall) && isfinite (intake->last_wall))
    ts_import_set_times (intake->import, intake->run, wall_us (intake->lowest_wall),
                         wall_us (intake->last_wall));
}

gboolean
ts_intake_begin_file (TsIntake *intake, const char *path, TsImportAttempt *attempt,
                      gboolean replaced, GError **error)
{
  g_free (intake->path);
  intake->path = g_strdup (path);
  intake->attempt = replaced ? NULL : attempt;
  intake->replaced = replaced;
  intake->first_wall = NAN;
  gboolean known = intake->recalled;
  intake->recalled = TRUE;
  return known || ts_import_each_series (intake->import, intake->run, ts_intake_tags_recall,
                                         &intake->tags, error);
}

/* --- Values --- */

static void
add_scalar (TsIntake *intake, TsIntakeTag *tag, const TsLogEvent *event, guint64 bits)
{
  TsPoint point = {event->step, event->wall, bits};
  TsImportAttempt *attempt = ts_intake_get_attempt (intake);

  if (!tag->scalars || tag->attempt != attempt) {
    g_autofree char *meta = ts_intake_tag_dup_meta (tag);
    tag->attempt = attempt;
    tag->scalars = ts_import_series (intake->import, attempt, tag->name, TS_SERIES_SCALAR, meta);
  }
  ts_import_add_point (intake->import, tag->scalars, &point);
  intake->has_points = TRUE;
}

/* The buffer as a sample of that kind. */
static void
add_item (TsIntake *intake, const TsIntakeTag *tag, const TsLogEvent *event, TsSeriesKind kind,
          TsItemCodec codec, const char *item_meta)
{
  TsImportAttempt *attempt = ts_intake_get_attempt (intake);
  g_autofree char *meta = ts_intake_tag_dup_meta (tag);
  TsImportSeries *series = ts_import_series (intake->import, attempt, tag->name, kind, meta);
  g_autoptr (GBytes) bytes = g_bytes_new (intake->buffer->data, intake->buffer->len);

  ts_import_add_item (intake->import, series, event->step, event->wall, codec, item_meta, bytes);
}

static void
add_raw (TsIntake *intake, const TsIntakeTag *tag, const TsLogEvent *event, TsItemCodec codec,
         TsSlice bytes)
{
  g_byte_array_set_size (intake->buffer, 0);
  g_byte_array_append (intake->buffer, bytes.data ? bytes.data : (const guint8 *) "",
                       (guint) bytes.size);
  add_item (intake, tag, event, TS_SERIES_TENSOR, codec, NULL);
}

static gboolean
scalar_bits (const TsTensorProto *t, guint64 *bits)
{
  double v;

  if (t->elems != 1 || ts_tensor_proto_numbers (t, &v, 1) != 1)
    return FALSE;
  *bits = ts_bits (v);
  return TRUE;
}

static void
take_first (const guint8 *bytes, gsize size, gpointer data)
{
  *(TsSlice *) data = (TsSlice){bytes, size};
}

static void
set_graph (TsIntake *intake, const char *name, int format, TsSlice slice)
{
  g_autoptr (GBytes) bytes = g_bytes_new (slice.data, slice.size);

  ts_import_set_graph (intake->import, intake->run, name, format, bytes);
}

/* Plugins that have a message of their own in the one string of a tensor: graphs are kept as such too, of a
 * layout what it says is given back, to go with the sample. */
static char *
read_message (TsIntake *intake, const TsIntakeTag *tag, const TsTensorProto *t)
{
  gboolean is_keras = ts_intake_tag_is (tag, "graph_keras_model");
  gboolean is_metadata = ts_intake_tag_is (tag, "graph_run_metadata") ||
                         ts_intake_tag_is (tag, "graph_run_metadata_graph");
  TsSlice bytes = {0};

  if (t->type != TS_PROTO_STRING || t->elems != 1)
    return NULL;
  ts_tensor_proto_strings (t, 1, take_first, &bytes);
  if (bytes.data && (is_keras || is_metadata)) {
    g_autofree char *tag_name = g_utf8_make_valid (tag->name, -1);
    g_autofree char *name = g_strconcat (is_keras ? "keras/" : "run_metadata/", tag_name, NULL);
    set_graph (intake, name, is_keras ? TS_GRAPH_KERAS : TS_GRAPH_RUN_METADATA, bytes);
  }
  if (!bytes.data || !ts_intake_tag_is (tag, "custom_scalars"))
    return NULL;
  JsonNode *layout = ts_plugin_layout (bytes);
  return layout ? ts_plugin_dup_text ("layout", layout) : NULL;
}

/* Strings, numbers, or whatever it is as it came. */
static void
add_plain_tensor (TsIntake *intake, const TsIntakeTag *tag, const TsLogEvent *event,
                  const TsTensorProto *t, TsSlice body)
{
  g_autofree char *meta = read_message (intake, tag, t);
  GByteArray *out = intake->buffer;

  g_byte_array_set_size (out, 0);
  if (ts_log_strings (out, t, 0)) {
    add_item (intake, tag, event, TS_SERIES_TENSOR, TS_ITEM_STRINGS, meta);
    return;
  }
  g_byte_array_set_size (out, 0);
  if (ts_log_array (out, t))
    add_item (intake, tag, event, TS_SERIES_TENSOR, TS_ITEM_ARRAY, NULL);
  else
    add_raw (intake, tag, event, TS_ITEM_TENSOR, body);
}

/* A tensor is what its plugin says and its type and shape allow. */
static void
add_tensor (TsIntake *intake, TsIntakeTag *tag, const TsLogEvent *event, TsSlice body)
{
  TsTensorProto t;
  guint64 bits;
  g_autofree char *meta = NULL;
  GByteArray *out = intake->buffer;

  g_byte_array_set_size (out, 0);
  if (!ts_tensor_proto_parse (&t, body.data, body.size))
    add_raw (intake, tag, event, TS_ITEM_TENSOR, body);
  else if ((!tag->plugin || ts_intake_tag_is (tag, "scalars") || tag->data_class == 1) &&
           scalar_bits (&t, &bits))
    add_scalar (intake, tag, event, bits);
  else if (ts_intake_tag_is (tag, "histograms") && ts_log_histogram_tensor (out, &t))
    add_item (intake, tag, event, TS_SERIES_HISTOGRAM, TS_ITEM_BUCKETS, NULL);
  else if (ts_intake_tag_is (tag, "images") && ts_log_image_tensor (out, &t, &meta))
    add_item (intake, tag, event, TS_SERIES_IMAGE, TS_ITEM_STRINGS, meta);
  else if (ts_intake_tag_is (tag, "audio") && ts_log_strings (out, &t, 0))
    add_item (intake, tag, event, TS_SERIES_AUDIO, TS_ITEM_STRINGS, NULL);
  else if (ts_intake_tag_is (tag, "text") && ts_log_strings (out, &t, 0))
    add_item (intake, tag, event, TS_SERIES_TEXT, TS_ITEM_STRINGS, NULL);
  else
    add_plain_tensor (intake, tag, event, &t, body);
}

/* torch's add_hparams makes a run below the one it is called for, named by the time: "…/1681305136.0421".  What
 * it says is meant for the run above too. */
static gboolean
is_only_for_hparams (const char *name)
{
  const char *last = strrchr (name, '/'), *point;

  last = last ? last + 1 : name;
  point = last + strspn (last, "0123456789");
  return point - last >= 9 && *point == '.' && point[1] &&
         point[1 + strspn (point + 1, "0123456789")] == 0;
}

/* Metadata without a value: hyperparameters, and whatever else a plugin says so. */
static void
add_content (TsIntake *intake, const TsIntakeTag *tag, const TsLogEvent *event)
{
  TsSlice content = {(const guint8 *) tag->content, tag->content_size};

  if (ts_intake_tag_is (tag, "hparams")) {
    TsImportRun *parent = ts_import_get_parent (intake->run);
    ts_log_hparams (intake->import, intake->run, content);
    if (parent && is_only_for_hparams (ts_import_get_name (intake->run)))
      ts_log_hparams (intake->import, parent, content);
  }
  add_raw (intake, tag, event, TS_ITEM_CONTENT, content);
}

static void
add_value (TsIntake *intake, const TsLogEvent *event, const TsLogValue *v)
{
  TsIntakeTag *tag;
  g_autofree char *meta = NULL;

  if (v->tag.size == 0)
    return; /* nothing that could be named */
  tag = ts_intake_tags_find (&intake->tags, v->tag);
  if (v->metadata.data)
    ts_intake_tag_note_metadata (tag, v->metadata);
  if (v->carrier == TS_CARRIER_SIMPLE) {
    add_scalar (intake, tag, event, ts_bits_widen (v->simple));
    return;
  }
  if (v->carrier == TS_CARRIER_TENSOR && !ts_intake_tag_is (tag, "hparams")) {
    add_tensor (intake, tag, event, v->body);
    return;
  }
  g_byte_array_set_size (intake->buffer, 0);
  if (v->carrier == TS_CARRIER_HISTOGRAM && ts_log_histogram (intake->buffer, v->body))
    add_item (intake, tag, event, TS_SERIES_HISTOGRAM, TS_ITEM_BUCKETS, NULL);
  else if (v->carrier == TS_CARRIER_IMAGE && ts_log_image (intake->buffer, v->body, &meta))
    add_item (intake, tag, event, TS_SERIES_IMAGE, TS_ITEM_STRINGS, meta);
  else if (v->carrier == TS_CARRIER_AUDIO && ts_log_audio (intake->buffer, v->body, &meta))
    add_item (intake, tag, event, TS_SERIES_AUDIO, TS_ITEM_STRINGS, meta);
  else if (tag->has_metadata)
    add_content (intake, tag, event);
}

/* --- Graphs --- */

/* MetaGraphDef.graph_def, when the run has no graph of its own. */
static void
add_meta_graph (TsIntake *intake, TsSlice body)
{
  TsWire wire = ts_wire (body.data, body.size);
  TsField f;

  while (!intake->has_graph && ts_wire_next (&wire, &f))
    if (f.number == 2 && f.type == TS_WIRE_BYTES)
      set_graph (intake, "main", TS_GRAPH_DEF, (TsSlice){f.data, f.size});
}

/* TaggedRunMetadata: 1 tag, 2 the bytes of a RunMetadata. */
static void
add_run_metadata (TsIntake *intake, TsSlice body)
{
  TsWire wire = ts_wire (body.data, body.size);
  TsField f;
  TsSlice tag = {0}, bytes = {0};

  while (ts_wire_next (&wire, &f)) {
    if (f.number == 1 && f.type == TS_WIRE_BYTES)
      tag = (TsSlice){f.data, f.size};
    else if (f.number == 2 && f.type == TS_WIRE_BYTES)
      bytes = (TsSlice){f.data, f.size};
  }
  g_autofree char *text = ts_slice_dup_text (tag),
                  *name = g_strconcat ("run_metadata/", text, NULL);
  set_graph (intake, name, TS_GRAPH_RUN_METADATA, bytes);
}

gboolean
ts_intake_add (TsIntake *intake, const guint8 *data, gsize size)
{
  TsLogEvent event;
  TsLogValue value;

  if (ts_log_scalar_parse (&event, &value, data, size)) {
    note_wall (intake, ts_unbits ((guint64) event.wall));
    add_value (intake, &event, &value);
    return TRUE;
  }
  if (!ts_log_event_parse (&event, data, size))
    return FALSE;
  if (event.what == TS_LOG_NOTHING)
    return TRUE; /* its time says nothing either */
  double wall = ts_unbits ((guint64) event.wall);
  note_wall (intake, wall);
  if (event.what == TS_LOG_SUMMARY) {
    TsWire summary = ts_wire (event.body.data, event.body.size);
    while (ts_log_value_next (&summary, &value))
      add_value (intake, &event, &value);
    return ts_wire_is_good (&summary);
  }
  if (event.what == TS_LOG_SESSION && ts_log_session_status (event.body) == 1) {
    restart (intake, event.step, wall);
  } else if (event.what == TS_LOG_GRAPH) {
    set_graph (intake, "main", TS_GRAPH_DEF, event.body);
    intake->has_graph = TRUE;
  } else if (event.what == TS_LOG_META_GRAPH) {
    add_meta_graph (intake, event.body);
  } else if (event.what == TS_LOG_RUN_METADATA) {
    add_run_metadata (intake, event.body);
  }
  return TRUE;
}
