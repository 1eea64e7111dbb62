/* SPDX-License-Identifier: MIT */
#include "data/events/log-export.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>

#include "data/events/error.h"
#include "data/events/log-encode.h"
#include "data/events/log-event.h"
#include "data/events/record-writer.h"
#include "data/store/item.h"
#include "data/store/json-read.h"

#define POINTS_AT_ONCE 65536
#define ITEMS_AT_ONCE  64

typedef struct {
  TsReader *reader;
  const TsRun *run;
  const char *folder;
  gboolean exact, apart; /* apart: attempts have folders of their own */
  TsLogExportReport *report;
  GPtrArray *tags;
  GPtrArray *writers; /* by the ordinal of the attempt; NULL: nothing yet */
  GArray *started;    /* of gint64: wall bits, by ordinal */
  GByteArray *body;
} Export;

void
ts_log_export_report_clear (TsLogExportReport *report)
{
  g_clear_pointer (&report->problems, g_ptr_array_unref);
}

/* --- Files --- */

/* A run's name as a path below the folder, never out of it. */
static char *
run_path (const Export *e, gint32 ordinal)
{
  g_auto (GStrv) parts = g_strsplit (e->run->name, "/", -1);
  g_autoptr (GString) path = g_string_new (e->folder);

  for (guint i = 0; parts[i]; i++) {
    gboolean dots = strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0;
    g_string_append_printf (path, "/%s", dots || !*parts[i] ? "_" : parts[i]);
  }
  if (e->apart && ordinal > 0)
    g_string_append_printf (path, ".attempt-%d", ordinal);
  return g_string_free (g_steal_pointer (&path), FALSE);
}

static TsRecordWriter *
find_writer (Export *e, gint32 ordinal, gint64 wall, GError **error)
{
  if ((guint) ordinal >= e->writers->len)
    g_ptr_array_set_size (e->writers, ordinal + 1);
  if (e->writers->pdata[ordinal])
    return e->writers->pdata[ordinal];
  gint64 started =
      (guint) ordinal < e->started->len ? g_array_index (e->started, gint64, ordinal) : 0;
  double seconds = ts_unbits ((guint64) (started ? started : wall));
  g_autofree char *folder = run_path (e, ordinal);
  g_autofree char *name =
      g_strdup_printf ("%s/events.out.tfevents.%010" G_GINT64_FORMAT ".trainscope.%d.v2", folder,
                       (gint64) CLAMP (isfinite (seconds) ? seconds : 0, 0, 9e9), ordinal);
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_IO, "cannot make %s: %s", folder,
                 g_strerror (errno));
    return NULL;
  }
  e->report->files++;
  return e->writers->pdata[ordinal] = ts_record_writer_new (
             name, (gint64) ts_bits (isfinite (seconds) ? seconds : 0), error);
}

/* The Summary in e->body. */
static gboolean
put_summary (Export *e, gint32 ordinal, gint64 wall, gint64 step, GError **error)
{
  TsRecordWriter *writer = find_writer (e, ordinal, wall, error);

  if (!writer)
    return FALSE;
  ts_record_writer_add (writer, wall, step, TS_LOG_SUMMARY, e->body->data, e->body->len);
  g_byte_array_set_size (e->body, 0);
  e->report->values++;
  return TRUE;
}

static gboolean
close_writers (Export *e, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < e->writers->len; i++)
    if (e->writers->pdata[i])
      ok = ts_record_writer_close (e->writers->pdata[i], ok ? error : NULL) && ok;
  g_ptr_array_set_size (e->writers, 0);
  return ok;
}

/* --- Tags --- */

typedef struct {
  TsLogTag tag;
  char *plugin, *display_name, *description;
  guchar *content;
  GArray *seen; /* of gboolean: the attempt has had its first value */
} Tag;

static void
clear_tag (Tag *t)
{
  g_free (t->plugin);
  g_free (t->display_name);
  g_free (t->description);
  g_free (t->content);
  g_array_unref (t->seen);
}

/* What a series is to TensorBoard when no event file has said it. */
static void
set_defaults (Tag *t, TsSeriesKind kind)
{
  static const struct {
    const char *plugin, *content;
    int data_class;
  } kinds[] = {
      [TS_SERIES_SCALAR] = {"scalars", "", 1},      [TS_SERIES_HISTOGRAM] = {"histograms", "", 2},
      [TS_SERIES_IMAGE] = {"images", "", 3},        [TS_SERIES_TEXT] = {"text", "", 2},
      [TS_SERIES_AUDIO] = {"audio", "\x10\x0b", 3}, /* encoding: WAV */
      [TS_SERIES_TENSOR] = {NULL, "", 0},
  };

  if (t->plugin || (guint) kind >= G_N_ELEMENTS (kinds))
    return;
  t->plugin = g_strdup (kinds[kind].plugin);
  t->tag.content = kinds[kind].content;
  t->tag.content_size = strlen (kinds[kind].content);
  t->tag.data_class = kinds[kind].data_class;
}

static void
init_tag (Tag *t, const TsTagInfo *info)
{
  g_autoptr (JsonNode) root = ts_json_read (info->meta);

  *t = (Tag){.tag = {.tag = info->tag}, .seen = g_array_new (FALSE, TRUE, sizeof (gboolean))};
  if (root) {
    JsonObject *o = json_node_get_object (root);
    const char *content = ts_json_text (o, "content", NULL);
    t->plugin = g_strdup (ts_json_text (o, "plugin", NULL));
    t->display_name = g_strdup (ts_json_text (o, "display_name", NULL));
    t->description = g_strdup (ts_json_text (o, "description", NULL));
    t->tag.data_class = (int) ts_json_int (o, "data_class", 0);
    if (content)
      t->tag.content = t->content = g_base64_decode (content, &t->tag.content_size);
  }
  set_defaults (t, info->kind);
  t->tag.plugin = t->plugin;
  t->tag.display_name = t->display_name;
  t->tag.description = t->description;
}

static const TsLogTag *
tag_for (Tag *t, gint32 ordinal)
{
  if ((guint) ordinal >= t->seen->len)
    g_array_set_size (t->seen, (guint) ordinal + 1);
  t->tag.first = !g_array_index (t->seen, gboolean, ordinal);
  g_array_index (t->seen, gboolean, ordinal) = TRUE;
  return &t->tag;
}

/* --- Series --- */

static gint64
wall_bits (gint64 wall, TsWallKind kind)
{
  return kind == TS_WALL_SECONDS ? wall : (gint64) ts_bits (ts_wall_seconds (wall, kind));
}

/* Are all values those of a binary32? */
static int
is_narrow (Export *e, gint64 series_id, GArray *points, GError **error)
{
  gint64 from = 0;
  guint32 narrow;

  do {
    g_array_set_size (points, 0);
    if (!ts_reader_read_points (e->reader, series_id, from, POINTS_AT_ONCE, points, error))
      return -1;
    for (guint i = 0; i < points->len; i++)
      if (!ts_bits_narrow (g_array_index (points, TsStoredPoint, i).bits, &narrow))
        return 0;
    from += points->len;
  } while (points->len);
  return 1;
}

static gboolean
export_scalars (Export *e, const TsTagInfo *info, Tag *t, GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  int narrow = e->exact ? is_narrow (e, info->series_id, points, error) : 1;
  gint64 from = 0;

  if (narrow < 0)
    return FALSE;
  do {
    g_array_set_size (points, 0);
    if (!ts_reader_read_points (e->reader, info->series_id, from, POINTS_AT_ONCE, points, error))
      return FALSE;
    for (guint i = 0; i < points->len; i++) {
      const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
      ts_log_put_scalar (e->body, tag_for (t, p->attempt), p->bits, narrow);
      if (!put_summary (e, p->attempt, wall_bits (p->wall, p->wall_kind), p->step, error))
        return FALSE;
    }
    from += points->len;
  } while (points->len);
  return TRUE;
}

static gboolean
export_items (Export *e, const TsTagInfo *info, Tag *t, GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TsStoredItem));
  gint64 from = 0;

  g_array_set_clear_func (items, ts_stored_item_clear);
  do {
    g_array_set_size (items, 0);
    if (!ts_reader_read_items (e->reader, info->series_id, from, ITEMS_AT_ONCE, TRUE, items, error))
      return FALSE;
    for (guint i = 0; i < items->len; i++) {
      const TsStoredItem *item = &g_array_index (items, TsStoredItem, i);
      if (!ts_log_put_item (e->body, tag_for (t, item->attempt), info->kind, item)) {
        g_byte_array_set_size (e->body, 0);
        g_ptr_array_add (e->report->problems,
                         g_strdup_printf ("%s: '%s' at step %" G_GINT64_FORMAT
                                          " has no form in event files",
                                          e->run->name, info->tag, item->step));
      } else if (!put_summary (e, item->attempt, wall_bits (item->wall, item->wall_kind),
                               item->step, error)) {
        return FALSE;
      }
    }
    from += items->len;
  } while (items->len);
  return TRUE;
}

/* --- A run --- */

/* Do attempts hide points of earlier ones?  They begin where? */
static gboolean
read_attempts (Export *e, GError **error)
{
  g_autoptr (GArray) attempts = ts_reader_list_attempts (e->reader, e->run->run_id, error);

  if (!attempts)
    return FALSE;
  for (guint i = 0; i < attempts->len; i++) {
    const TsAttemptInfo *a = &g_array_index (attempts, TsAttemptInfo, i);
    gint64 bits = (gint64) ts_bits (ts_wall_seconds (a->started_us, TS_WALL_US));
    g_array_append_val (e->started, bits);
    e->apart |= a->ordinal > 0 && (a->resumed || a->by_series);
  }
  return TRUE;
}

static gboolean
has_tag (const Export *e, const char *tag)
{
  for (guint i = 0; i < e->tags->len; i++)
    if (strcmp (((const TsTagInfo *) e->tags->pdata[i])->tag, tag) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
export_hparams (Export *e, GError **error)
{
  double start = ts_wall_seconds (e->run->created_us, TS_WALL_US);

  if (!e->run->n_hparams || has_tag (e, "_hparams_/session_start_info"))
    return TRUE;
  ts_log_put_hparams (e->body, e->run->hparams, e->run->n_hparams, start);
  return put_summary (e, 0, (gint64) ts_bits (start), 0, error);
}

static gboolean
export_graph (Export *e, GError **error)
{
  gint64 wall = (gint64) ts_bits (ts_wall_seconds (e->run->created_us, TS_WALL_US));
  int format;
  g_autoptr (GError) none = NULL;
  g_autoptr (GBytes) bytes = ts_reader_dup_main_graph (e->reader, e->run->run_id, &format, &none);
  g_autoptr (GByteArray) graph = NULL;

  if (!bytes)
    return TRUE; /* there is none */
  if (format == 0) {
    g_autofree char *json = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    graph = ts_log_graph_def (json);
  } else {
    graph = g_bytes_unref_to_array (g_bytes_ref (bytes));
  }
  TsRecordWriter *writer = graph ? find_writer (e, 0, wall, error) : NULL;
  if (writer)
    ts_record_writer_add (writer, wall, 0, TS_LOG_GRAPH, graph->data, graph->len);
  return writer || !graph;
}

static gboolean
export_series (Export *e, GError **error)
{
  for (guint i = 0; i < e->tags->len; i++) {
    const TsTagInfo *info = e->tags->pdata[i];
    Tag tag;
    init_tag (&tag, info);
    gboolean ok = info->kind == TS_SERIES_SCALAR ? export_scalars (e, info, &tag, error)
                                                 : export_items (e, info, &tag, error);
    clear_tag (&tag);
    if (!ok)
      return FALSE;
  }
  return TRUE;
}

static gboolean
export_run (Export *e, GError **error)
{
  e->started = g_array_new (FALSE, FALSE, sizeof (gint64));
  e->writers = g_ptr_array_new ();
  e->apart = FALSE;
  e->tags = ts_reader_list_tags (e->reader, e->run->run_id, error);
  gboolean ok = e->tags && read_attempts (e, error) && export_graph (e, error) &&
                export_hparams (e, error) && export_series (e, error);
  ok = close_writers (e, ok ? error : NULL) && ok;
  g_ptr_array_unref (e->writers);
  g_array_unref (e->started);
  g_clear_pointer (&e->tags, g_ptr_array_unref);
  e->report->runs++;
  return ok;
}

static gboolean
check_folder (const char *folder, GError **error)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  gboolean empty = !dir || !g_dir_read_name (dir);

  if (dir)
    g_dir_close (dir);
  if (empty)
    return TRUE;
  g_set_error (
      error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_OPEN,
      "%s is not empty; event files in it would become part of the runs: name another folder",
      folder);
  return FALSE;
}

/* A folder of ours that was never whole: event files and folders of them. */
static void
remove_part (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *below = g_build_filename (path, name, NULL);
    if (strstr (name, "tfevents"))
      g_unlink (below);
    else if (!g_file_test (below, G_FILE_TEST_IS_SYMLINK))
      remove_part (below);
  }
  if (dir)
    g_dir_close (dir);
  g_rmdir (path);
}

/* An empty folder is replaced. */
static gboolean
make_whole (const char *part, const char *folder, GError **error)
{
  if (!g_file_test (part, G_FILE_TEST_EXISTS))
    return TRUE; /* there was nothing to write */
  if (g_rename (part, folder) == 0)
    return TRUE;
  g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_IO, "cannot rename %s to %s: %s", part,
               folder, g_strerror (errno));
  return FALSE;
}

static gboolean
is_wanted (char **runs, const char *name)
{
  return !runs || !runs[0] || g_strv_contains ((const char *const *) runs, name);
}

gboolean
ts_log_export (TsReader *reader, char **runs, const char *folder, gboolean exact,
               TsLogExportReport *report, GError **error)
{
  *report = (TsLogExportReport){.problems = g_ptr_array_new_with_free_func (g_free)};
  g_autoptr (GPtrArray) list =
      check_folder (folder, error) ? ts_reader_list_runs (reader, FALSE, error) : NULL;
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);
  g_autofree char *part = g_strconcat (whole, ".part", NULL);
  gboolean ok = list != NULL;

  remove_part (part);
  for (guint i = 0; ok && i < list->len; i++) {
    Export e = {.reader = reader,
                .run = list->pdata[i],
                .folder = part,
                .exact = exact,
                .report = report,
                .body = body};
    if (is_wanted (runs, e.run->name))
      ok = export_run (&e, error);
  }
  ok = ok && make_whole (part, whole, error);
  if (!ok && list)
    remove_part (part);
  return ok;
}
