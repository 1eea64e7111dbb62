/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reader of comma-separated values as RFC 4180 has them: cells in double quotes may hold commas,
 * line ends and doubled quotes; lines end in LF or CRLF; a byte order mark is skipped; empty lines
 * are skipped; there are no comments.  Every row must have as many cells as the first.
 *
 * Errors: TS_SETS_ERROR_MISSING, _IO, _FORMAT, _LIMIT; each names file:line. */

#define TS_CSV_MAX_BYTES   ((gsize) 256 << 20)
#define TS_CSV_MAX_COLUMNS 16384
#define TS_CSV_MAX_CELLS   ((gsize) 1 << 26)

typedef enum { TS_CSV_HEADER_GUESS, TS_CSV_HEADER_YES, TS_CSV_HEADER_NO } TsCsvHeader;

typedef struct TsCsv TsCsv;

/* From memory: @name stands for the file in messages; @text is copied, valid UTF-8, @length bytes.
 * GUESS: the first row is the header when none of its cells is a number. */
TsCsv *ts_csv_new (const char *name, const char *text, gsize length, TsCsvHeader header,
                   GError **error);
TsCsv *ts_csv_new_from_file (const char *path, TsCsvHeader header, GError **error);
void ts_csv_free (TsCsv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsCsv, ts_csv_free)

const char *ts_csv_get_name (const TsCsv *csv);
gsize ts_csv_get_n_rows (const TsCsv *csv); /* without the header */
guint ts_csv_get_n_columns (const TsCsv *csv);

/* The name in the header, or "column 3" (counted from 1) when there is none.  Borrowed. */
const char *ts_csv_get_column_name (const TsCsv *csv, guint column);

/* The text of a cell without its quotes, spaces around it removed.  Borrowed. */
const char *ts_csv_get_cell (const TsCsv *csv, gsize row, guint column);

/* The line (from 1) on which a cell starts. */
guint ts_csv_get_line (const TsCsv *csv, gsize row, guint column);

/* A decimal number and nothing else: no hexadecimal, no "nan" or "inf", finite. */
gboolean ts_csv_parse_number (const char *cell, double *value);

G_END_DECLS
