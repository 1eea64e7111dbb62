/* SPDX-License-Identifier: MIT */
#include "data/events/projector.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/events/image-size.h"
#include "data/store/array.h"
#include "data/store/item.h"
#include "data/store/point.h"

#define FILE_MAX (1u << 28)

typedef struct {
  TsImport *import;
  TsImportAttempt *attempt;
  const TsProjectorEntry *entry;
  const char *folder, *root;
  gint64 step, wall;
  GPtrArray *problems;
} Adding;

static void G_GNUC_PRINTF (3, 4) tell (Adding *a, const char *path, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (a->problems, g_strdup_printf ("%s/%s: the embedding '%s': %s", a->folder, path,
                                                 a->entry->tensor_name, text));
}

/* --- Files --- */

static gboolean
is_below (const char *path, const char *root)
{
  gsize n = strlen (root);

  return strncmp (path, root, n) == 0 && (path[n] == '/' || path[n] == 0 || n == 1);
}

/* The file's bytes and a zero behind them; NULL, and it is told. */
static char *
read_file (Adding *a, const char *path, gsize *size)
{
  g_autofree char *full =
      g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (a->folder, path, NULL);
  g_autofree char *real = realpath (full, NULL); /* malloc and g_malloc are one */
  int code = real ? 0 : errno;
  g_autofree char *root = realpath (a->root, NULL);
  g_autoptr (GError) error = NULL;
  GStatBuf st;
  char *text = NULL;

  if (real && g_stat (real, &st) != 0)
    code = errno;
  if (code)
    tell (a, path, "%s", g_strerror (code));
  else if (!root || !is_below (real, root))
    tell (a, path, "it lies outside of %s and is not read", a->root);
  else if (!S_ISREG (st.st_mode))
    tell (a, path, "it is no ordinary file");
  else if (st.st_size > FILE_MAX)
    tell (a, path, "it is larger than %u MB", FILE_MAX >> 20);
  else if (!g_file_get_contents (real, &text, size, &error))
    tell (a, path, "%s", error->message);
  return text;
}

/* @part: what is added to the tag, "" for the points. */
static void
add_item (Adding *a, const char *part, TsSeriesKind kind, const char *plugin, TsItemCodec codec,
          const char *item_meta, GByteArray *out)
{
  g_autofree char *tag = g_strconcat (a->entry->tensor_name, part, NULL);
  g_autofree char *meta = g_strdup_printf ("{\"plugin\":\"%s\"}", plugin);
  TsImportSeries *series = ts_import_series (a->import, a->attempt, tag, kind, meta);
  g_autoptr (GBytes) bytes = g_bytes_new (out->data, out->len);

  ts_import_add_item (a->import, series, a->step, a->wall, codec, item_meta, bytes);
}

/* Ends the line at @line and gives where the next one begins; NULL: it was the last. */
static char *
end_line (char *line, char *end)
{
  char *newline = memchr (line, '\n', (gsize) (end - line));

  if (!newline)
    return NULL;
  *newline = 0;
  if (newline > line && newline[-1] == '\r')
    newline[-1] = 0;
  return newline + 1 < end ? newline + 1 : NULL;
}

/* --- Points --- */

/* The numbers of one line behind those of the others; their number, 0: there is something else in it. */
static guint
add_numbers (GArray *numbers, const char *line)
{
  guint n = 0;
  char *rest;

  while (*line) {
    double v = g_ascii_strtod (line, &rest);
    if (rest == line || (*rest && *rest != '\t' && *rest != ' '))
      return 0;
    g_array_append_val (numbers, v);
    n++;
    for (line = rest; *line == '\t' || *line == ' '; line++)
      ;
  }
  return n;
}

/* As binary32 when that has all the values. */
static void
put_points (GByteArray *out, const GArray *numbers, guint columns)
{
  const gint64 dim[] = {numbers->len / columns, columns};
  gboolean narrow = TRUE;

  for (guint i = 0; narrow && i < numbers->len; i++) {
    double v = g_array_index (numbers, double, i);
    narrow = isnan (v) || (double) (float) v == v;
  }
  ts_array_begin (out, narrow ? TS_ARRAY_F32 : TS_ARRAY_F64, 2, dim);
  for (guint i = 0; i < numbers->len; i++) {
    double v = g_array_index (numbers, double, i);
    float single = (float) v;
    g_byte_array_append (out, narrow ? (const guint8 *) &single : (const guint8 *) &v,
                         narrow ? sizeof single : sizeof v); /* little-endian, like the machine */
  }
}

static void
add_points (Adding *a)
{
  const char *path = a->entry->tensor_path;
  gsize size;
  g_autofree char *text = read_file (a, path, &size);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint columns = 0, number = 1;

  for (char *line = text, *next; line && line < text + size; line = next, number++) {
    next = end_line (line, text + size);
    guint n = *line ? add_numbers (numbers, line) : 0;
    if (*line && n == 0) {
      tell (a, path, "line %u is not of numbers with tabs between them", number);
      return;
    }
    if (n && columns && n != columns) {
      tell (a, path, "line %u has %u numbers, those before %u", number, n, columns);
      return;
    }
    columns = n ? n : columns;
  }
  if (!text || !columns) {
    if (text)
      tell (a, path, "it has no points");
    return;
  }
  put_points (out, numbers, columns);
  add_item (a, "", TS_SERIES_TENSOR, "projector", TS_ITEM_ARRAY, NULL, out);
}

/* --- Labels --- */

/* As many columns as the longest line has, all else empty.  With more than one the first row names them. */
static void
put_labels (GByteArray *out, const GPtrArray *rows, guint columns)
{
  const gint64 dim[] = {rows->len, columns};

  ts_strings_begin (out, 2, dim);
  for (guint i = 0; i < rows->len; i++) {
    const char *cell = rows->pdata[i];
    for (guint k = 0; k < columns; k++) {
      gsize n = cell ? strcspn (cell, "\t") : 0;
      ts_strings_add (out, cell, n);
      cell = cell && cell[n] ? cell + n + 1 : NULL;
    }
  }
}

static void
add_labels (Adding *a)
{
  gsize size;
  g_autofree char *text = read_file (a, a->entry->metadata_path, &size);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint columns = 1;

  for (char *line = text, *next; line && line < text + size; line = next) {
    guint n = 1;
    next = end_line (line, text + size);
    g_ptr_array_add (rows, line);
    for (const char *tab = line; (tab = strchr (tab, '\t')); tab++)
      n++;
    columns = MAX (columns, n);
  }
  if (!text)
    return;
  if ((guint64) rows->len * columns > FILE_MAX / 8) {
    tell (a, a->entry->metadata_path, "%u rows of %u columns are too many", rows->len, columns);
    return;
  }
  put_labels (out, rows, columns);
  add_item (a, "/labels", TS_SERIES_TEXT, "text", TS_ITEM_STRINGS, NULL, out);
}

/* --- The sprite --- */

static void
add_sprite (Adding *a)
{
  const TsProjectorEntry *e = a->entry;
  gsize size;
  g_autofree char *image = read_file (a, e->sprite_path, &size);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  gint64 one = 1;
  guint width, height;

  if (!image)
    return;
  const char *format = ts_image_size ((const guint8 *) image, size, &width, &height);
  if (!format) {
    tell (a, e->sprite_path, "it is neither PNG, JPEG nor GIF");
    return;
  }
  g_autofree char *item_meta =
      g_strdup_printf ("{\"width\": %u, \"height\": %u, \"format\": \"%s\", \"single_width\": %u,"
                       " \"single_height\": %u}",
                       width, height, format, e->sprite_width, e->sprite_height);
  ts_strings_begin (out, 1, &one);
  ts_strings_add (out, image, size);
  add_item (a, "/sprite", TS_SERIES_IMAGE, "images", TS_ITEM_STRINGS, item_meta, out);
}

/* "default:00012" is of step 12. */
static gint64
step_of (const char *name)
{
  const char *colon = strrchr (name, ':');
  char *end;
  gint64 step = colon ? g_ascii_strtoll (colon + 1, &end, 10) : 0;

  return colon && !*end ? step : 0;
}

void
ts_projector_add (TsImport *import, TsImportAttempt *attempt, const TsProjectorEntry *entry,
                  const char *folder, const char *root, double seconds, GPtrArray *problems)
{
  Adding a = {import, attempt, entry, folder, root, 0, (gint64) ts_bits (seconds), problems};

  if (!entry->tensor_name || !entry->tensor_path)
    return; /* its points lie in a checkpoint */
  a.step = step_of (entry->tensor_name);
  add_points (&a);
  if (entry->metadata_path)
    add_labels (&a);
  if (entry->sprite_path)
    add_sprite (&a);
}
