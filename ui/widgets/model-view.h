/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* The text of a model, to be read: line numbers and coloured words.  The colours are the style
 * sheet's code_… tokens, so they follow light and dark. */
#define TS_TYPE_MODEL_VIEW (ts_model_view_get_type ())
G_DECLARE_FINAL_TYPE (TsModelView, ts_model_view, TS, MODEL_VIEW, GtkSourceView)

void ts_model_view_set_text (TsModelView *view, const char *text);

/* What kind of word begins at @text, and its length in bytes (at least 1); @line_start: nothing but
 * blanks stands before it. */
typedef enum {
  TS_WORD_PLAIN,
  TS_WORD_COMMENT,
  TS_WORD_STRING,
  TS_WORD_KEYWORD,
  TS_WORD_CALL,
  TS_WORD_NUMBER,
  TS_WORD_TYPE,
  TS_N_WORDS
} TsWord;
TsWord ts_model_view_next_word (const char *text, gboolean line_start, gsize *length);

G_END_DECLS
