/* SPDX-License-Identifier: MIT */
#include "data/sets/csv.h"

#include <math.h>
#include <string.h>

#include "data/sets/error.h"
#include "engine/base/file.h"

typedef struct {
  guint32 start; /* offset into text; the cell ends with a NUL */
  guint32 line;
} Cell;

struct TsCsv {
  char *name;
  char *text;    /* cells are unquoted in place: that only ever shrinks them */
  GArray *cells; /* of Cell, row after row, the header's too */
  guint n_columns;
  gboolean has_header;
  char **column_names;
};

typedef struct {
  TsCsv *csv;
  char *p, *end; /* *end is NUL */
  guint line;
  guint column; /* of the row being read, from 0 */
} Reader;

static gboolean fail (const Reader *r, TsSetsError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static gboolean
fail (const Reader *r, TsSetsError code, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, TS_SETS_ERROR, (gint) code, "%s:%u: %s", r->csv->name, r->line, text);
  return FALSE;
}

gboolean
ts_csv_parse_number (const char *cell, double *value)
{
  char *end = NULL;

  if (!*cell || cell[strspn (cell, "0123456789+-.eE")])
    return FALSE;
  *value = g_ascii_strtod (cell, &end);
  return end != cell && !*end && isfinite (*value);
}

/* A cell in quotes; leaves r->p behind the closing quote. */
static gboolean
read_quoted (Reader *r, char **stop, GError **error)
{
  Reader at = *r; /* where it began, for the message */
  char *to = r->p++;

  for (;; r->p++) {
    if (r->p >= r->end)
      return fail (&at, TS_SETS_ERROR_FORMAT, error, "column %u: the quote is never closed",
                   at.column + 1);
    if (*r->p == '"' && *++r->p != '"')
      break;
    if (*r->p == '\n')
      r->line++;
    *to++ = *r->p;
  }
  while (*r->p == ' ' || *r->p == '\t')
    r->p++;
  if (r->p < r->end && *r->p != ',' && *r->p != '\n' && !(*r->p == '\r' && r->p[1] == '\n'))
    return fail (r, TS_SETS_ERROR_FORMAT, error,
                 "column %u: a comma or the end of the line must follow the closing quote",
                 r->column + 1);
  *stop = to;
  return TRUE;
}

/* A cell without quotes. */
static gboolean
read_plain (Reader *r, char **stop, GError **error)
{
  char *start = r->p;

  while (r->p < r->end && *r->p != ',' && *r->p != '\n') {
    if (*r->p == '"')
      return fail (r, TS_SETS_ERROR_FORMAT, error,
                   "column %u: a quote inside a cell that does not start with one", r->column + 1);
    r->p++;
  }
  *stop = r->p;
  while (*stop > start && strchr (" \t\r", (*stop)[-1]))
    (*stop)--;
  return TRUE;
}

/* One cell and what ends it.  @last: the row ends here. */
static gboolean
read_cell (Reader *r, gboolean *last, GError **error)
{
  TsCsv *csv = r->csv;
  Cell cell = {.line = r->line};
  char *stop = NULL;

  while (*r->p == ' ' || *r->p == '\t')
    r->p++;
  cell.start = (guint32) (r->p - csv->text);
  if (!(*r->p == '"' ? read_quoted (r, &stop, error) : read_plain (r, &stop, error)))
    return FALSE;
  if (csv->cells->len >= TS_CSV_MAX_CELLS || r->column >= TS_CSV_MAX_COLUMNS)
    return fail (r, TS_SETS_ERROR_LIMIT, error, "more than %d columns or %zu cells",
                 TS_CSV_MAX_COLUMNS, TS_CSV_MAX_CELLS);
  if (*r->p == '\r')
    r->p++;
  *last = r->p >= r->end || *r->p == '\n';
  if (r->p < r->end) {
    r->line += *last;
    r->p++;
  }
  *stop = 0; /* the separator or a shrunk byte; only now, since it may be the one just read */
  g_array_append_val (csv->cells, cell);
  r->column++;
  return TRUE;
}

static gboolean
read_rows (Reader *r, GError **error)
{
  while (r->p < r->end) {
    gboolean last = FALSE;

    if (*r->p == '\n' || (*r->p == '\r' && r->p[1] == '\n')) {
      r->p += *r->p == '\r' ? 2 : 1;
      r->line++;
      continue;
    }
    Reader at = *r;
    for (r->column = 0; !last;)
      if (!read_cell (r, &last, error))
        return FALSE;
    if (!r->csv->n_columns)
      r->csv->n_columns = r->column;
    if (r->column != r->csv->n_columns)
      return fail (&at, TS_SETS_ERROR_FORMAT, error, "%u columns, but the first row has %u",
                   r->column, r->csv->n_columns);
  }
  return TRUE;
}

static const Cell *
cell_at (const TsCsv *csv, gsize row, guint column)
{
  return &g_array_index (csv->cells, Cell, row * csv->n_columns + column);
}

static gboolean
looks_like_header (const TsCsv *csv)
{
  double value;

  for (guint c = 0; c < csv->n_columns; c++)
    if (ts_csv_parse_number (csv->text + cell_at (csv, 0, c)->start, &value))
      return FALSE;
  return TRUE;
}

static void
name_columns (TsCsv *csv)
{
  csv->column_names = g_new0 (char *, csv->n_columns + 1);
  for (guint c = 0; c < csv->n_columns; c++) {
    const char *text = csv->has_header ? csv->text + cell_at (csv, 0, c)->start : "";
    csv->column_names[c] = *text ? g_strdup (text) : g_strdup_printf ("column %u", c + 1);
  }
}

static TsCsv *
parse (const char *name, char *text, gsize length, TsCsvHeader header, GError **error)
{
  g_autoptr (TsCsv) csv = g_new0 (TsCsv, 1);
  Reader r = {csv, text, text + length, 1, 0};

  csv->name = g_strdup (name);
  csv->text = text;
  csv->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  if (length > TS_CSV_MAX_BYTES) {
    fail (&r, TS_SETS_ERROR_LIMIT, error, "the file has %zu bytes; at most %zu can be read", length,
          TS_CSV_MAX_BYTES);
    return NULL;
  }
  const char *bad;
  if (!g_utf8_validate_len (text, length, &bad)) {
    for (const char *p = text; p < bad; p++)
      r.line += *p == '\n';
    fail (&r, TS_SETS_ERROR_FORMAT, error, "not UTF-8 text: byte 0x%02x", (guchar) *bad);
    return NULL;
  }
  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    r.p += 3;
  if (!read_rows (&r, error))
    return NULL;
  if (!csv->n_columns) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT, "%s: the file is empty", name);
    return NULL;
  }
  csv->has_header =
      header == TS_CSV_HEADER_YES || (header == TS_CSV_HEADER_GUESS && looks_like_header (csv));
  name_columns (csv);
  if (ts_csv_get_n_rows (csv) == 0) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT,
                 "%s: there is a header but no row below it", name);
    return NULL;
  }
  return g_steal_pointer (&csv);
}

TsCsv *
ts_csv_new (const char *name, const char *text, gsize length, TsCsvHeader header, GError **error)
{
  char *copy = g_malloc (length + 1);

  memcpy (copy, text, length);
  copy[length] = 0;
  return parse (name, copy, length, header, error);
}

TsCsv *
ts_csv_new_from_file (const char *path, TsCsvHeader header, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text;
  gsize length;

  if (!ts_file_check_regular (path, &local)) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_IO, "%s", local->message);
    return NULL;
  }
  if (!g_file_get_contents (path, &text, &length, &local)) {
    gboolean gone = g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    g_set_error (error, TS_SETS_ERROR, gone ? TS_SETS_ERROR_MISSING : TS_SETS_ERROR_IO, "%s",
                 local->message);
    return NULL;
  }
  return parse (path, text, length, header, error);
}

void
ts_csv_free (TsCsv *csv)
{
  g_free (csv->name);
  g_free (csv->text);
  g_array_unref (csv->cells);
  g_strfreev (csv->column_names);
  g_free (csv);
}

const char *
ts_csv_get_name (const TsCsv *csv)
{
  return csv->name;
}

gsize
ts_csv_get_n_rows (const TsCsv *csv)
{
  return csv->cells->len / csv->n_columns - (csv->has_header ? 1 : 0);
}

guint
ts_csv_get_n_columns (const TsCsv *csv)
{
  return csv->n_columns;
}

const char *
ts_csv_get_column_name (const TsCsv *csv, guint column)
{
  g_return_val_if_fail (column < csv->n_columns, NULL);
  return csv->column_names[column];
}

const char *
ts_csv_get_cell (const TsCsv *csv, gsize row, guint column)
{
  g_return_val_if_fail (row < ts_csv_get_n_rows (csv) && column < csv->n_columns, NULL);
  return csv->text + cell_at (csv, row + (csv->has_header ? 1 : 0), column)->start;
}

guint
ts_csv_get_line (const TsCsv *csv, gsize row, guint column)
{
  g_return_val_if_fail (row < ts_csv_get_n_rows (csv) && column < csv->n_columns, 0);
  return cell_at (csv, row + (csv->has_header ? 1 : 0), column)->line;
}
