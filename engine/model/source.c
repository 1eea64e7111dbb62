/* SPDX-License-Identifier: MIT */
#include "engine/model/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/base/file.h"

struct TsSource {
  gint refs;
  char *name, *text;
  guint32 length;
  GArray *starts; /* of guint32: where each line begins */
};

/* Takes @text, which has room for a NUL behind it. */
static TsSource *
take (const char *name, char *text, gsize length, GError **error)
{
  g_autoptr (TsSource) source = g_new0 (TsSource, 1);
  const char *bad;
  guint32 start = 0;

  source->refs = 1;
  source->name = g_strdup (name);
  source->text = text;
  source->starts = g_array_new (FALSE, FALSE, sizeof start);
  g_array_append_val (source->starts, start);
  if (length > TS_SOURCE_MAX_BYTES) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT,
                 "%s: the file is larger than %zu bytes, the most a model may have", name,
                 TS_SOURCE_MAX_BYTES);
    return NULL;
  }
  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    memmove (text, text + 3, length -= 3);
  text[length] = 0;
  source->length = (guint32) length;
  gboolean valid = g_utf8_validate_len (text, length, &bad);
  for (start = 0; start < (guint32) (bad - text); start++)
    if (text[start] == '\n') {
      guint32 next = start + 1;
      g_array_append_val (source->starts, next);
    }
  if (!valid) {
    guint line, column;
    source->length = start; /* what stands before is sound, so it can be measured */
    ts_source_locate (source, start, &line, &column);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_FORMAT,
                 "%s:%u:%u: byte 0x%02x does not belong into UTF-8 text", name, line, column,
                 (guchar) *bad);
    return NULL;
  }
  return g_steal_pointer (&source);
}

TsSource *
ts_source_new (const char *name, const char *text, gsize length, GError **error)
{
  gsize kept = MIN (length, TS_SOURCE_MAX_BYTES);
  char *copy = g_malloc (kept + 1);

  memcpy (copy, text, kept);
  return take (name, copy, length, error);
}

TsSource *
ts_source_new_from_file (const char *path, GError **error)
{
  if (!ts_file_check_regular (path, error))
    return NULL;
  FILE *file = fopen (path, "rbe");
  g_autofree char *text = g_malloc (TS_SOURCE_MAX_BYTES + 2);
  gsize length = 0;
  int code = errno;

  if (file) {
    length = fread (text, 1, TS_SOURCE_MAX_BYTES + 1, file);
    code = ferror (file) ? errno : 0;
    fclose (file);
  }
  if (code && (!file || length <= TS_SOURCE_MAX_BYTES)) {
    g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (code), "%s: %s", path,
                 g_strerror (code));
    return NULL;
  }
  return take (path, g_realloc (g_steal_pointer (&text), length + 1), length, error);
}

TsSource *
ts_source_ref (TsSource *source)
{
  __atomic_add_fetch (&source->refs, 1, __ATOMIC_RELAXED);
  return source;
}

void
ts_source_unref (TsSource *source)
{
  if (__atomic_sub_fetch (&source->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  g_free (source->name);
  g_free (source->text);
  g_array_unref (source->starts);
  g_free (source);
}

const char *
ts_source_get_name (const TsSource *source)
{
  return source->name;
}

const char *
ts_source_get_text (const TsSource *source)
{
  return source->text;
}

gsize
ts_source_get_length (const TsSource *source)
{
  return source->length;
}

void
ts_source_locate (const TsSource *source, guint32 offset, guint *line, guint *column)
{
  guint low = 0, high = source->starts->len; /* the line is in [low, high) */

  offset = MIN (offset, source->length);
  while (high - low > 1) {
    guint middle = (low + high) / 2;
    if (g_array_index (source->starts, guint32, middle) <= offset)
      low = middle;
    else
      high = middle;
  }
  const char *start = source->text + g_array_index (source->starts, guint32, low);
  *line = low + 1;
  *column = (guint) g_utf8_strlen (start, source->text + offset - start) + 1;
}

TsSpan
ts_source_get_line (const TsSource *source, guint line)
{
  g_return_val_if_fail (line >= 1 && line <= source->starts->len, ((TsSpan){0, 0}));
  TsSpan span = {g_array_index (source->starts, guint32, line - 1), source->length};

  if (line < source->starts->len)
    span.end = g_array_index (source->starts, guint32, line) - 1;
  if (span.end > span.start && source->text[span.end - 1] == '\r')
    span.end--;
  return span;
}

char *
ts_source_dup_span (const TsSource *source, TsSpan span)
{
  g_return_val_if_fail (span.start <= span.end && span.end <= source->length, NULL);
  return g_strndup (source->text + span.start, span.end - span.start);
}
