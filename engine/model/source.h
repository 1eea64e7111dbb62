/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The text of one model file: immutable, reference-counted, readable from any thread.  Everything
 * that is made from it carries a TsSpan, so any later complaint can point at the place. */

#define TS_SOURCE_MAX_BYTES ((gsize) 1 << 20)

/* Bytes [start, end) of the text. */
typedef struct {
  guint32 start, end;
} TsSpan;

typedef struct TsSource TsSource;

/* @name stands for the file in messages.  Copies @length bytes of @text, without the byte order
 * mark if it starts with one.  Errors: TS_ENGINE_ERROR_LIMIT above TS_SOURCE_MAX_BYTES;
 * TS_ENGINE_ERROR_FORMAT, as name:line:column, for bytes that are not UTF-8 or are NUL. */
TsSource *ts_source_new (const char *name, const char *text, gsize length, GError **error);

/* Reads a file, at most the limit of it.  Also: G_FILE_ERROR. */
TsSource *ts_source_new_from_file (const char *path, GError **error);

TsSource *ts_source_ref (TsSource *source);
void ts_source_unref (TsSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsSource, ts_source_unref)

const char *ts_source_get_name (const TsSource *source);
const char *ts_source_get_text (const TsSource *source); /* NUL-ended */
gsize ts_source_get_length (const TsSource *source);

/* Line and column of a byte, both from 1; columns count characters.  The end of the text is a
 * place too. */
void ts_source_locate (const TsSource *source, guint32 offset, guint *line, guint *column);

/* The bytes of line @line (from 1) without its line end. */
TsSpan ts_source_get_line (const TsSource *source, guint line);

/* What @span covers. */
char *ts_source_dup_span (const TsSource *source, TsSpan span);

G_END_DECLS
