/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/source.h"

G_BEGIN_DECLS

/* What is wrong with a model, all of it: a list of errors and warnings about one source, each with
 * notes.  Written as GCC writes them, so editors and logs can follow them:
 *
 *   mlp.model:6:10: error: unknown operation 'dens'
 *       6 |       -> dens(128, relu)
 *         |          ^~~~
 *         = note: did you mean 'dense'?
 *
 * Used by one thread at a time. */

/* More than so many are only counted. */
#define TS_DIAGS_MAX 100

typedef enum { TS_DIAG_ERROR, TS_DIAG_WARNING, TS_DIAG_NOTE } TsDiagLevel;

/* "error", "warning", "note". */
const char *ts_diag_level_name (TsDiagLevel level);

typedef struct {
  char *message; /* one line of UTF-8 */
  gboolean has_span;
  TsSpan span;
} TsDiagNote;

typedef struct {
  TsDiagLevel level;
  TsSpan span;
  char *message; /* one line of UTF-8, without place and level */
  GArray *notes; /* of TsDiagNote, in the order they were added */
} TsDiag;

typedef struct TsDiags TsDiags;

/* Keeps a reference to @source. */
TsDiags *ts_diags_new (TsSource *source);
void ts_diags_free (TsDiags *diags);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsDiags, ts_diags_free)

void ts_diags_error (TsDiags *diags, TsSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);
void ts_diags_warning (TsDiags *diags, TsSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Adds a note to the last error or warning; _at points at a place of its own. */
void ts_diags_note (TsDiags *diags, const char *format, ...) G_GNUC_PRINTF (2, 3);
void ts_diags_note_at (TsDiags *diags, TsSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Errors in all, those beyond the limit too. */
guint ts_diags_get_n_errors (const TsDiags *diags);

/* Puts the list in the order of the text; what points at one place keeps its order. */
void ts_diags_sort (TsDiags *diags);

/* No more is kept: whoever reports may as well stop. */
gboolean ts_diags_is_full (const TsDiags *diags);

/* The list, for a window or JSON: @index from 0, borrowed. */
guint ts_diags_get_n (const TsDiags *diags);
const TsDiag *ts_diags_get (const TsDiags *diags, guint index);
TsSource *ts_diags_get_source (const TsDiags *diags);

/* Where a span begins (from 1, characters) and how many characters of its first line it covers, at
 * least 1. */
void ts_diags_locate (const TsDiags *diags, TsSpan span, guint *line, guint *column, guint *length);

/* The whole list as text, "" when it is empty.  Characters that would steer a terminal are shown as
 * U+FFFD, very long lines are cut around the place. */
char *ts_diags_dup_text (const TsDiags *diags);

G_END_DECLS
