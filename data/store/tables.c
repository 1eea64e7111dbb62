/* SPDX-License-Identifier: MIT */
#include "data/store/tables-private.h"

#include <string.h>

#include "data/store/error.h"

/* The part that SQLite sees: connecting, choosing what to search by, walking over runs and series. */

typedef struct {
  sqlite3_vtab base;
  const TsTableClass *klass;
  TsReader *reader;
} Table;

typedef struct {
  const TsTableClass *klass;
  TsReader *reader;
} Given;

enum { BY_RUN = 1, BY_TAG = 2, BY_OVERTAKEN = 4 };

void
ts_table_text (sqlite3_context *out, const char *text)
{
  if (!text)
    sqlite3_result_null (out);
  else if (g_utf8_validate (text, -1, NULL))
    sqlite3_result_text (out, text, -1, SQLITE_TRANSIENT);
  else
    sqlite3_result_blob (out, text, (int) strlen (text), SQLITE_TRANSIENT);
}

static int
table_connect (sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **vtab,
               char **message)
{
  const Given *given = data;
  int rc = sqlite3_declare_vtab (db, given->klass->schema);

  if (rc != SQLITE_OK)
    return rc;
  Table *table = g_new0 (Table, 1);
  table->klass = given->klass;
  table->reader = given->reader;
  *vtab = &table->base;
  return SQLITE_OK;
}

static int
table_disconnect (sqlite3_vtab *vtab)
{
  g_free (vtab);
  return SQLITE_OK;
}

/* What each column that is searched by saves, roughly: a run of many, a tag of many. */
static int
table_best_index (sqlite3_vtab *vtab, sqlite3_index_info *info)
{
  const TsTableClass *k = ((Table *) vtab)->klass;
  int n = 0;

  info->estimatedCost = k->kind < 0 ? 1e3 : 1e8;
  for (int bit = BY_RUN; bit <= BY_OVERTAKEN; bit *= 2) {
    int column = bit == BY_RUN ? k->run : bit == BY_TAG ? k->tag : k->overtaken;
    for (int i = 0; column >= 0 && i < info->nConstraint; i++) {
      if (info->aConstraint[i].iColumn != column ||
          info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ ||
          strcmp (sqlite3_vtab_collation (info, i), "BINARY") != 0)
        continue;
      if (!info->aConstraint[i].usable) {
        if (bit == BY_OVERTAKEN)
          return SQLITE_CONSTRAINT; /* it decides what there is at all */
        continue;
      }
      info->aConstraintUsage[i].argvIndex = ++n;
      info->idxNum |= bit;
      info->estimatedCost /= bit == BY_OVERTAKEN ? 1 : 100;
      break;
    }
  }
  info->estimatedRows = (sqlite3_int64) info->estimatedCost;
  return SQLITE_OK;
}

static int
table_open (sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
  const Table *table = (const Table *) vtab;
  TsTableCursor *cursor = g_new0 (TsTableCursor, 1);

  cursor->klass = table->klass;
  cursor->reader = table->reader;
  *out = &cursor->base;
  return SQLITE_OK;
}

static void
forget (TsTableCursor *cursor)
{
  g_clear_pointer (&cursor->want_run, g_free);
  g_clear_pointer (&cursor->want_tag, g_free);
  g_clear_pointer (&cursor->runs, g_ptr_array_unref);
  g_clear_pointer (&cursor->tags, g_ptr_array_unref);
  g_clear_pointer (&cursor->rows, g_array_unref);
  cursor->n_rows = cursor->row = cursor->run = cursor->tag = 0;
}

static int
table_close (sqlite3_vtab_cursor *base)
{
  forget ((TsTableCursor *) base);
  g_free (base);
  return SQLITE_OK;
}

/* The first series from the present one on that belongs to the table and fits. */
static void
skip_tags (TsTableCursor *cursor)
{
  for (; cursor->tag < cursor->tags->len; cursor->tag++) {
    const TsTagInfo *info = ts_table_tag (cursor);
    const TsTableClass *k = cursor->klass;
    if ((k->fits ? k->fits (info) : (int) info->kind == k->kind) &&
        (!cursor->want_tag || strcmp (info->tag, cursor->want_tag) == 0))
      return;
  }
}

/* The first run from the present one on that fits, with its series. */
static gboolean
enter_run (TsTableCursor *cursor, GError **error)
{
  g_clear_pointer (&cursor->tags, g_ptr_array_unref);
  cursor->from = cursor->tag = 0;
  while (cursor->run < cursor->runs->len && cursor->want_run &&
         strcmp (ts_table_run (cursor)->name, cursor->want_run) != 0)
    cursor->run++;
  if (cursor->klass->kind < 0 || cursor->run >= cursor->runs->len)
    return TRUE;
  cursor->tags = ts_reader_list_tags (cursor->reader, ts_table_run (cursor)->run_id, error);
  if (!cursor->tags)
    return FALSE;
  skip_tags (cursor);
  return TRUE;
}

/* Rows until there are some, or no run is left. */
static gboolean
load (TsTableCursor *cursor, GError **error)
{
  cursor->row = cursor->n_rows = 0;
  while (cursor->run < cursor->runs->len) {
    gboolean any = cursor->klass->kind < 0 || cursor->tag < cursor->tags->len;
    int n = any ? cursor->klass->load (cursor, error) : 0;
    if (n < 0)
      return FALSE;
    if (n > 0) {
      cursor->n_rows = (guint) n;
      return TRUE;
    }
    cursor->from = 0;
    if (any && cursor->klass->kind >= 0) {
      cursor->tag++;
      skip_tags (cursor);
      continue;
    }
    cursor->run++;
    if (!enter_run (cursor, error))
      return FALSE;
  }
  return TRUE;
}

/* The first row from the present one on that is wanted. */
static gboolean
settle (TsTableCursor *cursor, GError **error)
{
  const TsTableClass *k = cursor->klass;

  for (;; cursor->row++) {
    if (cursor->row >= cursor->n_rows && (!load (cursor, error) || !cursor->n_rows))
      return cursor->run >= cursor->runs->len;
    if (!k->is_overtaken || k->is_overtaken (cursor, cursor->row) == cursor->want_overtaken)
      return TRUE;
  }
}

static int
finish (TsTableCursor *cursor, gboolean ok, GError *error)
{
  sqlite3_vtab *vtab = cursor->base.pVtab;

  if (ok)
    return SQLITE_OK;
  sqlite3_free (vtab->zErrMsg);
  vtab->zErrMsg = sqlite3_mprintf ("%s", error ? error->message : "out of memory");
  g_clear_error (&error);
  return SQLITE_ERROR;
}

/* A value that is no text fits whatever SQLite then thinks of it. */
static char *
dup_wanted (sqlite3_value *value)
{
  int type = sqlite3_value_type (value);

  if (type != SQLITE_TEXT && type != SQLITE_BLOB)
    return NULL;
  const char *bytes = sqlite3_value_blob (value);
  return g_strndup (bytes ? bytes : "", (gsize) sqlite3_value_bytes (value));
}

static int
table_filter (sqlite3_vtab_cursor *base, int by, const char *name, int argc, sqlite3_value **argv)
{
  TsTableCursor *cursor = (TsTableCursor *) base;
  GError *error = NULL;
  int i = 0;

  forget (cursor);
  cursor->rowid = 0;
  cursor->want_overtaken = 0;
  if (by & BY_RUN)
    cursor->want_run = dup_wanted (argv[i++]);
  if (by & BY_TAG)
    cursor->want_tag = dup_wanted (argv[i++]);
  if (by & BY_OVERTAKEN)
    cursor->want_overtaken = sqlite3_value_int (argv[i]) != 0;
  cursor->runs = ts_reader_list_runs (cursor->reader, FALSE, &error);
  gboolean ok = cursor->runs && enter_run (cursor, &error) && settle (cursor, &error);
  return finish (cursor, ok, error);
}

static int
table_next (sqlite3_vtab_cursor *base)
{
  TsTableCursor *cursor = (TsTableCursor *) base;
  GError *error = NULL;

  cursor->row++;
  cursor->rowid++;
  gboolean ok = settle (cursor, &error);
  return finish (cursor, ok, error);
}

static int
table_eof (sqlite3_vtab_cursor *base)
{
  const TsTableCursor *cursor = (const TsTableCursor *) base;

  return cursor->row >= cursor->n_rows;
}

static int
table_column (sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
  TsTableCursor *cursor = (TsTableCursor *) base;

  cursor->klass->column (cursor, out, cursor->row, column);
  return SQLITE_OK;
}

static int
table_rowid (sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
  *rowid = ((const TsTableCursor *) base)->rowid;
  return SQLITE_OK;
}

/* Without xCreate a table is there by its name alone. */
static const sqlite3_module module = {
    .iVersion = 1,
    .xConnect = table_connect,
    .xBestIndex = table_best_index,
    .xDisconnect = table_disconnect,
    .xOpen = table_open,
    .xClose = table_close,
    .xFilter = table_filter,
    .xNext = table_next,
    .xEof = table_eof,
    .xColumn = table_column,
    .xRowid = table_rowid,
};

gboolean
ts_tables_register (sqlite3 *db, TsReader *reader, GError **error)
{
  static const TsTableClass *const classes[] = {&ts_table_runs,    &ts_table_hparams,
                                                &ts_table_scalars, &ts_table_histograms,
                                                &ts_table_samples, &ts_table_pr_curves};

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++) {
    Given *given = g_new0 (Given, 1);
    *given = (Given){classes[i], reader};
    int rc = sqlite3_create_module_v2 (db, classes[i]->name, &module, given, g_free);
    if (rc != SQLITE_OK) {
      g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_IO, "cannot make the table %s: %s",
                   classes[i]->name, sqlite3_errmsg (db));
      return FALSE;
    }
  }
  return TRUE;
}
