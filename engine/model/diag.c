/* SPDX-License-Identifier: MIT */
#include "engine/model/diag.h"

#include <string.h>

/* Characters of a source line that are shown. */
#define SHOWN 160

struct TsDiags {
  TsSource *source;
  GPtrArray *list; /* of TsDiag */
  guint n_errors;
  guint left_out;
  gboolean last_kept; /* notes follow their message, into the list or away */
};

const char *
ts_diag_level_name (TsDiagLevel level)
{
  static const char *const names[] = {"error", "warning", "note"};

  g_return_val_if_fail ((guint) level < G_N_ELEMENTS (names), NULL);
  return names[level];
}

static void
note_clear (gpointer data)
{
  g_free (((TsDiagNote *) data)->message);
}

static void
diag_free (gpointer data)
{
  TsDiag *diag = data;

  g_free (diag->message);
  g_array_unref (diag->notes);
  g_free (diag);
}

TsDiags *
ts_diags_new (TsSource *source)
{
  TsDiags *diags = g_new0 (TsDiags, 1);

  diags->source = ts_source_ref (source);
  diags->list = g_ptr_array_new_with_free_func (diag_free);
  return diags;
}

void
ts_diags_free (TsDiags *diags)
{
  ts_source_unref (diags->source);
  g_ptr_array_unref (diags->list);
  g_free (diags);
}

/* Takes @message. */
static void
add (TsDiags *diags, TsDiagLevel level, TsSpan span, char *message)
{
  diags->n_errors += level == TS_DIAG_ERROR;
  diags->last_kept = diags->list->len < TS_DIAGS_MAX;
  if (!diags->last_kept) {
    diags->left_out++;
    g_free (message);
    return;
  }
  TsDiag *diag = g_new0 (TsDiag, 1);
  diag->level = level;
  diag->span = span;
  diag->message = message;
  diag->notes = g_array_new (FALSE, FALSE, sizeof (TsDiagNote));
  g_array_set_clear_func (diag->notes, note_clear);
  g_ptr_array_add (diags->list, diag);
}

static void
add_note (TsDiags *diags, TsDiagNote note)
{
  if (diags->last_kept)
    g_array_append_val (((TsDiag *) diags->list->pdata[diags->list->len - 1])->notes, note);
  else
    note_clear (&note);
}

void
ts_diags_error (TsDiags *diags, TsSpan span, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (diags, TS_DIAG_ERROR, span, g_strdup_vprintf (format, args));
  va_end (args);
}

void
ts_diags_warning (TsDiags *diags, TsSpan span, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (diags, TS_DIAG_WARNING, span, g_strdup_vprintf (format, args));
  va_end (args);
}

void
ts_diags_note (TsDiags *diags, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add_note (diags, (TsDiagNote){.message = g_strdup_vprintf (format, args)});
  va_end (args);
}

void
ts_diags_note_at (TsDiags *diags, TsSpan span, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add_note (diags, (TsDiagNote){g_strdup_vprintf (format, args), TRUE, span});
  va_end (args);
}

guint
ts_diags_get_n_errors (const TsDiags *diags)
{
  return diags->n_errors;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const TsDiag *x = *(const TsDiag *const *) a, *y = *(const TsDiag *const *) b;

  return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

void
ts_diags_sort (TsDiags *diags)
{
  g_ptr_array_sort (diags->list, compare); /* a merge sort: stable */
}

gboolean
ts_diags_is_full (const TsDiags *diags)
{
  return diags->left_out > 0;
}

guint
ts_diags_get_n (const TsDiags *diags)
{
  return diags->list->len;
}

const TsDiag *
ts_diags_get (const TsDiags *diags, guint index)
{
  g_return_val_if_fail (index < diags->list->len, NULL);
  return diags->list->pdata[index];
}

TsSource *
ts_diags_get_source (const TsDiags *diags)
{
  return diags->source;
}

void
ts_diags_locate (const TsDiags *diags, TsSpan span, guint *line, guint *column, guint *length)
{
  ts_source_locate (diags->source, span.start, line, column);
  TsSpan whole = ts_source_get_line (diags->source, *line);
  guint32 end = MIN (span.end, whole.end);
  const char *text = ts_source_get_text (diags->source);

  *length = end > span.start ? (guint) g_utf8_strlen (text + span.start, end - span.start) : 1;
}

/* Escape sequences and direction marks of a stranger's file must not reach the terminal. */
static gunichar
harmless (gunichar c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_FORMAT:
  case G_UNICODE_SURROGATE:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR:
    return c == '\t' ? c : 0xfffd;
  default:
    return c;
  }
}

static void
append_harmless (GString *out, const char *text)
{
  for (const char *p = text; *p; p = g_utf8_next_char (p))
    g_string_append_unichar (out, harmless (g_utf8_get_char (p)));
}

/* Under a character stands as much room as it takes itself; a tab stands under a tab. */
static void
append_room (GString *out, gunichar c, char fill)
{
  c = harmless (c);
  if (g_unichar_iszerowidth (c))
    return;
  g_string_append_c (out, c == '\t' && fill == ' ' ? '\t' : fill);
  if (g_unichar_iswide (c))
    g_string_append_c (out, fill);
}

static void
append_line (const TsDiags *diags, GString *out, guint line, guint column, guint length)
{
  TsSpan span = ts_source_get_line (diags->source, line);
  const char *text = ts_source_get_text (diags->source), *p = text + span.start;
  const char *end = text + span.end;
  g_autoptr (GString) marks = g_string_new (NULL);
  guint first = column > SHOWN * 3 / 4 ? column - SHOWN / 2 : 1, at = 1;

  g_string_append_printf (out, "%5u | %s", line, first > 1 ? "…" : "");
  if (first > 1)
    g_string_append_c (marks, ' ');
  for (; p < end && at < first + SHOWN; p = g_utf8_next_char (p), at++) {
    gunichar c = g_utf8_get_char (p);
    if (at < first)
      continue;
    g_string_append_unichar (out, harmless (c));
    if (at < column)
      append_room (marks, c, ' ');
    else if (at == column)
      g_string_append (marks, g_unichar_iswide (c) ? "^~" : "^");
    else if (at < column + length)
      append_room (marks, c, '~');
  }
  if (at <= column)
    g_string_append_c (marks, '^');
  g_string_append_printf (out, "%s\n      | %s\n", p < end ? "…" : "", marks->str);
}

static void
append_placed (const TsDiags *diags, GString *out, TsDiagLevel level, TsSpan span,
               const char *message)
{
  guint line, column, length;

  ts_diags_locate (diags, span, &line, &column, &length);
  g_string_append_printf (out, "%s:%u:%u: %s: ", ts_source_get_name (diags->source), line, column,
                          ts_diag_level_name (level));
  append_harmless (out, message);
  g_string_append_c (out, '\n');
  append_line (diags, out, line, column, length);
}

char *
ts_diags_dup_text (const TsDiags *diags)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < diags->list->len; i++) {
    const TsDiag *diag = diags->list->pdata[i];
    append_placed (diags, out, diag->level, diag->span, diag->message);
    for (guint k = 0; k < diag->notes->len; k++) {
      const TsDiagNote *note = &g_array_index (diag->notes, TsDiagNote, k);
      if (note->has_span) {
        append_placed (diags, out, TS_DIAG_NOTE, note->span, note->message);
        continue;
      }
      g_string_append (out, "      = note: ");
      append_harmless (out, note->message);
      g_string_append_c (out, '\n');
    }
  }
  if (diags->left_out)
    g_string_append_printf (out, "%s: note: %s\n", ts_source_get_name (diags->source),
                            "there is more; only the first are shown");
  return g_string_free (out, FALSE);
}
