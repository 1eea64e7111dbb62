/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <glib/gstdio.h>

#include "data/store/error.h"
#include "data/store/rows-print-private.h"
#include "data/store/tables-private.h"

/* Every point, also of attempts that were overtaken.  NULL is how SQL has NaN. */
#define POINTS                                                                                     \
  "SELECT run, tag, step, wall_time, coalesce(value, 'NaN') AS value, bits, attempt, overtaken"    \
  " FROM scalars WHERE overtaken IN (0, 1)"

/* " AND run IN (?, ?)" for the runs that were asked for. */
static char *
make_query (const char *base, char **runs)
{
  GString *text = g_string_new (base);

  for (guint i = 0; runs[i]; i++)
    g_string_append (text, i ? ", ?" : " AND run IN (?");
  if (runs[0])
    g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

static sqlite3_stmt *
ask (sqlite3 *db, const char *base, char **runs, GError **error)
{
  g_autofree char *text = make_query (base, runs);
  sqlite3_stmt *statement = ts_tables_prepare (db, text, NULL, error);

  for (guint i = 0; statement && runs[i]; i++)
    sqlite3_bind_text (statement, (int) i + 1, runs[i], -1, SQLITE_TRANSIENT);
  return statement;
}

gboolean
ts_tables_write_points (TsTables *tables, char **runs, TsRowsForm form, FILE *out, GError **error)
{
  sqlite3_stmt *rows = ask (ts_tables_db (tables), POINTS, runs, error);
  gboolean ok = rows && ts_rows_print (rows, form, out, error);

  sqlite3_finalize (rows);
  return ok;
}

/* --- Into a file that any SQLite reads --- */

static gboolean
run (sqlite3 *db, const char *text, GError **error)
{
  return sqlite3_exec (db, text, NULL, NULL, NULL) == SQLITE_OK || ts_tables_fail (db, error);
}

static const struct {
  const char *create, *insert, *select;
} plain[] = {
    {"CREATE TABLE runs(run TEXT PRIMARY KEY, uuid TEXT, state TEXT, created REAL, ended REAL, "
     "model TEXT,"
     " data TEXT, seed INTEGER, points INTEGER, pinned INTEGER, archived INTEGER, note TEXT)",
     "INSERT INTO runs VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", "SELECT * FROM runs WHERE 1"},
    {"CREATE TABLE hparams(run TEXT, key TEXT, type TEXT, value, PRIMARY KEY(run, key))",
     "INSERT INTO hparams VALUES(?,?,?,?)", "SELECT * FROM hparams WHERE 1"},
    {"CREATE TABLE scalars(run TEXT, tag TEXT, step INTEGER, wall_time REAL, value REAL, bits "
     "INTEGER,"
     " attempt INTEGER, overtaken INTEGER)",
     "INSERT INTO scalars VALUES(?,?,?,?,?,?,?,?)",
     "SELECT run, tag, step, wall_time, value, bits, attempt, overtaken FROM scalars"
     " WHERE overtaken IN (0, 1)"},
    {"CREATE TABLE histograms(run TEXT, tag TEXT, step INTEGER, wall_time REAL, count INTEGER, min "
     "REAL,"
     " max REAL, sum REAL, sum_squares REAL, nonfinite INTEGER, buckets TEXT, attempt INTEGER,"
     " overtaken INTEGER)",
     "INSERT INTO histograms VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
     "SELECT run, tag, step, wall_time, count, min, max, sum, sum_squares, nonfinite, buckets, "
     "attempt,"
     " overtaken FROM histograms WHERE overtaken IN (0, 1)"},
    {"CREATE TABLE samples(run TEXT, tag TEXT, step INTEGER, wall_time REAL, kind TEXT, type TEXT,"
     " shape TEXT, idx INTEGER, value, meta TEXT, about TEXT, attempt INTEGER, overtaken INTEGER)",
     "INSERT INTO samples VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
     "SELECT run, tag, step, wall_time, kind, type, shape, idx, value, meta, about, attempt,"
     " overtaken FROM samples WHERE overtaken IN (0, 1)"},
    {"CREATE TABLE pr_curves(run TEXT, tag TEXT, step INTEGER, wall_time REAL, threshold REAL, tp"
     " REAL, fp REAL, tn REAL, fn REAL, precision REAL, recall REAL, attempt INTEGER,"
     " overtaken INTEGER)",
     "INSERT INTO pr_curves VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
     "SELECT run, tag, step, wall_time, threshold, tp, fp, tn, fn, precision, recall, attempt,"
     " overtaken FROM pr_curves WHERE overtaken IN (0, 1)"},
};

static gboolean
copy_rows (sqlite3_stmt *from, sqlite3 *db, const char *insert, GError **error)
{
  sqlite3_stmt *to = ts_tables_prepare (db, insert, NULL, error);
  int rc = SQLITE_ERROR, n = sqlite3_column_count (from);

  while (to && (rc = sqlite3_step (from)) == SQLITE_ROW) {
    for (int i = 0; i < n; i++)
      sqlite3_bind_value (to, i + 1, sqlite3_column_value (from, i));
    if (sqlite3_step (to) != SQLITE_DONE)
      break;
    sqlite3_reset (to);
  }
  if (to && rc != SQLITE_DONE)
    ts_tables_fail (rc == SQLITE_ROW ? db : sqlite3_db_handle (from), error);
  sqlite3_finalize (to);
  return rc == SQLITE_DONE;
}

static gboolean
copy_tables (sqlite3 *from, sqlite3 *to, char **runs, GError **error)
{
  if (!run (to, "PRAGMA journal_mode = OFF; BEGIN", error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++) {
    sqlite3_stmt *rows = ask (from, plain[i].select, runs, error);
    gboolean ok =
        rows && run (to, plain[i].create, error) && copy_rows (rows, to, plain[i].insert, error);
    sqlite3_finalize (rows);
    if (!ok)
      return FALSE;
  }
  return run (to, "CREATE INDEX scalars_by_tag ON scalars(tag, run, step); COMMIT", error);
}

/* Under another name until it is whole: what stood there is replaced by a whole file or stays. */
gboolean
ts_tables_copy (TsTables *tables, char **runs, const char *path, GError **error)
{
  g_autofree char *part = g_strconcat (path, ".part", NULL);
  sqlite3 *out = NULL;

  g_unlink (part);
  gboolean ok = sqlite3_open (part, &out) == SQLITE_OK;
  if (!ok)
    ts_tables_fail (out, error);
  ok = ok && copy_tables (ts_tables_db (tables), out, runs, error);
  sqlite3_close (out);
  if (ok && g_rename (part, path) != 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_IO, "cannot write %s: %s", path,
                 g_strerror (errno));
    ok = FALSE;
  }
  if (!ok)
    g_unlink (part);
  return ok;
}
