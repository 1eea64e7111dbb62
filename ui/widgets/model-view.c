/* SPDX-License-Identifier: MIT */
#include "ui/widgets/model-view.h"

#include <adwaita.h>
#include <string.h>

#include "ui/widgets/palette.h"

struct _TsModelView {
  GtkSourceView parent;
  GtkTextTag *tags[TS_N_WORDS];
};

G_DEFINE_FINAL_TYPE (TsModelView, ts_model_view, GTK_SOURCE_TYPE_VIEW)

static const char *const tokens[TS_N_WORDS] = {
    [TS_WORD_COMMENT] = "code_comment", [TS_WORD_STRING] = "code_string",
    [TS_WORD_KEYWORD] = "code_keyword", [TS_WORD_CALL] = "code_call",
    [TS_WORD_NUMBER] = "code_number",   [TS_WORD_TYPE] = "code_type",
};

static gboolean
is_letter (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

static gboolean
is_one_of (const char *word, gsize n, const char *const *list)
{
  for (; *list; list++)
    if (strlen (*list) == n && strncmp (word, *list, n) == 0)
      return TRUE;
  return FALSE;
}

static TsWord
read_name (const char *text, gboolean line_start, gsize *length)
{
  /* words that open a statement; elsewhere they are names */
  static const char *const keywords[] = {
      "model",    "input", "loss",   "metric", "output", "train", "data",  "optimizer",
      "schedule", "batch", "epochs", "steps",  "seed",   "stop",  "block", NULL};
  static const char *const types[] = {"float", "int", NULL};
  gsize n = 1;

  while (is_letter (text[n]) || g_ascii_isdigit (text[n]))
    n++;
  *length = n;
  if (line_start && is_one_of (text, n, keywords))
    return TS_WORD_KEYWORD;
  if (is_one_of (text, n, types))
    return TS_WORD_TYPE;
  return text[n] == '(' ? TS_WORD_CALL : TS_WORD_PLAIN;
}

static TsWord
read_number (const char *text, gsize *length)
{
  gsize n = 1;

  while (g_ascii_isdigit (text[n]) || text[n] == '.')
    n++;
  if (text[n] == 'e' || text[n] == 'E') {
    gsize digits = n + 1 + (text[n + 1] == '-' || text[n + 1] == '+');
    if (g_ascii_isdigit (text[digits])) {
      n = digits;
      while (g_ascii_isdigit (text[n]))
        n++;
    }
  }
  *length = n;
  return TS_WORD_NUMBER;
}

TsWord
ts_model_view_next_word (const char *text, gboolean line_start, gsize *length)
{
  if (*text == '#') {
    *length = strcspn (text, "\n");
    return TS_WORD_COMMENT;
  }
  if (*text == '"') {
    gsize n = strcspn (text + 1, "\"\n");
    *length = n + 1 + (text[n + 1] == '"');
    return TS_WORD_STRING;
  }
  if (is_letter (*text))
    return read_name (text, line_start, length);
  if (g_ascii_isdigit (*text))
    return read_number (text, length);
  *length = 1;
  return TS_WORD_PLAIN;
}

static void
set_colors (TsModelView *view)
{
  GdkRGBA color;

  for (guint i = 0; i < TS_N_WORDS; i++)
    if (tokens[i]) {
      ts_palette_token (GTK_WIDGET (view), tokens[i], &color);
      g_object_set (view->tags[i], "foreground-rgba", &color, NULL);
    }
}

/* The sheet is another one: the tokens follow once the style has been looked up anew. */
static void
ts_model_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ts_model_view_parent_class)->css_changed (widget, change);
  if (TS_MODEL_VIEW (widget)->tags[TS_WORD_COMMENT])
    set_colors (TS_MODEL_VIEW (widget));
}

static void
ts_model_view_class_init (TsModelViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->css_changed = ts_model_view_css_changed;
}

static void
ts_model_view_init (TsModelView *view)
{
  GtkTextView *text = GTK_TEXT_VIEW (view);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (text);

  gtk_source_buffer_set_highlight_syntax (GTK_SOURCE_BUFFER (buffer), FALSE);
  gtk_source_buffer_set_highlight_matching_brackets (GTK_SOURCE_BUFFER (buffer), FALSE);
  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (buffer), NULL);
  gtk_source_view_set_show_line_numbers (GTK_SOURCE_VIEW (view), TRUE);
  gtk_text_view_set_editable (text, FALSE);
  gtk_text_view_set_cursor_visible (text, FALSE);
  gtk_text_view_set_monospace (text, TRUE);
  gtk_text_view_set_top_margin (text, 8);
  gtk_text_view_set_bottom_margin (text, 8);
  gtk_text_view_set_left_margin (text, 8);
  gtk_text_view_set_right_margin (text, 8);
  gtk_text_view_set_pixels_above_lines (text, 2);
  gtk_text_view_set_pixels_below_lines (text, 2);
  gtk_widget_add_css_class (GTK_WIDGET (view), "code");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Model",
                                  -1);
  for (guint i = 0; i < TS_N_WORDS; i++)
    if (tokens[i])
      view->tags[i] = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  set_colors (view);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (set_colors), view, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

void
ts_model_view_set_text (TsModelView *view, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gboolean line_start = TRUE;
  const char *end = text + strlen (text);
  GtkTextIter iter;

  while (end > text && end[-1] == '\n')
    end--; /* no empty line with a number of its own at the end */
  gtk_text_buffer_set_text (buffer, "", 0);
  for (gsize n; text < end; text += n) {
    TsWord word = ts_model_view_next_word (text, line_start, &n);
    n = MIN (n, (gsize) (end - text));
    gtk_text_buffer_get_end_iter (buffer, &iter);
    if (view->tags[word]) {
      gtk_text_buffer_insert_with_tags (buffer, &iter, text, (int) n, view->tags[word], NULL);
    } else {
      /* whole characters: plain text is taken as far as it goes */
      while (text + n < end && ((guchar) text[n] & 0xc0) == 0x80)
        n++;
      gtk_text_buffer_insert (buffer, &iter, text, (int) n);
    }
    line_start = *text == '\n' || (line_start && (*text == ' ' || *text == '\t'));
  }
}
