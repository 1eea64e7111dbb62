/* SPDX-License-Identifier: MIT */
#include "data/events/log-encode.h"

#include <math.h>

#include "data/events/log-event.h"
#include "data/events/tensor.h"
#include "data/events/wire-write.h"
#include "data/store/array.h"
#include "data/store/histogram.h"
#include "data/store/item.h"
#include "data/store/json-read.h"

static void
put_shape (GByteArray *out, guint rank, const gint64 *dim)
{
  g_autoptr (GByteArray) shape = g_byte_array_new ();
  g_autoptr (GByteArray) one = g_byte_array_new ();

  for (guint i = 0; i < rank; i++) {
    if (dim[i])
      ts_wire_put_int (one, 1, dim[i]);
    ts_wire_put_message (shape, 2, one);
  }
  ts_wire_put_message (out, 2, shape);
}

static void
begin_tensor (GByteArray *out, TsProtoType type, guint rank, const gint64 *dim)
{
  ts_wire_put_int (out, 1, (gint64) type);
  put_shape (out, rank, dim);
}

static void
put_metadata (GByteArray *out, const TsLogTag *tag)
{
  g_autoptr (GByteArray) metadata = g_byte_array_new ();
  g_autoptr (GByteArray) plugin = g_byte_array_new ();

  if (!tag->plugin && !tag->display_name && !tag->description)
    return;
  if (tag->plugin)
    ts_wire_put_text (plugin, 1, tag->plugin);
  if (tag->content_size)
    ts_wire_put_bytes (plugin, 2, tag->content, tag->content_size);
  ts_wire_put_message (metadata, 1, plugin);
  if (tag->display_name)
    ts_wire_put_text (metadata, 2, tag->display_name);
  if (tag->description)
    ts_wire_put_text (metadata, 3, tag->description);
  if (tag->data_class)
    ts_wire_put_int (metadata, 4, tag->data_class);
  ts_wire_put_message (out, 9, metadata);
}

/* The Value with @body as its field @carrier. */
static void
put_value (GByteArray *out, const TsLogTag *tag, TsLogCarrier carrier, GByteArray *body)
{
  g_autoptr (GByteArray) value = g_byte_array_new ();

  ts_wire_put_text (value, 1, tag->tag);
  if (tag->first)
    put_metadata (value, tag);
  if (carrier != TS_CARRIER_NONE)
    ts_wire_put_message (value, carrier, body);
  ts_wire_put_message (out, 1, value);
}

void
ts_log_put_scalar (GByteArray *out, const TsLogTag *tag, guint64 bits, gboolean narrow)
{
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  guint32 small;

  begin_tensor (tensor, narrow ? TS_PROTO_FLOAT : TS_PROTO_DOUBLE, 0, NULL);
  if (narrow) {
    float rounded = (float) ts_unbits (bits);
    if (!ts_bits_narrow (bits, &small))
      memcpy (&small, &rounded, sizeof small);
    small = GUINT32_TO_LE (small);
    ts_wire_put_bytes (tensor, 4, &small, sizeof small);
  } else {
    bits = GUINT64_TO_LE (bits);
    ts_wire_put_bytes (tensor, 4, &bits, sizeof bits);
  }
  put_value (out, tag, TS_CARRIER_TENSOR, tensor);
}

/* --- Histograms --- */

static void
put_rows (GByteArray *out, const TsLogTag *tag, guint n, const double *rows)
{
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  const gint64 dim[] = {n, 3};

  begin_tensor (tensor, TS_PROTO_DOUBLE, 2, dim);
  ts_wire_put_bytes (tensor, 4, rows, 24 * (gsize) n); /* little-endian, like the machine */
  put_value (out, tag, TS_CARRIER_TENSOR, tensor);
}

/* A HistogramProto: limits are the right edges. */
static void
put_limits (GByteArray *out, const TsLogTag *tag, const TsBuckets *b)
{
  g_autoptr (GByteArray) proto = g_byte_array_new ();
  g_autoptr (GByteArray) limits = g_byte_array_new ();
  g_autoptr (GByteArray) counts = g_byte_array_new ();
  const double moments[] = {b->min, b->max, b->count, b->sum, b->sum_squares};

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    ts_wire_put_double (proto, i + 1, moments[i]);
  for (guint i = 0; i < b->n; i++) {
    g_byte_array_append (limits, (const guint8 *) &b->rows[3 * i + 1], 8);
    g_byte_array_append (counts, (const guint8 *) &b->rows[3 * i + 2], 8);
  }
  ts_wire_put_message (proto, 6, limits);
  ts_wire_put_message (proto, 7, counts);
  put_value (out, tag, TS_CARRIER_HISTOGRAM, proto);
}

static gboolean
put_histogram (GByteArray *out, const TsLogTag *tag, int codec, const guint8 *data, gsize size)
{
  double rows[3 * TS_HISTOGRAM_BUCKETS];
  g_autofree double *many = NULL;
  TsBuckets b;
  TsHistogram h;

  if (codec == TS_ITEM_HISTOGRAM) {
    if (!ts_histogram_decode (data, size, &h, NULL))
      return FALSE;
    for (guint i = 0; i < h.n; i++) {
      rows[3 * i] = h.left[i];
      rows[3 * i + 1] = h.right[i];
      rows[3 * i + 2] = h.bucket[i];
    }
    put_rows (out, tag, h.n, rows);
    return TRUE;
  }
  if (!ts_buckets_decode (data, size, &b, &many, NULL))
    return FALSE;
  if (b.form == TS_BUCKETS_LIMITS)
    put_limits (out, tag, &b);
  else
    put_rows (out, tag, b.n, b.rows);
  return TRUE;
}

/* --- Strings --- */

static void
add_string (guint index, const guint8 *bytes, gsize size, gpointer data)
{
  ts_wire_put_bytes (data, 8, bytes, size);
}

static gint64
meta_number (const char *meta, const char *key)
{
  g_autoptr (JsonNode) root = ts_json_read (meta);

  if (!root)
    return 0;
  return ts_json_int (json_node_get_object (root), key, 0);
}

/* Images have their width and height in front; sounds are rows of a sound and its label. */
static gboolean
put_strings (GByteArray *out, const TsLogTag *tag, TsSeriesKind kind, const TsStoredItem *item)
{
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  gint64 dim[TS_STRINGS_RANK_MAX];
  guint rank;
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);

  if (kind == TS_SERIES_IMAGE) {
    g_autofree char *width =
        g_strdup_printf ("%" G_GINT64_FORMAT, meta_number (item->meta, "width"));
    g_autofree char *height =
        g_strdup_printf ("%" G_GINT64_FORMAT, meta_number (item->meta, "height"));
    ts_wire_put_text (strings, 8, width);
    ts_wire_put_text (strings, 8, height);
  }
  if (!ts_strings_decode (data, size, &rank, dim, add_string, strings))
    return FALSE;
  if (kind == TS_SERIES_IMAGE && rank == 1)
    dim[0] += 2;
  begin_tensor (tensor, TS_PROTO_STRING, rank, dim);
  g_byte_array_append (tensor, strings->data, strings->len);
  put_value (out, tag, TS_CARRIER_TENSOR, tensor);
  return TRUE;
}

static gboolean
put_array (GByteArray *out, const TsLogTag *tag, const guint8 *data, gsize size)
{
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  TsArray array;

  if (!ts_array_decode (data, size, &array, NULL))
    return FALSE;
  begin_tensor (tensor, (TsProtoType) array.type, array.rank, array.dim);
  ts_wire_put_bytes (tensor, 4, array.data, array.elems * ts_array_type_bytes (array.type));
  put_value (out, tag, TS_CARRIER_TENSOR, tensor);
  return TRUE;
}

gboolean
ts_log_put_item (GByteArray *out, const TsLogTag *tag, TsSeriesKind kind, const TsStoredItem *item)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);

  switch (item->codec) {
  case TS_ITEM_HISTOGRAM:
  case TS_ITEM_BUCKETS:
    return put_histogram (out, tag, item->codec, data, size);
  case TS_ITEM_STRINGS:
    return put_strings (out, tag, kind, item);
  case TS_ITEM_TENSOR:
    g_byte_array_append (body, data, (guint) size);
    put_value (out, tag, TS_CARRIER_TENSOR, body);
    return TRUE;
  case TS_ITEM_ARRAY:
    return put_array (out, tag, data, size);
  case TS_ITEM_CONTENT:
    put_value (out, tag, TS_CARRIER_NONE, body);
    return TRUE;
  }
  return FALSE;
}

/* --- Hyperparameters --- */

static void
put_hparam (GByteArray *out, const TsHparam *h)
{
  g_autoptr (GByteArray) entry = g_byte_array_new ();
  g_autoptr (GByteArray) value = g_byte_array_new ();

  ts_wire_put_text (entry, 1, h->key);
  if (h->kind == TS_HPARAM_BOOL)
    ts_wire_put_int (value, 4, h->i != 0);
  else if (h->kind == TS_HPARAM_TEXT)
    ts_wire_put_text (value, 3, h->t ? h->t : "");
  else if (h->kind == TS_HPARAM_NULL)
    ts_wire_put_int (value, 1, 0);
  else
    ts_wire_put_double (value, 2, h->kind == TS_HPARAM_INT ? (double) h->i : h->r);
  ts_wire_put_message (entry, 2, value);
  ts_wire_put_message (out, 1, entry);
}

void
ts_log_put_hparams (GByteArray *out, const TsHparam *hparams, guint n, double start_seconds)
{
  g_autoptr (GByteArray) start = g_byte_array_new ();
  g_autoptr (GByteArray) content = g_byte_array_new ();
  g_autoptr (GByteArray) none = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    put_hparam (start, &hparams[i]);
  ts_wire_put_double (start, 5, start_seconds);
  ts_wire_put_message (content, 3, start);
  const TsLogTag tag = {.tag = "_hparams_/session_start_info",
                        .plugin = "hparams",
                        .content = content->data,
                        .content_size = content->len,
                        .first = TRUE};
  put_value (out, &tag, TS_CARRIER_NONE, none);
}

/* --- Graphs --- */

/* "dense/kernel:0" is "dense/kernel" in a GraphDef. */
static void
put_inputs (GByteArray *node, JsonObject *object, const char *member, const char *prefix)
{
  JsonArray *list = ts_json_array (object, member);

  for (guint i = 0; list && i < json_array_get_length (list); i++) {
    g_autofree char *name = g_strconcat (prefix, ts_json_array_text (list, i), NULL);
    if (g_str_has_suffix (name, ":0"))
      name[strlen (name) - 2] = 0;
    ts_wire_put_text (node, 3, name);
  }
}

/* attr["_output_shapes"] = list (shape), which TensorBoard draws on edges. */
static void
put_output_shapes (GByteArray *node, JsonObject *object)
{
  JsonArray *outputs = ts_json_array (object, "outputs");
  g_autoptr (GByteArray) list = g_byte_array_new ();
  g_autoptr (GByteArray) value = g_byte_array_new ();
  g_autoptr (GByteArray) entry = g_byte_array_new ();

  for (guint i = 0; outputs && i < json_array_get_length (outputs); i++) {
    g_autoptr (GByteArray) shape = g_byte_array_new ();
    g_autoptr (GByteArray) one = g_byte_array_new ();
    JsonObject *output = ts_json_array_object (outputs, i);
    JsonArray *dims = output ? ts_json_array (output, "shape") : NULL;
    for (guint k = 0; dims && k < json_array_get_length (dims); k++) {
      JsonNode *dim = json_array_get_element (dims, k);
      ts_wire_put_int (one, 1, JSON_NODE_HOLDS_VALUE (dim) ? json_node_get_int (dim) : -1);
      ts_wire_put_message (shape, 2, one);
    }
    ts_wire_put_message (list, 7, shape);
  }
  ts_wire_put_message (value, 1, list);
  ts_wire_put_text (entry, 1, "_output_shapes");
  ts_wire_put_message (entry, 2, value);
  ts_wire_put_message (node, 5, entry);
}

GByteArray *
ts_log_graph_def (const char *json)
{
  g_autoptr (JsonNode) root = ts_json_read (json);
  g_autoptr (GByteArray) graph = g_byte_array_new ();
  g_autoptr (GByteArray) node = g_byte_array_new ();
  g_autoptr (GByteArray) versions = g_byte_array_new ();

  JsonArray *nodes = root ? ts_json_array (json_node_get_object (root), "nodes") : NULL;
  if (!nodes)
    return NULL;
  for (guint i = 0; i < json_array_get_length (nodes); i++) {
    JsonObject *object = ts_json_array_object (nodes, i);
    if (!object)
      continue;
    ts_wire_put_text (node, 1, ts_json_text (object, "name", ""));
    ts_wire_put_text (node, 2, ts_json_text (object, "op", ""));
    put_inputs (node, object, "inputs", "");
    put_inputs (node, object, "control", "^");
    put_output_shapes (node, object);
    ts_wire_put_message (graph, 1, node);
  }
  ts_wire_put_int (versions, 1, 22);
  ts_wire_put_message (graph, 4, versions);
  return g_steal_pointer (&graph);
}
