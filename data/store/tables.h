/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "data/store/reader.h"

G_BEGIN_DECLS

/* A workspace as plain tables for SQL (docs/run-file.md, "The plain tables"):
 *
 *   runs (run, uuid, state, created, ended, model, data, seed, points, pinned, archived, note)
 *   hparams (run, key, type, value)
 *   scalars (run, tag, step, wall_time, value, bits; seq, attempt, overtaken)
 *   histograms (run, tag, step, wall_time, count, min, max, sum, sum_squares, nonfinite, buckets;
 *               seq, attempt, overtaken)
 *   samples (run, tag, step, wall_time, kind, type, shape, idx, value, meta, about; seq, attempt, overtaken)
 *   pr_curves (run, tag, step, wall_time, threshold, tp, fp, tn, fn, precision, recall; seq, attempt, overtaken)
 *
 * Columns after the semicolon are hidden: to be asked for by name.  Points that a later attempt has overtaken
 * are left out unless `overtaken = 1` or `overtaken IN (0, 1)` asks for them.  Runs in the trash are left out.
 * They are virtual tables of a connection with nothing else: whatever it is asked, the workspace is only read.
 * Used by one thread at a time.  Errors: TS_STORE_ERROR_SQL with SQLite's message, or the reader's. */
typedef struct TsTables TsTables;

/* @reader must outlive the tables and not be used while they work. */
TsTables *ts_tables_open (TsReader *reader, GError **error);
void ts_tables_close (TsTables *tables);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTables, ts_tables_close)

typedef enum {
  TS_ROWS_TABLE, /* columns side by side, for people */
  TS_ROWS_CSV,   /* RFC 4180, with the names in the first line; NULL is empty */
  TS_ROWS_JSON,  /* an array of objects; NULL is null */
} TsRowsForm;

/* Runs the statements of @text one after the other and writes their rows to @out. */
gboolean ts_tables_query (TsTables *tables, const char *text, TsRowsForm form, FILE *out,
                          GError **error);

/* All points of the runs of these names (none: of all runs), hidden ones too, with all their digits: run, tag,
 * step, wall_time, value, bits, attempt, overtaken; a NaN is the text "NaN". */
gboolean ts_tables_write_points (TsTables *tables, char **runs, TsRowsForm form, FILE *out,
                                 GError **error);

/* Likewise runs, hparams, scalars and histograms into the SQLite file @path as ordinary ones, in rollback mode.  What stood there is
 * replaced by the whole file, or stays. */
gboolean ts_tables_copy (TsTables *tables, char **runs, const char *path, GError **error);

G_END_DECLS
