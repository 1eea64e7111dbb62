/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include <sys/stat.h>

#include "data/store/crc32c.h"
#include "data/store/error.h"

/* Graph, attempts, notes, edits and checkpoints of a run. */

static gboolean
append_parts (TsReader *reader, gint64 blob_id, gint64 parts, GByteArray *out, GError **error)
{
  int more = -1;
  gint64 expected = 0;
  sqlite3_stmt *q = ts_sql_query (reader->sql, error,
                                  "SELECT idx, crc, data FROM blob_part WHERE blob_id = ?1"
                                  " ORDER BY idx",
                                  "i", blob_id);

  while (q && (more = ts_sql_next (reader->sql, q, error)) == 1) {
    const guint8 *data = sqlite3_column_blob (q, 2);
    gsize size = (gsize) sqlite3_column_bytes (q, 2);
    if (sqlite3_column_int64 (q, 0) != expected++ ||
        sqlite3_column_int64 (q, 1) != ts_crc32c (data, size)) {
      ts_sql_reset (q);
      return ts_reader_corrupt (reader, error, "a part of blob %" G_GINT64_FORMAT " is broken",
                                blob_id);
    }
    g_byte_array_append (out, data, (guint) size);
  }
  if (more == 0 && expected != parts)
    return ts_reader_corrupt (reader, error, "parts of blob %" G_GINT64_FORMAT " are missing",
                              blob_id);
  return more == 0;
}

GBytes *
ts_reader_dup_blob (TsReader *reader, gint64 blob_id, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  sqlite3_stmt *q = ts_sql_query (reader->sql, error,
                                  "SELECT size, parts FROM blob WHERE blob_id = ?1", "i", blob_id);
  int more = q ? ts_sql_next (reader->sql, q, error) : -1;

  if (more == 0)
    ts_reader_corrupt (reader, error, "blob %" G_GINT64_FORMAT " is missing", blob_id);
  if (more != 1)
    return NULL;
  gint64 size = sqlite3_column_int64 (q, 0), parts = sqlite3_column_int64 (q, 1);
  ts_sql_reset (q);
  if (!append_parts (reader, blob_id, parts, bytes, error))
    return NULL;
  if ((gint64) bytes->len == size)
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  ts_reader_corrupt (reader, error, "blob %" G_GINT64_FORMAT " has not its size", blob_id);
  return NULL;
}

static GBytes *
dup_graph (TsReader *reader, gint64 run_id, int *format, GError **error)
{
  sqlite3_stmt *q = ts_sql_query (
      reader->sql, error, "SELECT blob_id, format FROM graph WHERE run_id = ?1 AND name = 'main'",
      "i", run_id);
  int more = q ? ts_sql_next (reader->sql, q, error) : -1;

  if (more == 0)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND, "the run has no graph");
  if (more != 1)
    return NULL;
  gint64 blob_id = sqlite3_column_int64 (q, 0);
  *format = sqlite3_column_int (q, 1);
  ts_sql_reset (q);
  return ts_reader_dup_blob (reader, blob_id, error);
}

GBytes *
ts_reader_dup_main_graph (TsReader *reader, gint64 run_id, int *format, GError **error)
{
  if (!ts_reader_begin (reader, error))
    return NULL;
  GBytes *bytes = dup_graph (reader, run_id, format, error);
  ts_reader_end (reader);
  return bytes;
}

char *
ts_reader_dup_graph (TsReader *reader, gint64 run_id, GError **error)
{
  int format;
  g_autoptr (GBytes) bytes = ts_reader_dup_main_graph (reader, run_id, &format, error);

  if (bytes && format == 0)
    return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  if (bytes)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
                 "the run's graph came from an event file");
  return NULL;
}

/* --- Lists --- */

typedef struct {
  const char *select;   /* with run_id as ?1; column 0 is the attempt, column 1 the step */
  gsize size;           /* of an entry */
  GDestroyNotify clear; /* frees an entry's strings */
  void (*read) (TsReader *reader, sqlite3_stmt *q, const TsAttemptView *view, gpointer entry);
} List;

static GArray *
read_list (TsReader *reader, const List *list, gint64 run_id, GError **error)
{
  g_autoptr (GArray) out = g_array_new (FALSE, TRUE, (guint) list->size);
  g_autoptr (GArray) views = ts_reader_attempt_views (reader, run_id, 0, error);
  sqlite3_stmt *q = views ? ts_sql_query (reader->sql, error, list->select, "i", run_id) : NULL;
  int more = -1;

  g_array_set_clear_func (out, list->clear);
  while (q && (more = ts_sql_next (reader->sql, q, error)) == 1) {
    const TsAttemptView *view =
        ts_attempt_views_find (reader, views, sqlite3_column_int64 (q, 0), error);
    if (!view) {
      ts_sql_reset (q);
      return NULL;
    }
    g_array_set_size (out, out->len + 1);
    list->read (reader, q, view, out->data + (out->len - 1) * list->size);
  }
  return more == 0 ? g_steal_pointer (&out) : NULL;
}

static GArray *
list (TsReader *reader, const List *what, gint64 run_id, GError **error)
{
  if (!ts_reader_begin (reader, error))
    return NULL;
  GArray *out = read_list (reader, what, run_id, error);
  ts_reader_end (reader);
  return out;
}

static void
clear_attempt (gpointer entry)
{
  TsAttemptInfo *info = entry;

  g_free (info->host);
  g_free (info->origin);
}

static void
read_attempt (TsReader *reader, sqlite3_stmt *q, const TsAttemptView *view, gpointer entry)
{
  *(TsAttemptInfo *) entry = (TsAttemptInfo){
      .attempt_id = view->attempt_id,
      .ordinal = view->ordinal,
      .resumed = sqlite3_column_type (q, 1) != SQLITE_NULL,
      .resume_step = sqlite3_column_int64 (q, 1),
      .by_series = sqlite3_column_int (q, 7) != 0,
      .started_us = ts_reader_time (q, 2),
      .ended_us = ts_reader_time (q, 3),
      .host = ts_sql_dup_text (q, 4),
      .pid = sqlite3_column_int64 (q, 5),
      .thinned = (guint64) sqlite3_column_int64 (q, 6),
      .origin = ts_sql_dup_text (q, 8),
  };
}

GArray *
ts_reader_list_attempts (TsReader *reader, gint64 run_id, GError **error)
{
  static const List attempts = {
      "SELECT attempt_id, resume_step, started_us, ended_us, host, pid, thinned, by_series, origin"
      " FROM attempt WHERE run_id = ?1 ORDER BY ordinal",
      sizeof (TsAttemptInfo), clear_attempt, read_attempt};

  return list (reader, &attempts, run_id, error);
}

static void
clear_note (gpointer entry)
{
  g_free (((TsNoteInfo *) entry)->text);
}

static void
read_note (TsReader *reader, sqlite3_stmt *q, const TsAttemptView *view, gpointer entry)
{
  *(TsNoteInfo *) entry = (TsNoteInfo){
      .step = sqlite3_column_int64 (q, 1),
      .us = ts_reader_time (q, 2),
      .attempt = view->ordinal,
      .severity = (TsSeverity) sqlite3_column_int (q, 3),
      .text = ts_sql_dup_text (q, 4),
  };
}

GArray *
ts_reader_list_notes (TsReader *reader, gint64 run_id, GError **error)
{
  static const List notes = {"SELECT attempt_id, step, us, severity, text FROM event"
                             " WHERE run_id = ?1 ORDER BY event_id",
                             sizeof (TsNoteInfo), clear_note, read_note};

  return list (reader, &notes, run_id, error);
}

static void
clear_edit (gpointer entry)
{
  g_free (((TsEditInfo *) entry)->key);
}

static void
read_edit (TsReader *reader, sqlite3_stmt *q, const TsAttemptView *view, gpointer entry)
{
  *(TsEditInfo *) entry = (TsEditInfo){
      .step = sqlite3_column_int64 (q, 1),
      .us = ts_reader_time (q, 2),
      .attempt = view->ordinal,
      .key = ts_sql_dup_text (q, 3),
      .from = ts_unbits ((guint64) sqlite3_column_int64 (q, 4)),
      .to = ts_unbits ((guint64) sqlite3_column_int64 (q, 5)),
  };
}

GArray *
ts_reader_list_edits (TsReader *reader, gint64 run_id, GError **error)
{
  static const List edits = {"SELECT attempt_id, step, us, key, from_bits, to_bits FROM edit"
                             " WHERE run_id = ?1 ORDER BY edit_id",
                             sizeof (TsEditInfo), clear_edit, read_edit};

  return list (reader, &edits, run_id, error);
}

static void
clear_checkpoint (gpointer entry)
{
  g_free (((TsCheckpointInfo *) entry)->path);
}

/* A path from the file is followed only below the workspace's own folder. */
static gboolean
is_inside (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  return *path && !g_path_is_absolute (path) &&
         !g_strv_contains ((const char *const *) parts, "..");
}

static void
read_checkpoint (TsReader *reader, sqlite3_stmt *q, const TsAttemptView *view, gpointer entry)
{
  g_autofree char *path = ts_sql_dup_text (q, 9);
  TsCheckpointInfo *info = entry;
  struct stat st;

  *info = (TsCheckpointInfo){
      .step = sqlite3_column_int64 (q, 1),
      .checkpoint_id = sqlite3_column_int64 (q, 2),
      .epoch = sqlite3_column_int64 (q, 3),
      .us = ts_reader_time (q, 4),
      .attempt = view->ordinal,
      .hidden = ts_attempt_view_hides (view, sqlite3_column_int64 (q, 1)),
      .kind = (TsCheckpointKind) sqlite3_column_int (q, 5),
      .is_best = sqlite3_column_int (q, 6) != 0,
      .metric = ts_unbits ((guint64) sqlite3_column_int64 (q, 7)),
      .size_bytes = sqlite3_column_int64 (q, 8),
  };
  if (sqlite3_column_bytes (q, 10) == sizeof info->sha256)
    memcpy (info->sha256, sqlite3_column_blob (q, 10), sizeof info->sha256);
  if (path && is_inside (path)) {
    info->path = g_build_filename (reader->folder, path, NULL);
    info->exists =
        stat (info->path, &st) == 0 && S_ISREG (st.st_mode) && st.st_size == info->size_bytes;
  }
}

GArray *
ts_reader_list_checkpoints (TsReader *reader, gint64 run_id, GError **error)
{
  static const List checkpoints = {
      "SELECT attempt_id, step, checkpoint_id, epoch, us, kind, is_best, metric_bits, size, path,"
      " sha256 FROM checkpoint WHERE run_id = ?1 ORDER BY checkpoint_id",
      sizeof (TsCheckpointInfo), clear_checkpoint, read_checkpoint};

  return list (reader, &checkpoints, run_id, error);
}

GArray *
ts_reader_last_checkpoint (TsReader *reader, gint64 run_id, GError **error)
{
  GArray *all = ts_reader_list_checkpoints (reader, run_id, error);
  guint keep = all ? all->len : 0;

  if (!all)
    return NULL;
  while (keep > 0) {
    const TsCheckpointInfo *info = &g_array_index (all, TsCheckpointInfo, keep - 1);
    if (info->exists && !info->hidden)
      break;
    keep--;
  }
  g_array_set_size (all, keep);
  if (keep > 1)
    g_array_remove_range (all, 0, keep - 1);
  return all;
}
