/* SPDX-License-Identifier: MIT */
#include "data/store/rows-print-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/store/tables-private.h"
#include "engine/base/param.h"

/* The value as text: numbers as short as gives the same bits back, bytes in hexadecimal; NULL for NULL. */
static char *
dup_value (sqlite3_stmt *row, int column)
{
  const guint8 *bytes;
  GString *hex;

  switch (sqlite3_column_type (row, column)) {
  case SQLITE_NULL:
    return NULL;
  case SQLITE_FLOAT:
    return ts_number_dup_text (sqlite3_column_double (row, column));
  case SQLITE_BLOB:
    bytes = sqlite3_column_blob (row, column);
    hex = g_string_new (NULL);
    for (int i = 0; i < sqlite3_column_bytes (row, column); i++)
      g_string_append_printf (hex, "%02x", bytes[i]);
    return g_string_free (hex, FALSE);
  default:
    return g_strdup ((const char *) sqlite3_column_text (row, column));
  }
}

static gboolean
is_number (sqlite3_stmt *row, int column)
{
  int type = sqlite3_column_type (row, column);

  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* --- CSV --- */

static void
put_csv (FILE *out, const char *text, gboolean first)
{
  if (!first)
    putc (',', out);
  if (text && strpbrk (text, ",\"\r\n")) {
    putc ('"', out);
    for (; *text; text++) {
      if (*text == '"')
        putc ('"', out);
      putc (*text, out);
    }
    putc ('"', out);
  } else if (text) {
    fputs (text, out);
  }
}

static void
csv_row (FILE *out, sqlite3_stmt *row, int n)
{
  for (int i = 0; i < n; i++) {
    g_autofree char *text = dup_value (row, i);
    put_csv (out, text, i == 0);
  }
  fputs ("\r\n", out);
}

/* --- JSON --- */

static void
put_json_text (FILE *out, const char *text)
{
  putc ('"', out);
  for (; *text; text++) {
    guchar c = (guchar) *text;
    if (c == '"' || c == '\\')
      fprintf (out, "\\%c", c);
    else if (c < 0x20)
      fprintf (out, "\\u%04x", c);
    else
      putc (c, out);
  }
  putc ('"', out);
}

static void
json_row (FILE *out, sqlite3_stmt *row, int n, gboolean first)
{
  fputs (first ? "\n  {" : ",\n  {", out);
  for (int i = 0; i < n; i++) {
    g_autofree char *text = dup_value (row, i);
    if (i)
      fputs (", ", out);
    put_json_text (out, sqlite3_column_name (row, i));
    fputs (": ", out);
    if (!text)
      fputs ("null", out);
    else if (is_number (row, i) && (sqlite3_column_type (row, i) == SQLITE_INTEGER ||
                                    isfinite (sqlite3_column_double (row, i))))
      fputs (text, out);
    else if (is_number (row, i))
      put_json_text (out, sqlite3_column_double (row, i) > 0 ? "Infinity" : "-Infinity");
    else
      put_json_text (out, text);
  }
  putc ('}', out);
}

/* --- For people --- */

#define ROWS_MEASURED 1000 /* widths are those of the first rows */
#define CELL_CHARS    60   /* of a text; --json and --csv give all of it */

/* On one line and not too long; of bytes how many they are. */
static char *
dup_cell (sqlite3_stmt *row, int column)
{
  if (sqlite3_column_type (row, column) == SQLITE_BLOB)
    return g_strdup_printf ("<%d bytes>", sqlite3_column_bytes (row, column));
  g_autofree char *text = dup_value (row, column);
  g_autofree char *valid = text ? g_utf8_make_valid (text, -1) : NULL;

  if (!valid || is_number (row, column))
    return g_steal_pointer (&text);
  for (char *p = valid; *p; p++)
    if (g_ascii_iscntrl (*p))
      *p = ' ';
  if (g_utf8_strlen (valid, -1) <= CELL_CHARS)
    return g_steal_pointer (&valid);
  *g_utf8_offset_to_pointer (valid, CELL_CHARS - 1) = 0;
  return g_strconcat (valid, "…", NULL);
}

static void
put_cell (FILE *out, const char *text, int width, gboolean right, gboolean last)
{
  int missing = width - (int) g_utf8_strlen (text ? text : "", -1);

  for (int i = 0; right && i < missing; i++)
    putc (' ', out);
  fputs (text ? text : "", out);
  for (int i = 0; !right && !last && i < missing; i++)
    putc (' ', out);
  fputs (last ? "\n" : "  ", out);
}

/* Cells of the rows held back, n to a row; NULL for NULL. */
static void
put_held (FILE *out, const GPtrArray *cells, const GArray *numbers, const int *widths, int n)
{
  for (guint i = 0; i < cells->len; i++)
    put_cell (out, cells->pdata[i], widths[i % (guint) n], g_array_index (numbers, gboolean, i),
              i % (guint) n == (guint) n - 1);
}

static int
print_table (FILE *out, sqlite3_stmt *statement, int n)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gboolean));
  g_autofree int *widths = g_new0 (int, (gsize) n);
  guint held = 0;
  int rc;

  while (held < ROWS_MEASURED && (rc = sqlite3_step (statement)) == SQLITE_ROW) {
    for (int i = 0; i < n; i++) {
      char *text = dup_cell (statement, i);
      gboolean number = is_number (statement, i);
      widths[i] = MAX (widths[i], text ? (int) g_utf8_strlen (text, -1) : 0);
      g_ptr_array_add (cells, text);
      g_array_append_val (numbers, number);
    }
    held++;
  }
  for (int i = 0; i < n; i++) {
    const char *name = sqlite3_column_name (statement, i);
    widths[i] = MAX (widths[i], (int) g_utf8_strlen (name, -1));
    put_cell (out, name, widths[i], held && g_array_index (numbers, gboolean, i), i == n - 1);
  }
  put_held (out, cells, numbers, widths, n);
  while (rc == SQLITE_ROW && (rc = sqlite3_step (statement)) == SQLITE_ROW)
    for (int i = 0; i < n; i++) {
      g_autofree char *text = dup_cell (statement, i);
      put_cell (out, text, widths[i], is_number (statement, i), i == n - 1);
    }
  return rc;
}

gboolean
ts_rows_print (sqlite3_stmt *statement, TsRowsForm form, FILE *out, GError **error)
{
  int n = sqlite3_column_count (statement), rc = SQLITE_DONE;
  gboolean first = TRUE;

  if (form == TS_ROWS_TABLE && n) {
    rc = print_table (out, statement, n);
  } else {
    for (int i = 0; form == TS_ROWS_CSV && i < n; i++)
      put_csv (out, sqlite3_column_name (statement, i), i == 0);
    if (n)
      fputs (form == TS_ROWS_CSV ? "\r\n" : "[", out);
    for (; (rc = sqlite3_step (statement)) == SQLITE_ROW; first = FALSE)
      if (form == TS_ROWS_CSV)
        csv_row (out, statement, n);
      else
        json_row (out, statement, n, first);
    if (n && form == TS_ROWS_JSON)
      fputs (first ? "]\n" : "\n]\n", out);
  }
  fflush (out);
  if (rc == SQLITE_DONE)
    return TRUE;
  return ts_tables_fail (sqlite3_db_handle (statement), error);
}
