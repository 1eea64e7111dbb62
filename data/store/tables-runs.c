/* SPDX-License-Identifier: MIT */
#include "data/store/tables-private.h"

static void
seconds (sqlite3_context *out, gint64 us)
{
  if (us)
    sqlite3_result_double (out, (double) us / 1e6);
  else
    sqlite3_result_null (out);
}

static int
load_run (TsTableCursor *cursor, GError **error)
{
  return cursor->from++ == 0;
}

static void
run_column (TsTableCursor *cursor, sqlite3_context *out, guint row, int column)
{
  const TsRun *run = ts_table_run (cursor);
  const char *const text[] = {run->name,      run->uuid, ts_run_state_name (run->state),
                              NULL,           NULL,      run->model_name,
                              run->data_name, NULL,      NULL,
                              NULL,           NULL,      run->note};

  switch (column) {
  case 3:
    seconds (out, run->created_us);
    break;
  case 4:
    seconds (out, run->ended_us);
    break;
  case 7:
    sqlite3_result_int64 (out, (gint64) run->seed);
    break;
  case 8:
    sqlite3_result_int64 (out, run->n_points);
    break;
  case 9:
    sqlite3_result_int (out, run->pinned);
    break;
  case 10:
    sqlite3_result_int (out, run->archived);
    break;
  default:
    ts_table_text (out, text[column]);
  }
}

const TsTableClass ts_table_runs = {
    .name = "runs",
    .schema =
        "CREATE TABLE runs (run TEXT, uuid TEXT, state TEXT, created REAL, ended REAL, model TEXT,"
        " data TEXT, seed INTEGER, points INTEGER, pinned INTEGER, archived INTEGER, note TEXT)",
    .kind = -1,
    .run = 0,
    .tag = -1,
    .overtaken = -1,
    .load = load_run,
    .column = run_column,
};

static int
load_hparams (TsTableCursor *cursor, GError **error)
{
  return cursor->from++ == 0 ? (int) ts_table_run (cursor)->n_hparams : 0;
}

static void
hparam_column (TsTableCursor *cursor, sqlite3_context *out, guint row, int column)
{
  static const char *const types[] = {"null", "integer", "real", "text", "boolean"};
  const TsHparam *h = &ts_table_run (cursor)->hparams[row];

  switch (column) {
  case 0:
    ts_table_text (out, ts_table_run (cursor)->name);
    break;
  case 1:
    ts_table_text (out, h->key);
    break;
  case 2:
    ts_table_text (out, types[h->kind]);
    break;
  default:
    if (h->kind == TS_HPARAM_INT || h->kind == TS_HPARAM_BOOL)
      sqlite3_result_int64 (out, h->i);
    else if (h->kind == TS_HPARAM_REAL)
      sqlite3_result_double (out, h->r);
    else
      ts_table_text (out, h->kind == TS_HPARAM_TEXT ? h->t : NULL);
  }
}

const TsTableClass ts_table_hparams = {
    .name = "hparams",
    .schema = "CREATE TABLE hparams (run TEXT, key TEXT, type TEXT, value)",
    .kind = -1,
    .run = 0,
    .tag = -1,
    .overtaken = -1,
    .load = load_hparams,
    .column = hparam_column,
};
