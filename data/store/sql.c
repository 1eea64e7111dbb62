/* SPDX-License-Identifier: MIT */
#include "data/store/sql-private.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>

#include "data/store/error.h"

/* SQLite counts its memory under a lock unless it is told not to; nothing here asks for the count. */
static void
configure (void)
{
  sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0);
}

TsSql *
ts_sql_open (const char *file, const char *path, int flags, GError **error)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  pthread_once (&once, configure);
  TsSql *sql = g_new0 (TsSql, 1);
  int rc = sqlite3_open_v2 (file, &sql->db, flags | SQLITE_OPEN_NOMUTEX, NULL);

  sql->path = g_strdup (path);
  sql->prepared =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) (void *) sqlite3_finalize);
  if (rc == SQLITE_OK)
    return sql;
  ts_sql_set_error (sql, rc, error);
  ts_sql_close (sql);
  return NULL;
}

void
ts_sql_close (TsSql *sql)
{
  g_hash_table_unref (sql->prepared);
  sqlite3_close_v2 (sql->db);
  g_free (sql->path);
  g_free (sql);
}

static gboolean
is_disk_full (TsSql *sql, int rc)
{
  int os = sql->db ? sqlite3_system_errno (sql->db) : 0;

  return (rc & 0xff) == SQLITE_FULL ||
         ((rc & 0xff) == SQLITE_IOERR && (os == ENOSPC || os == EDQUOT));
}

void
ts_sql_set_error (TsSql *sql, int rc, GError **error)
{
  const char *path = sql->path, *text = sql->db ? sqlite3_errmsg (sql->db) : sqlite3_errstr (rc);

  if (is_disk_full (sql, rc)) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_DISK_FULL,
                 "%s: the disk is full; make room", path);
    return;
  }
  switch (rc & 0xff) {
  case SQLITE_READONLY:
  case SQLITE_PERM:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_READ_ONLY, "%s cannot be written: %s", path,
                 text);
    break;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_LOCKED,
                 "%s is in use by another program; try again when it is done", path);
    break;
  case SQLITE_IOERR:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_IO, "%s: the disk failed: %s", path, text);
    break;
  case SQLITE_CORRUPT:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "%s is damaged (%s); restore it from a copy", path, text);
    break;
  case SQLITE_NOTADB:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_A_WORKSPACE,
                 "%s is not a Trainscope workspace", path);
    break;
  case SQLITE_CANTOPEN:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "cannot open %s: %s", path, text);
    break;
  default:
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL, "%s: %s", path, text);
    break;
  }
}

gboolean
ts_sql_exec (TsSql *sql, const char *text, GError **error)
{
  int rc = sqlite3_exec (sql->db, text, NULL, NULL, NULL);

  if (rc != SQLITE_OK)
    ts_sql_set_error (sql, rc, error);
  return rc == SQLITE_OK;
}

/* @texts: SQLITE_STATIC when texts and blobs stay until the statement is reset. */
static int
bind (sqlite3_stmt *statement, int index, char letter, sqlite3_destructor_type texts, va_list *args)
{
  switch (letter) {
  case 'i':
    return sqlite3_bind_int64 (statement, index, va_arg (*args, gint64));
  case 'd':
    return sqlite3_bind_double (statement, index, va_arg (*args, double));
  case 's':
    return sqlite3_bind_text (statement, index, va_arg (*args, const char *), -1, texts);
  case 'b': {
    const void *data = va_arg (*args, const void *);
    gsize size = va_arg (*args, gsize);
    return sqlite3_bind_blob64 (statement, index, data, size, texts);
  }
  default:
    return sqlite3_bind_null (statement, index);
  }
}

static sqlite3_stmt *
query_va (TsSql *sql, GError **error, const char *text, const char *format,
          sqlite3_destructor_type texts, va_list *args)
{
  sqlite3_stmt *statement = g_hash_table_lookup (sql->prepared, text);
  int rc = SQLITE_OK;

  if (!statement) {
    rc = sqlite3_prepare_v3 (sql->db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (rc == SQLITE_OK)
      g_hash_table_insert (sql->prepared, (gpointer) text, statement);
  }
  for (int i = 0; rc == SQLITE_OK && format[i]; i++)
    rc = bind (statement, i + 1, format[i], texts, args);
  if (rc == SQLITE_OK)
    return statement;
  ts_sql_set_error (sql, rc, error);
  return NULL;
}

sqlite3_stmt *
ts_sql_query (TsSql *sql, GError **error, const char *text, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  sqlite3_stmt *statement = query_va (sql, error, text, format, SQLITE_TRANSIENT, &args);
  va_end (args);
  return statement;
}

int
ts_sql_next (TsSql *sql, sqlite3_stmt *statement, GError **error)
{
  int rc = sqlite3_step (statement);

  if (rc == SQLITE_ROW)
    return 1;
  if (rc != SQLITE_DONE)
    ts_sql_set_error (sql, rc, error);
  ts_sql_reset (statement);
  return rc == SQLITE_DONE ? 0 : -1;
}

void
ts_sql_reset (sqlite3_stmt *statement)
{
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
}

gboolean
ts_sql_do (TsSql *sql, GError **error, const char *text, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  sqlite3_stmt *statement = query_va (sql, error, text, format, SQLITE_STATIC, &args);
  va_end (args);
  return statement && ts_sql_next (sql, statement, error) == 0;
}

gboolean
ts_sql_get (TsSql *sql, gint64 *value, GError **error, const char *text, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  sqlite3_stmt *statement = query_va (sql, error, text, format, SQLITE_STATIC, &args);
  va_end (args);
  int more = statement ? ts_sql_next (sql, statement, error) : -1;
  if (more == 1) {
    if (sqlite3_column_type (statement, 0) != SQLITE_NULL)
      *value = sqlite3_column_int64 (statement, 0);
    ts_sql_reset (statement);
  }
  return more >= 0;
}

char *
ts_sql_dup_text (sqlite3_stmt *statement, int column)
{
  return g_strdup ((const char *) sqlite3_column_text (statement, column));
}
