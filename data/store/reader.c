/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/store/error.h"
#include "data/store/migrate.h"

gboolean
ts_reader_corrupt (TsReader *reader, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT, "%s is damaged: %s", reader->path,
               what);
  return FALSE;
}

char *
ts_sql_dup_bytes (sqlite3_stmt *row, int column)
{
  const char *bytes = sqlite3_column_blob (row, column);

  return g_strndup (bytes ? bytes : "", (gsize) sqlite3_column_bytes (row, column));
}

gboolean
ts_reader_begin (TsReader *reader, GError **error)
{
  if (!ts_sql_exec (reader->sql, "BEGIN", error))
    return FALSE;
  if (ts_tails_update (reader, error))
    return TRUE;
  ts_reader_end (reader);
  return FALSE;
}

void
ts_reader_end (TsReader *reader)
{
  sqlite3_exec (reader->sql->db, "ROLLBACK", NULL, NULL, NULL);
}

gboolean
ts_reader_poll (TsReader *reader, gboolean *changed, GError **error)
{
  gint64 version = 0;

  if (!ts_sql_get (reader->sql, &version, error, "PRAGMA data_version", ""))
    return FALSE;
  *changed = version != reader->data_version;
  reader->data_version = version;
  return TRUE;
}

const char *
ts_reader_get_path (TsReader *reader)
{
  return reader->path;
}

/* --- Opening --- */

/* 0, or an errno. */
static int
copy_bytes (int from, int to)
{
  g_autofree char *buffer = g_malloc (1 << 20);
  gssize n;

  while ((n = read (from, buffer, 1 << 20)) > 0)
    for (gssize done = 0, k; done < n; done += k)
      if ((k = write (to, buffer + done, (gsize) (n - done))) < 0)
        return errno;
  return n < 0 ? errno : 0;
}

/* Opening the workspace itself is harmless here: its folder cannot be written, so no writer of this
 * process can have it open and lose SQLite's locks. */
static gboolean
copy_file (const char *from, const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  int in = open (from, O_RDONLY | O_CLOEXEC);
  int out = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int code = in < 0 || out < 0 ? errno : copy_bytes (in, out);

  if (in >= 0)
    close (in);
  if (out >= 0)
    close (out);
  if (code)
    g_set_error (error, TS_STORE_ERROR,
                 code == ENOSPC ? TS_STORE_ERROR_DISK_FULL : TS_STORE_ERROR_OPEN,
                 "cannot copy %s to a temporary folder: %s", from, g_strerror (code));
  return code == 0;
}

/* An absolute path as a SQLite URI. */
static char *
make_uri (const char *path, const char *options)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);

  return g_strconcat ("file:", escaped, options, NULL);
}

/* How to open it: as it is, or, where its folder cannot be written (SQLite would want to make its
 * shared-memory file there), as immutable, or, when a WAL lies beside it, from a copy. */
static char *
choose_uri (TsReader *reader, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (reader->path);
  g_autofree char *wal = g_strconcat (reader->path, "-wal", NULL);
  struct stat st;

  if (access (parent, W_OK) == 0)
    return make_uri (reader->path, "");
  if (stat (wal, &st) != 0 || st.st_size == 0)
    return make_uri (reader->path, "?immutable=1");
  g_autoptr (GError) why = NULL;
  reader->copy = g_dir_make_tmp ("trainscope-XXXXXX", &why);
  if (!reader->copy) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN,
                 "cannot make a temporary folder to read %s: %s", reader->path, why->message);
    return NULL;
  }
  if (!copy_file (reader->path, reader->copy, "copy", error) ||
      !copy_file (wal, reader->copy, "copy-wal", error))
    return NULL;
  g_autofree char *copied = g_build_filename (reader->copy, "copy", NULL);
  return make_uri (copied, "");
}

static gboolean
harden (TsReader *reader, GError **error)
{
  sqlite3 *db = reader->sql->db;
  static const struct {
    int what, value;
  } config[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},   {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (config); i++)
    sqlite3_db_config (db, config[i].what, config[i].value, NULL);
  sqlite3_limit (db, SQLITE_LIMIT_LENGTH, 64 << 20);
  sqlite3_limit (db, SQLITE_LIMIT_SQL_LENGTH, 100000);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_busy_timeout (db, 2000);
  return ts_sql_exec (reader->sql,
                      "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON;"
                      "PRAGMA cache_size = -65536",
                      error);
}

/* A later version may say that this program's queries still hold. */
static gboolean
check_version (TsReader *reader, GError **error)
{
  gint64 version, least = G_MAXINT64;

  if (!ts_migrate_gate (reader->sql, &version, error))
    return FALSE;
  if (version == TS_WORKSPACE_VERSION)
    return ts_migrate_check (reader->sql, error);
  if (version > TS_WORKSPACE_VERSION &&
      ts_sql_get (reader->sql, &least, NULL,
                  "SELECT value FROM meta WHERE key = 'min_reader_version'", "") &&
      least <= TS_WORKSPACE_VERSION)
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NEWER_VERSION,
               "%s has version %" G_GINT64_FORMAT ", this program reads up to %d; update it",
               reader->path, version, TS_WORKSPACE_VERSION);
  return FALSE;
}

static gboolean
open_file (TsReader *reader, const char *path, GError **error)
{
  struct stat st;

  reader->path = ts_workspace_find_path (path, error);
  if (!reader->path)
    return FALSE;
  reader->folder = ts_workspace_dup_folder (reader->path);
  if (stat (reader->path, &st) != 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "cannot open %s: %s", reader->path,
                 g_strerror (errno));
    return FALSE;
  }
  if (st.st_size == 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_A_WORKSPACE,
                 "%s is empty, not a Trainscope workspace", reader->path);
    return FALSE;
  }
  if (access (reader->path, R_OK) != 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "cannot read %s: %s", reader->path,
                 g_strerror (errno));
    return FALSE;
  }
  g_autofree char *uri = choose_uri (reader, error);
  if (!uri)
    return FALSE;
  reader->sql = ts_sql_open (uri, reader->path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
  return reader->sql && harden (reader, error) && check_version (reader, error);
}

TsReader *
ts_reader_open (const char *path, GError **error)
{
  TsReader *reader = g_new0 (TsReader, 1);

  reader->tails = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, ts_tail_free);
  if (open_file (reader, path, error))
    return reader;
  ts_reader_close (reader);
  return NULL;
}

static void
remove_copy (const char *folder)
{
  static const char *const names[] = {"copy", "copy-wal", "copy-shm"};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}

void
ts_reader_close (TsReader *reader)
{
  g_clear_pointer (&reader->sql, ts_sql_close);
  g_hash_table_unref (reader->tails);
  if (reader->copy)
    remove_copy (reader->copy);
  g_free (reader->copy);
  g_free (reader->path);
  g_free (reader->folder);
  g_free (reader);
}
