/* SPDX-License-Identifier: MIT */
#include "data/store/pack-runs.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/reader-private.h"
#include "data/store/writer-private.h"

/* The copy is made by SQLite, sealed by a writer as after a crash, then what does not belong in
 * it is deleted and the file written anew. */

#define PART_BYTES (1u << 20)

static gboolean
copy_file (TsReader *reader, const char *to, GError **error)
{
  /* query_only forbids it, although it writes another file */
  if (!ts_sql_exec (reader->sql, "PRAGMA query_only = OFF", error))
    return FALSE;
  sqlite3_limit (reader->sql->db, SQLITE_LIMIT_ATTACHED, 1);
  gboolean ok = ts_sql_do (reader->sql, error, "VACUUM INTO ?1", "s", to);
  sqlite3_limit (reader->sql->db, SQLITE_LIMIT_ATTACHED, 0);
  ts_sql_exec (reader->sql, "PRAGMA query_only = ON", NULL);
  return ok;
}

/* Points that wait in the flush log go into chunks; its lock file goes with it. */
static gboolean
seal (const char *path, GError **error)
{
  TsWriter *writer = ts_writer_open (path, error);
  gboolean ok = writer && ts_writer_close (writer, error);
  g_autofree char *lock = g_strconcat (path, "-lock", NULL);

  g_unlink (lock);
  return ok;
}

static gboolean
keep_runs (TsSql *sql, const gint64 *runs, guint n, GError **error)
{
  if (!ts_sql_exec (sql, "CREATE TEMP TABLE kept(run_id INTEGER PRIMARY KEY)", error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!ts_sql_do (sql, error, "INSERT OR IGNORE INTO kept VALUES(?1)", "i", runs[i]))
      return FALSE;
  if (n == 0 &&
      !ts_sql_exec (sql, "INSERT INTO kept SELECT run_id FROM run WHERE trashed_us IS NULL", error))
    return FALSE;
  return ts_sql_exec (sql,
                      "DELETE FROM run WHERE run_id NOT IN kept;"
                      "DELETE FROM tag WHERE tag_id NOT IN (SELECT tag_id FROM series);"
                      "DELETE FROM import_source",
                      error);
}

/* A whole file; its parts into the new blob. */
static gboolean
store_parts (TsSql *sql, gint64 blob_id, int fd, gint64 size, const char *path, GError **error)
{
  g_autofree guint8 *part = g_malloc (PART_BYTES);
  gint64 at = 0;

  for (gint64 i = 0; at < size; i++) {
    gsize want = (gsize) MIN ((gint64) PART_BYTES, size - at), got = 0;
    gssize n = 1;
    while (got < want && (n = read (fd, part + got, want - got)) > 0)
      got += (gsize) n;
    if (got < want) {
      g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_IO, "cannot read the checkpoint %s: %s",
                   path, n < 0 ? g_strerror (errno) : "it has become shorter");
      return FALSE;
    }
    if (!ts_sql_do (sql, error, "INSERT INTO blob_part(blob_id, idx, crc, data) VALUES(?,?,?,?)",
                    "iiib", blob_id, i, (gint64) ts_crc32c (part, got), part, got))
      return FALSE;
    at += (gint64) got;
  }
  return TRUE;
}

typedef struct {
  gint64 id, size;
  guint8 sha256[32];
  char *path;
} Checkpoint;

static void
clear_checkpoint (gpointer data)
{
  g_free (((Checkpoint *) data)->path);
}

/* Files that are gone stay what they are: rows with a path that leads nowhere. */
static gboolean
pack_checkpoint (TsSql *sql, const Checkpoint *c, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, c->path, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gint64 blob_id = 0;
  gboolean ok = TRUE;

  if (fd < 0)
    return TRUE;
  if (!ts_sql_get (sql, &blob_id, error, "SELECT blob_id FROM blob WHERE hash = ?1", "b", c->sha256,
                   (gsize) 32))
    ok = FALSE;
  if (ok && !blob_id) {
    ok = ts_sql_do (
        sql, error, "INSERT INTO blob(hash, size, parts, codec, complete) VALUES(?, ?, ?, 0, 1)",
        "bii", c->sha256, (gsize) 32, c->size, (c->size + PART_BYTES - 1) / (gint64) PART_BYTES);
    blob_id = sqlite3_last_insert_rowid (sql->db);
    ok = ok && store_parts (sql, blob_id, fd, c->size, path, error);
  }
  close (fd);
  return ok &&
         ts_sql_do (sql, error,
                    "UPDATE checkpoint SET blob_id = ?2, path = NULL WHERE checkpoint_id = ?1",
                    "ii", c->id, blob_id);
}

static gboolean
pack_checkpoints (TsSql *sql, TsPackCheckpoints which, const char *folder, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, TRUE, sizeof (Checkpoint));
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (sql, error,
                                  "SELECT checkpoint_id, size, sha256, path FROM checkpoint"
                                  " WHERE path IS NOT NULL AND (?1 OR is_best OR kind = 1)",
                                  "i", (gint64) (which == TS_PACK_ALL));

  g_array_set_clear_func (list, clear_checkpoint);
  while (q && (more = ts_sql_next (sql, q, error)) == 1) {
    Checkpoint c = {.id = sqlite3_column_int64 (q, 0), .size = sqlite3_column_int64 (q, 1)};
    memcpy (c.sha256, sqlite3_column_blob (q, 2), sizeof c.sha256);
    c.path = ts_sql_dup_text (q, 3);
    g_array_append_val (list, c);
  }
  for (guint i = 0; more == 0 && i < list->len; i++)
    if (!pack_checkpoint (sql, &g_array_index (list, Checkpoint, i), folder, error))
      return FALSE;
  return more == 0;
}

static gboolean
reduce (TsReader *reader, const char *path, const gint64 *runs, guint n_runs,
        TsPackCheckpoints checkpoints, GError **error)
{
  g_autoptr (TsSql) sql = ts_sql_open (path, path, SQLITE_OPEN_READWRITE, error);

  return sql &&
         ts_sql_exec (sql, "PRAGMA journal_mode = DELETE; PRAGMA foreign_keys = ON; BEGIN",
                      error) &&
         keep_runs (sql, runs, n_runs, error) &&
         (checkpoints == TS_PACK_NONE ||
          pack_checkpoints (sql, checkpoints, reader->folder, error)) &&
         ts_sql_exec (
             sql,
             "DELETE FROM blob WHERE blob_id NOT IN (SELECT blob_id FROM item WHERE blob_id"
             " IS NOT NULL UNION SELECT blob_id FROM graph UNION SELECT blob_id FROM checkpoint"
             " WHERE blob_id IS NOT NULL); COMMIT; VACUUM",
             error);
}

gboolean
ts_pack (TsReader *reader, const gint64 *runs, guint n_runs, TsPackCheckpoints checkpoints,
         const char *to, GError **error)
{
  g_autofree char *part = g_strconcat (to, ".part", NULL);

  g_unlink (part);
  gboolean ok = copy_file (reader, part, error) && seal (part, error) &&
                reduce (reader, part, runs, n_runs, checkpoints, error);
  if (ok && g_rename (part, to) != 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_IO, "cannot write %s: %s", to,
                 g_strerror (errno));
    ok = FALSE;
  }
  if (!ok)
    g_unlink (part);
  return ok;
}
