/* SPDX-License-Identifier: MIT */
#include "engine/train/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/json-depth.h"

#define HEADER_MAX ((gsize) 64 << 20)

static const char *
type_name (TsDtype dtype)
{
  static const char *const names[TS_N_DTYPES] = {"F32", "F64", "I32", "I64", "U8", "BOOL"};

  return names[dtype];
}

static void
append_quoted (GString *s, const char *text)
{
  g_string_append_c (s, '"');
  for (const char *p = text; *p; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (s, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (s, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (s, *p);
  g_string_append_c (s, '"');
}

#define CALLBACK_NUMBERS (sizeof (TsCallbackState) / sizeof (double))

/* The bits of all numbers; nothing while there is nothing to remember. */
static void
append_callbacks (GString *s, const TsCallbackState *state)
{
  TsCallbackState fresh;
  guint64 bits[CALLBACK_NUMBERS];

  ts_callbacks_init (&fresh);
  if (memcmp (state, &fresh, sizeof fresh) == 0)
    return;
  memcpy (bits, state, sizeof bits);
  g_string_append (s, ",\"callback_bits\":\"");
  for (guint i = 0; i < CALLBACK_NUMBERS; i++)
    g_string_append_printf (s, "%016" G_GINT64_MODIFIER "x", bits[i]);
  g_string_append_c (s, '"');
}

/* Members of another type, and null, are as if they were not there. */
static const char *
text_of (JsonObject *o, const char *key, const char *fallback)
{
  JsonNode *node = json_object_get_member (o, key);
  const char *text = node && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

  return text ? text : fallback;
}

static gint64
int_at (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_VALUE (node) ? json_node_get_int (node) : -1;
}

static void
read_callbacks (JsonObject *meta, TsCallbackState *state)
{
  const char *text = text_of (meta, "callback_bits", "");
  gsize n = strlen (text) / 16; /* an older file has fewer */
  guint64 bits[CALLBACK_NUMBERS];

  ts_callbacks_init (state);
  if (strlen (text) % 16 || n > CALLBACK_NUMBERS)
    return;
  for (gsize i = 0; i < n; i++) {
    g_autofree char *one = g_strndup (text + 16 * i, 16);
    bits[i] = g_ascii_strtoull (one, NULL, 16);
  }
  memcpy (state, bits, n * sizeof *bits);
}

static void
append_state (GString *s, const TsCheckpointState *c)
{
  g_string_append_printf (
      s,
      "\"__metadata__\":{\"format\":\"trainscope-checkpoint-1\",\"step\":\"%" G_GINT64_FORMAT
      "\",\"epoch\":\"%" G_GUINT64_FORMAT "\",\"epoch_rows\":\"%" G_GUINT64_FORMAT
      "\",\"seed\":\"%" G_GUINT64_FORMAT "\"",
      c->step, c->epoch, c->epoch_rows, c->seed);
  if (c->has_best) {
    guint64 value, loss;
    memcpy (&value, &c->best_value, sizeof value);
    memcpy (&loss, &c->best_loss, sizeof loss);
    g_string_append_printf (
        s,
        ",\"best_bits\":\"%016" G_GINT64_MODIFIER "x\",\"best_loss_bits\":\"%016" G_GINT64_MODIFIER
        "x\",\"best_step\":\"%" G_GINT64_FORMAT "\",\"best_epoch\":\"%" G_GINT64_FORMAT "\"",
        value, loss, c->best_step, c->best_epoch);
  }
  append_callbacks (s, &c->callbacks);
  g_string_append_c (s, '}');
}

/* The header; padded with spaces so that the data start on 64 bytes. */
static GString *
make_header (TsSession *session, const TsCheckpointState *state)
{
  TsGraph *graph = ts_session_get_graph (session);
  GString *s = g_string_new ("{");
  gsize at = 0;

  append_state (s, state);
  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++) {
    TsNode *node = ts_graph_get_node (graph, i);
    if (!ts_node_is_variable (node))
      continue;
    const TsValue *v = node->out[0];
    gsize bytes = ts_value_row_bytes (v);
    g_string_append_c (s, ',');
    append_quoted (s, node->name);
    g_string_append_printf (s, ":{\"dtype\":\"%s\",\"shape\":[", type_name (v->dtype));
    for (guint d = 0; d < v->shape.rank; d++)
      g_string_append_printf (s, "%s%" G_GINT64_FORMAT, d ? "," : "", v->shape.dim[d]);
    g_string_append_printf (s, "],\"data_offsets\":[%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT "]}", at,
                            at + bytes);
    at += bytes;
  }
  g_string_append_c (s, '}');
  while ((s->len + 8) % 64)
    g_string_append_c (s, ' ');
  return s;
}

static gboolean
file_error (const char *path, const char *what, GError **error)
{
  int saved = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved), "cannot %s %s: %s", what, path,
               g_strerror (saved));
  return FALSE;
}

static gboolean
write_part (int fd, GChecksum *sum, const void *data, gsize n)
{
  const guchar *p = data;

  g_checksum_update (sum, p, (gssize) n);
  while (n) {
    gssize k = write (fd, p, n);
    if (k < 0 && errno == EINTR)
      continue;
    if (k < 0)
      return FALSE;
    p += k;
    n -= (gsize) k;
  }
  return TRUE;
}

static gboolean
write_all (int fd, GChecksum *sum, TsSession *session, const GString *header)
{
  TsGraph *graph = ts_session_get_graph (session);
  guint64 size = GUINT64_TO_LE ((guint64) header->len);

  if (!write_part (fd, sum, &size, 8) || !write_part (fd, sum, header->str, header->len))
    return FALSE;
  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++) {
    TsNode *node = ts_graph_get_node (graph, i);
    if (ts_node_is_variable (node) &&
        !write_part (fd, sum, ts_session_get_variable (session, node->out[0]),
                     ts_value_row_bytes (node->out[0])))
      return FALSE;
  }
  return fsync (fd) == 0;
}

static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd >= 0) {
    fsync (fd);
    close (fd);
  }
}

gboolean
ts_checkpoint_save (const char *path, TsSession *session, const TsCheckpointState *state,
                    guint8 sha256[32], gint64 *size_bytes, GError **error)
{
  g_autofree char *temporary = g_strconcat (path, ".tmp", NULL);
  g_autoptr (GString) header = make_header (session, state);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  int fd = g_open (temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

  if (fd < 0)
    return file_error (temporary, "create", error);
  if (!write_all (fd, sum, session, header)) {
    file_error (temporary, "write", error);
    close (fd);
    g_unlink (temporary);
    return FALSE;
  }
  *size_bytes = lseek (fd, 0, SEEK_CUR);
  if (close (fd) != 0 || g_rename (temporary, path) != 0) {
    file_error (path, "write", error);
    g_unlink (temporary);
    return FALSE;
  }
  sync_folder (path);
  gsize n = 32;
  g_checksum_get_digest (sum, sha256, &n);
  return TRUE;
}

static gboolean
format_error (const char *path, GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_FORMAT, "%s is not a sound checkpoint: %s",
               path, text);
  return FALSE;
}

static gint64
whole (JsonObject *o, const char *key)
{
  const char *text = text_of (o, key, "0");

  return g_ascii_strtoll (text, NULL, 10);
}

static double
number_of_bits (JsonObject *o, const char *key)
{
  guint64 bits = g_ascii_strtoull (text_of (o, key, "0"), NULL, 16);
  double d;

  memcpy (&d, &bits, sizeof d);
  return d;
}

static void
read_state (JsonObject *meta, TsCheckpointState *c)
{
  *c = (TsCheckpointState){.step = whole (meta, "step"),
                           .epoch = (guint64) whole (meta, "epoch"),
                           .epoch_rows = (guint64) whole (meta, "epoch_rows"),
                           .seed = (guint64) whole (meta, "seed"),
                           .has_best = json_object_has_member (meta, "best_bits")};
  if (c->has_best) {
    c->best_value = number_of_bits (meta, "best_bits");
    c->best_loss = number_of_bits (meta, "best_loss_bits");
    c->best_step = whole (meta, "best_step");
    c->best_epoch = whole (meta, "best_epoch");
  }
  read_callbacks (meta, &c->callbacks);
}

/* Where @v's bytes lie in the file, or NULL. */
static const char *
find_data (const char *path, JsonObject *root, const TsNode *node, const char *data, gsize n_data,
           GError **error)
{
  const TsValue *v = node->out[0];
  JsonNode *member = json_object_get_member (root, node->name);
  gsize bytes = ts_value_row_bytes (v);

  if (!member || !JSON_NODE_HOLDS_OBJECT (member)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
                 "%s holds no variable '%s'; it was saved by another model, or with another "
                 "optimizer, ema, accumulate or stop",
                 path, node->name);
    return NULL;
  }
  JsonObject *o = json_node_get_object (member);
  JsonNode *shape = json_object_get_member (o, "shape"),
           *offsets = json_object_get_member (o, "data_offsets");
  if (!shape || !JSON_NODE_HOLDS_ARRAY (shape) || !offsets || !JSON_NODE_HOLDS_ARRAY (offsets) ||
      json_array_get_length (json_node_get_array (offsets)) != 2) {
    format_error (path, error, "'%s' has no shape or no data_offsets", node->name);
    return NULL;
  }
  JsonArray *dims = json_node_get_array (shape);
  gboolean same = json_array_get_length (dims) == v->shape.rank &&
                  strcmp (text_of (o, "dtype", ""), type_name (v->dtype)) == 0;
  for (guint i = 0; same && i < v->shape.rank; i++)
    same = int_at (dims, i) == v->shape.dim[i];
  if (!same) {
    g_autofree char *want = ts_shape_dup_text (&v->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: variable '%s' has another shape or type than the model's %s %s", path,
                 node->name, ts_dtype_name (v->dtype), want);
    return NULL;
  }
  gint64 from = int_at (json_node_get_array (offsets), 0);
  gint64 to = int_at (json_node_get_array (offsets), 1);
  if (from < 0 || to < from || (guint64) to > n_data || (gsize) (to - from) != bytes) {
    format_error (path, error,
                  "the data of '%s' at %" G_GINT64_FORMAT " … %" G_GINT64_FORMAT
                  " do not lie in the file's %" G_GSIZE_FORMAT " bytes",
                  node->name, from, to, n_data);
    return NULL;
  }
  return data + from;
}

static JsonParser *
parse_header (const char *path, const char *bytes, gsize n, gsize *header, GError **error)
{
  guint64 size = 0;

  if (n >= 8)
    memcpy (&size, bytes, 8);
  size = GUINT64_FROM_LE (size);
  if (n < 8 || size > HEADER_MAX || size > n - 8) {
    format_error (path, error,
                  "its first 8 bytes promise a header of %" G_GUINT64_FORMAT
                  " bytes, the file has %" G_GSIZE_FORMAT,
                  size, n);
    return NULL;
  }
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) cause = NULL;
  if (!ts_json_is_shallow (bytes + 8, (gssize) size)) {
    format_error (path, error, "its header nests more than %d brackets", TS_JSON_DEPTH_MAX);
    return NULL;
  }
  if (!json_parser_load_from_data (parser, bytes + 8, (gssize) size, &cause) ||
      !json_parser_get_root (parser) || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser))) {
    format_error (path, error, "its header is not JSON%s%s", cause ? ": " : "",
                  cause ? cause->message : "");
    return NULL;
  }
  *header = 8 + (gsize) size;
  return g_steal_pointer (&parser);
}

gboolean
ts_checkpoint_load (const char *path, TsSession *session, gboolean weights_only,
                    TsCheckpointState *state, GError **error)
{
  TsGraph *graph = ts_session_get_graph (session);
  guint n_nodes = ts_graph_get_n_nodes (graph);
  g_autofree const char **found = g_new0 (const char *, n_nodes + 1);
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  gsize start;

  if (!file)
    return FALSE;
  const char *bytes = g_mapped_file_get_contents (file);
  gsize n = g_mapped_file_get_length (file);
  g_autoptr (JsonParser) parser = parse_header (path, bytes, n, &start, error);
  if (!parser)
    return FALSE;
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  JsonNode *meta = json_object_get_member (root, "__metadata__");
  if (!meta || !JSON_NODE_HOLDS_OBJECT (meta))
    return format_error (path, error, "it has no __metadata__");
  for (guint i = 0; i < n_nodes; i++) {
    TsNode *node = ts_graph_get_node (graph, i);
    if (!ts_node_is_variable (node) || (weights_only && !ts_node_is_trainable (node)))
      continue;
    found[i] = find_data (path, root, node, bytes + start, n - start, error);
    if (!found[i])
      return FALSE;
  }
  for (guint i = 0; i < n_nodes; i++)
    if (found[i])
      ts_session_set_variable (session, ts_graph_get_node (graph, i)->out[0], found[i]);
  if (state)
    read_state (json_node_get_object (meta), state);
  return TRUE;
}

gboolean
ts_checkpoint_verify (const char *path, const guint8 sha256[32], GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  guint8 buffer[1 << 16], found[32];
  gsize size = sizeof found;
  ssize_t n = -1;

  if (fd < 0)
    return file_error (path, "open", error);
  while ((n = read (fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0)
      g_checksum_update (sum, buffer, n);
  if (n < 0) {
    file_error (path, "read", error);
    close (fd);
    return FALSE;
  }
  close (fd);
  g_checksum_get_digest (sum, found, &size);
  if (memcmp (found, sha256, sizeof found) == 0)
    return TRUE;
  return format_error (path, error, "it is damaged (its SHA-256 is not the one that was stored)");
}
