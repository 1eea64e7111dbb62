/* SPDX-License-Identifier: MIT */
#pragma once

#include <sqlite3.h>

#include "data/store/tables.h"

G_BEGIN_DECLS

typedef struct TsTableCursor TsTableCursor;

/* One table.  Rows come run by run, and within a run, where @kind is a series', series by series. */
typedef struct {
  const char *name, *schema;
  int kind; /* TsSeriesKind, or -1 */
  gboolean (*fits) (
      const TsTagInfo *info); /* which series instead, where it is not one kind; or NULL */
  int run, tag, overtaken;    /* columns that can be searched by; -1: none */
  /* The next rows of the present run or series, from @cursor->from on: their number; -1: an error. */
  int (*load) (TsTableCursor *cursor, GError **error);
  void (*column) (TsTableCursor *cursor, sqlite3_context *out, guint row, int column);
  /* Is the row one that a later attempt has overtaken?  NULL: there is no such thing. */
  gboolean (*is_overtaken) (TsTableCursor *cursor, guint row);
} TsTableClass;

struct TsTableCursor {
  sqlite3_vtab_cursor base;
  const TsTableClass *klass;
  TsReader *reader;
  char *want_run, *want_tag; /* NULL: any */
  int want_overtaken;        /* 0, 1 */
  GPtrArray *runs, *tags;    /* of TsRun, TsTagInfo */
  guint run, tag;            /* the present ones */
  gint64 from;               /* seq of the next rows */
  GArray *rows;              /* what load read */
  guint row, n_rows;
  gint64 rowid;
};

static inline TsRun *
ts_table_run (const TsTableCursor *cursor)
{
  return cursor->runs->pdata[cursor->run];
}

static inline TsTagInfo *
ts_table_tag (const TsTableCursor *cursor)
{
  return cursor->tags->pdata[cursor->tag];
}

/* What rows of all series have in common: run, tag, step, wall_time are their first columns; hidden ones (seq,
 * attempt, overtaken) follow those of the table. */
typedef struct {
  gint64 seq, step, wall;
  TsWallKind wall_kind;
  gint32 attempt;
  gboolean hidden;
} TsTablePlace;

void ts_table_place_column (TsTableCursor *cursor, sqlite3_context *out, const TsTablePlace *place,
                            int column, int hidden_from);
/* Empties @cursor->rows, of @size bytes each; the present series. */
gint64 ts_table_start_rows (TsTableCursor *cursor, guint size);

/* NULL when @text is; a BLOB when it is not UTF-8. */
void ts_table_text (sqlite3_context *out, const char *text);

/* Makes the virtual tables known to @db. */
gboolean ts_tables_register (sqlite3 *db, TsReader *reader, GError **error);

sqlite3 *ts_tables_db (TsTables *tables);
/* One statement; NULL without an error: there was none, only white space or comments.  @rest (may be NULL):
 * what follows. */
sqlite3_stmt *ts_tables_prepare (sqlite3 *db, const char *text, const char **rest, GError **error);
/* The last failure of the connection; always FALSE. */
gboolean ts_tables_fail (sqlite3 *db, GError **error);

extern const TsTableClass ts_table_runs, ts_table_hparams, ts_table_scalars, ts_table_histograms,
    ts_table_samples, ts_table_pr_curves;

G_END_DECLS
