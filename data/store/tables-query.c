/* SPDX-License-Identifier: MIT */
#include "data/store/error.h"
#include "data/store/rows-print-private.h"
#include "data/store/tables-private.h"

struct TsTables {
  sqlite3 *db;
};

gboolean
ts_tables_fail (sqlite3 *db, GError **error)
{
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL, "SQL: %s",
               db ? sqlite3_errmsg (db) : "out of memory");
  return FALSE;
}

TsTables *
ts_tables_open (TsReader *reader, GError **error)
{
  g_autoptr (TsTables) tables = g_new0 (TsTables, 1);

  if (sqlite3_open (":memory:", &tables->db) != SQLITE_OK) {
    ts_tables_fail (tables->db, error);
    return NULL;
  }
  sqlite3_limit (tables->db, SQLITE_LIMIT_ATTACHED, 0);
  return ts_tables_register (tables->db, reader, error) ? g_steal_pointer (&tables) : NULL;
}

void
ts_tables_close (TsTables *tables)
{
  sqlite3_close (tables->db);
  g_free (tables);
}

sqlite3 *
ts_tables_db (TsTables *tables)
{
  return tables->db;
}

sqlite3_stmt *
ts_tables_prepare (sqlite3 *db, const char *text, const char **rest, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, text, -1, &statement, rest) != SQLITE_OK)
    ts_tables_fail (db, error);
  return statement;
}

gboolean
ts_tables_query (TsTables *tables, const char *text, TsRowsForm form, FILE *out, GError **error)
{
  g_autoptr (GError) failed = NULL;

  while (*text && !failed) {
    sqlite3_stmt *statement = ts_tables_prepare (tables->db, text, &text, &failed);
    if (statement)
      ts_rows_print (statement, form, out, &failed);
    sqlite3_finalize (statement);
  }
  if (!failed)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}
