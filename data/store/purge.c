/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include <glib/gstdio.h>

#include "data/store/error.h"

/* A run for good: in transactions of a few megabytes, so that nobody who trains meanwhile waits
 * long, and the WAL stays small.  Its heads go to zero and its levels of detail away first:
 * whatever kills the writer in between, the run in the trash is an empty one, not a damaged one. */

typedef struct {
  gint64 run_id;
  guint step;      /* of the pieces below */
  gboolean more;   /* of that step */
  GPtrArray *gone; /* checkpoint files, once nobody refers to them */
} Purge;

/* Each until it changes nothing; the limits are of rows of at most some 32 kB, of 1 MB for parts of blobs. */
static const char *const pieces[] = {
    "DELETE FROM chunk WHERE rowid IN (SELECT chunk.rowid FROM series JOIN chunk USING(series_id)"
    " WHERE run_id = ?1 LIMIT 256)",
    "DELETE FROM item WHERE rowid IN (SELECT item.rowid FROM series JOIN item USING(series_id)"
    " WHERE run_id = ?1 LIMIT 1024)",
    "DELETE FROM run WHERE run_id = ?1",
    "DELETE FROM blob_part WHERE rowid IN (SELECT blob_part.rowid FROM blob JOIN blob_part"
    " USING(blob_id) WHERE ?1 AND NOT EXISTS(SELECT 1 FROM graph WHERE graph.blob_id ="
    " blob.blob_id) AND NOT EXISTS(SELECT 1 FROM item WHERE item.blob_id = blob.blob_id) AND"
    " NOT EXISTS(SELECT 1 FROM checkpoint WHERE checkpoint.blob_id = blob.blob_id) LIMIT 8)",
    "DELETE FROM blob WHERE ?1 AND NOT EXISTS(SELECT 1 FROM blob_part WHERE blob_part.blob_id ="
    " blob.blob_id) AND size > 0",
};

static gboolean
begin_purge (TsWriter *writer, gpointer args, GError **error)
{
  Purge *p = args;
  sqlite3_stmt *q = ts_sql_query (writer->sql, error,
                                  "SELECT trashed_us FROM run WHERE run_id = ?1", "i", p->run_id);
  int more = q ? ts_sql_next (writer->sql, q, error) : -1;
  gboolean trashed = more == 1 && sqlite3_column_type (q, 0) != SQLITE_NULL;

  if (more == 1)
    ts_sql_reset (q);
  if (more == 1 && !trashed)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_EXISTS,
                 "run number %" G_GINT64_FORMAT " is not in the trash; put it there first",
                 p->run_id);
  else if (more == 0)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
                 "there is no run number %" G_GINT64_FORMAT " in %s", p->run_id, writer->path);
  return trashed &&
         ts_sql_do (
             writer->sql, error,
             "UPDATE series SET next_seq = 0, lod_seq = 0, n = 0, finite = 0, nan = 0, pos_inf = 0,"
             " neg_inf = 0, min_value = NULL, max_value = NULL WHERE run_id = ?1",
             "i", p->run_id) &&
         ts_sql_do (
             writer->sql, error,
             "DELETE FROM lod WHERE series_id IN (SELECT series_id FROM series WHERE run_id = ?1)",
             "i", p->run_id) &&
         ts_sql_do (writer->sql, error,
                    "DELETE FROM flush_log WHERE attempt_id IN (SELECT attempt_id FROM attempt"
                    " WHERE run_id = ?1)",
                    "i", p->run_id);
}

static gboolean
list_files (TsWriter *writer, Purge *p, GError **error)
{
  int more = -1;
  sqlite3_stmt *q =
      ts_sql_query (writer->sql, error,
                    "SELECT path FROM checkpoint AS c WHERE run_id = ?1 AND path IS NOT NULL AND"
                    " NOT EXISTS(SELECT 1 FROM checkpoint AS o WHERE o.path = c.path AND"
                    " o.run_id <> ?1)",
                    "i", p->run_id);

  while (q && (more = ts_sql_next (writer->sql, q, error)) == 1) {
    g_autofree char *path = ts_sql_dup_text (q, 0);
    g_ptr_array_add (p->gone, g_build_filename (writer->folder, path, NULL));
  }
  return more == 0;
}

static gboolean
purge_piece (TsWriter *writer, gpointer args, GError **error)
{
  Purge *p = args;

  if (g_str_has_prefix (pieces[p->step], "DELETE FROM run") && !list_files (writer, p, error))
    return FALSE;
  if (!ts_sql_do (writer->sql, error, pieces[p->step], "i", p->run_id))
    return FALSE;
  p->more = sqlite3_changes (writer->sql->db) > 0;
  return TRUE;
}

/* Free pages go back to the file system, some megabytes at a time. */
static gboolean
shrink (TsWriter *writer, gpointer args, GError **error)
{
  Purge *p = args;
  gint64 free = 0;

  if (!ts_sql_exec (writer->sql, "PRAGMA incremental_vacuum(1024)", error) ||
      !ts_sql_get (writer->sql, &free, error, "PRAGMA freelist_count", ""))
    return FALSE;
  p->more = free > 0;
  return TRUE;
}

static gboolean
repeat (TsWriter *writer, TsRequestFunc func, Purge *p, GError **error)
{
  do
    if (!ts_writer_request (writer, func, NULL, p, FALSE, error))
      return FALSE;
  while (p->more);
  return TRUE;
}

gboolean
ts_writer_purge_run (TsWriter *writer, gint64 run_id, GError **error)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_free);
  Purge p = {.run_id = run_id, .gone = gone};

  /* sealed first: nothing of it waits in the flush log for a later transaction */
  if (!ts_writer_request (writer, begin_purge, NULL, &p, TRUE, error))
    return FALSE;
  for (p.step = 0; p.step < G_N_ELEMENTS (pieces); p.step++)
    if (!repeat (writer, purge_piece, &p, error))
      return FALSE;
  for (guint i = 0; i < gone->len; i++) {
    g_autofree char *folder = g_path_get_dirname (gone->pdata[i]);
    g_unlink (gone->pdata[i]);
    g_rmdir (folder); /* when it is empty */
  }
  return repeat (writer, shrink, &p, error);
}
