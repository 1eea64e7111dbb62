/* SPDX-License-Identifier: MIT */
#include "data/store/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "data/store/error.h"
#include "data/store/workspace.h"

static const char *const texts[TS_WORKSPACE_VERSION] = {ts_schema_0001};
const TsMigrations ts_migrations = {texts, TS_WORKSPACE_VERSION};

static gboolean
step_up (TsSql *sql, const char *text, int version, GError **error)
{
  g_autofree char *commit = g_strdup_printf ("PRAGMA user_version = %d; COMMIT", version);

  if (ts_sql_exec (sql, "BEGIN IMMEDIATE", error) && ts_sql_exec (sql, text, error) &&
      ts_sql_exec (sql, commit, error))
    return TRUE;
  sqlite3_exec (sql->db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

static gboolean
back_up (TsSql *sql, gint64 version, GError **error)
{
  g_autofree char *copy = g_strdup_printf ("%s.v%d.bak", sql->path, (int) version);

  /* One that an earlier try left is older than the file is now. */
  g_unlink (copy);
  return ts_sql_do (sql, error, "VACUUM INTO ?1", "s", copy);
}

gboolean
ts_migrate_up (TsSql *sql, const TsMigrations *migrations, GError **error)
{
  gint64 version = 0;

  if (!ts_sql_get (sql, &version, error, "PRAGMA user_version", ""))
    return FALSE;
  if (version > migrations->n) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NEWER_VERSION,
                 "%s has version %" G_GINT64_FORMAT ", this program writes up to %d; update it to "
                 "write here",
                 sql->path, version, migrations->n);
    return FALSE;
  }
  if (version > 0 && version < migrations->n && !back_up (sql, version, error))
    return FALSE;
  for (int v = (int) MAX (version, 0); v < migrations->n; v++)
    if (!step_up (sql, migrations->texts[v], v + 1, error))
      return FALSE;
  return TRUE;
}

static gboolean
fill (const char *file, const char *path, GError **error)
{
  /* Nobody sees the file before it has its name: it is synchronised once, then. */
  static const char pragmas[] = "PRAGMA page_size = " G_STRINGIFY (
      TS_WORKSPACE_PAGE_BYTES) "; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = MEMORY;"
                               "PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;"
                               "PRAGMA application_id = " G_STRINGIFY (TS_WORKSPACE_APPLICATION_ID);
  g_autoptr (TsSql) sql =
      ts_sql_open (file, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);

  if (!sql || !ts_sql_exec (sql, pragmas, error) || !ts_migrate_up (sql, &ts_migrations, error))
    return FALSE;
  g_autofree char *uuid = g_uuid_string_random ();
  return ts_sql_do (sql, error,
                    "INSERT INTO meta VALUES('uuid', ?1), ('created_us', ?2), ('writer_app', ?3),"
                    "('min_reader_version', 1)",
                    "sis", uuid, g_get_real_time (), "trainscope " TS_VERSION) &&
         ts_sql_exec (sql, "PRAGMA journal_mode = WAL", error);
}

/* A file, or a folder with O_DIRECTORY. */
static gboolean
synchronise (const char *path, int flags)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | flags);
  gboolean ok = fd >= 0 && fsync (fd) == 0;

  if (fd >= 0)
    close (fd);
  return ok;
}

gboolean
ts_migrate_create (const char *path, GError **error)
{
  g_autofree char *aside = g_strconcat (path, "-new", NULL), *folder = g_path_get_dirname (path);
  static const char *const left[] = {"-new", "-new-wal", "-new-shm", "-wal", "-shm"};

  /* What a crash left behind; the lock says that nobody is at work on it.  The WAL of a workspace
   * that somebody deleted must go too: SQLite would replay it into the new file. */
  for (guint i = 0; i < G_N_ELEMENTS (left); i++) {
    g_autofree char *file = g_strconcat (path, left[i], NULL);
    g_unlink (file);
  }
  if (!fill (aside, path, error))
    return FALSE;
  if (!synchronise (aside, 0) || g_rename (aside, path) != 0 ||
      !synchronise (folder, O_DIRECTORY)) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "cannot create %s: %s", path,
                 g_strerror (errno));
    return FALSE;
  }
  return TRUE;
}

gboolean
ts_migrate_gate (TsSql *sql, gint64 *version, GError **error)
{
  gint64 id = 0;

  *version = 0;
  if (!ts_sql_get (sql, &id, error, "PRAGMA application_id", "") ||
      !ts_sql_get (sql, version, error, "PRAGMA user_version", ""))
    return FALSE;
  if (id == TS_WORKSPACE_APPLICATION_ID && *version >= 1)
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_A_WORKSPACE,
               "%s is %s, not a Trainscope workspace", sql->path,
               id ? "a database of another program" : "a database");
  return FALSE;
}

char *
ts_migrate_dup_schema (TsSql *sql, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int more;
  sqlite3_stmt *q = ts_sql_query (sql, error,
                                  "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' "
                                  "ESCAPE '\\' ORDER BY type, name",
                                  "");

  if (!q)
    return NULL;
  while ((more = ts_sql_next (sql, q, error)) == 1)
    g_string_append_printf (text, "%s;\n", (const char *) sqlite3_column_text (q, 0));
  return more == 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

gboolean
ts_migrate_check (TsSql *sql, GError **error)
{
  g_autofree char *schema = ts_migrate_dup_schema (sql, error);

  if (!schema)
    return FALSE;
  if (strcmp (schema, ts_schema_golden) == 0)
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
               "the tables of %s are not those of a workspace of version %d", sql->path,
               TS_WORKSPACE_VERSION);
  return FALSE;
}
