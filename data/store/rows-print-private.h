/* SPDX-License-Identifier: MIT */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "data/store/tables.h"

G_BEGIN_DECLS

/* Runs @statement to its end and writes its rows to @out; a statement without columns writes nothing.
 * Reals have as many digits as give back the same bits, bytes that are not UTF-8 are written in
 * hexadecimal.  Errors: TS_STORE_ERROR_SQL. */
gboolean ts_rows_print (sqlite3_stmt *statement, TsRowsForm form, FILE *out, GError **error);

G_END_DECLS
