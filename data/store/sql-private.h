/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* A SQLite connection with its prepared statements, used by one thread at a time.  Statements are
 * found by the address of their text, which must be a string literal. */
typedef struct {
  sqlite3 *db;
  char *path;           /* what messages call the file */
  GHashTable *prepared; /* literal → sqlite3_stmt */
} TsSql;

/* @flags as for sqlite3_open_v2; @file may be a URI when they say so. */
TsSql *ts_sql_open (const char *file, const char *path, int flags, GError **error);
void ts_sql_close (TsSql *sql);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsSql, ts_sql_close)

/* Translates the connection's last failure into the store's domain.  @rc: what SQLite returned. */
void ts_sql_set_error (TsSql *sql, int rc, GError **error);

/* Text without parameters; may hold several statements and need not be a literal. */
gboolean ts_sql_exec (TsSql *sql, const char *text, GError **error);

/* Binds by the letters of @format and returns the statement before its first row:
 *   i gint64      d double (NaN becomes NULL)      s const char * or NULL
 *   b const void *, gsize (NULL pointer: NULL)     n nothing: NULL
 * Borrowed; call ts_sql_reset when done, or run ts_sql_next to its end.  NULL on failure. */
sqlite3_stmt *ts_sql_query (TsSql *sql, GError **error, const char *text, const char *format, ...);

/* 1: a row; 0: no more, the statement is reset; -1: failed, the same. */
int ts_sql_next (TsSql *sql, sqlite3_stmt *statement, GError **error);
void ts_sql_reset (sqlite3_stmt *statement);

/* A statement without rows. */
gboolean ts_sql_do (TsSql *sql, GError **error, const char *text, const char *format, ...);

/* The first column of the first row into @value, which keeps its content when there is none. */
gboolean ts_sql_get (TsSql *sql, gint64 *value, GError **error, const char *text,
                     const char *format, ...);

/* Copies; NULL for NULL. */
char *ts_sql_dup_text (sqlite3_stmt *statement, int column);

G_END_DECLS
