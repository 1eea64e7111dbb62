/* SPDX-License-Identifier: MIT */
#include "engine/model/lexer.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *text, *p;
  TsDiags *diags;
  TsLexed out;
  gboolean own_line; /* no token on this line so far */
} Lexer;

static gboolean
starts_name (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

static gboolean
in_name (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static TsSpan
span_of (const Lexer *lexer, const char *start, const char *end)
{
  return (TsSpan){(guint32) (start - lexer->text), (guint32) (end - lexer->text)};
}

static void
emit (Lexer *lexer, TsTokenKind kind, const char *start, char sign)
{
  TsToken token = {kind, span_of (lexer, start, lexer->p), sign};

  g_array_append_val (lexer->out.tokens, token);
  lexer->own_line = kind == TS_TOKEN_NEWLINE;
}

static const char *
name_end (const char *p)
{
  while (in_name (*p) || (*p == '.' && starts_name (p[1])))
    p++;
  return p;
}

gboolean
ts_lex_is_name (const char *text)
{
  return starts_name (*text) && !*name_end (text);
}

static void
lex_comment (Lexer *lexer)
{
  const char *start = lexer->p, *end;

  while (*lexer->p && *lexer->p != '\n')
    lexer->p++;
  for (end = lexer->p; g_ascii_isspace (end[-1]);)
    end--;
  TsLexComment comment = {span_of (lexer, start, end), lexer->own_line};
  g_array_append_val (lexer->out.comments, comment);
}

static void
lex_number (Lexer *lexer)
{
  const char *start = lexer->p, *p = start;

  while (g_ascii_isdigit (*p))
    p++;
  gboolean whole = *p != '.';
  if (!whole)
    for (p++; g_ascii_isdigit (*p);)
      p++;
  if (*p == 'e' || *p == 'E') {
    const char *q = p + 1 + (p[1] == '+' || p[1] == '-');
    if (g_ascii_isdigit (*q)) {
      whole = FALSE;
      for (p = q; g_ascii_isdigit (*p);)
        p++;
    }
  }
  lexer->p = p;
  if (in_name (*p) || *p == '.') {
    while (in_name (*lexer->p) || *lexer->p == '.')
      lexer->p++;
    g_autofree char *word = g_strndup (start, MIN (lexer->p - start, 40));
    ts_diags_error (lexer->diags, span_of (lexer, start, lexer->p), "'%s' is not a number", word);
    if (starts_name (*p))
      ts_diags_note (lexer->diags, "a name starts with a letter");
    emit (lexer, TS_TOKEN_BAD, start, 0);
    return;
  }
  double value = g_ascii_strtod (start, NULL);
  if (!isfinite (value) || (whole && value > 9007199254740992.0)) {
    ts_diags_error (lexer->diags, span_of (lexer, start, p), "the number is too large");
    emit (lexer, TS_TOKEN_BAD, start, 0);
    return;
  }
  emit (lexer, TS_TOKEN_NUMBER, start, 0);
}

static void
lex_string (Lexer *lexer)
{
  const char *start = lexer->p++;

  while (*lexer->p && *lexer->p != '"' && *lexer->p != '\n')
    lexer->p++;
  if (*lexer->p == '"') {
    lexer->p++;
    emit (lexer, TS_TOKEN_STRING, start, 0);
    return;
  }
  if (lexer->p[-1] == '\r')
    lexer->p--;
  ts_diags_error (lexer->diags, span_of (lexer, start, lexer->p),
                  "the text is not closed: a '\"' is missing before the end of the line");
  emit (lexer, TS_TOKEN_BAD, start, 0);
}

/* What people type, or paste, instead of the signs of the language. */
static const char *
advice (gunichar c)
{
  switch (c) {
  case ';':
    return "the end of the line ends a statement";
  case '\'':
  case 0x2018:
  case 0x2019:
  case 0x201c:
  case 0x201d:
  case 0x201e:
    return "a text stands in plain double quotes: \"…\"";
  case 0x2192:
  case '>':
  case '|':
    return "the arrow is written '->'";
  case 0x2212:
  case 0x2013:
    return "the minus sign is written '-'";
  case 0xd7:
    return "times is written '*'";
  case '.':
    return "a name follows a dot without a space, as in val.accuracy";
  default:
    return NULL;
  }
}

static gboolean
is_bad (const char *p)
{
  return *p && !starts_name (*p) && !g_ascii_isdigit (*p) &&
         !strchr ("+-*/@=()[]{},?\"# \t\n", *p) && !(*p == '\r' && p[1] == '\n') &&
         !(*p == '.' && g_ascii_isdigit (p[1]));
}

static void
lex_bad (Lexer *lexer)
{
  const char *start = lexer->p;
  gunichar c = g_utf8_get_char (start);
  g_autofree char *shown = NULL;

  lexer->p = g_utf8_next_char (start);
  if (g_unichar_isgraph (c))
    shown = g_strdup_printf ("'%.*s'", (int) (lexer->p - start), start);
  else
    shown = g_strdup_printf ("U+%04X", c);
  ts_diags_error (lexer->diags, span_of (lexer, start, lexer->p), "unexpected character %s", shown);
  if (advice (c))
    ts_diags_note (lexer->diags, "%s", advice (c));
  while (is_bad (lexer->p))
    lexer->p = g_utf8_next_char (lexer->p);
  emit (lexer, TS_TOKEN_BAD, start, 0);
}

static void
lex_one (Lexer *lexer)
{
  const char *start = lexer->p;

  if (*start == '#') {
    lex_comment (lexer);
  } else if (starts_name (*start)) {
    lexer->p = name_end (start);
    emit (lexer, TS_TOKEN_NAME, start, 0);
  } else if (g_ascii_isdigit (*start) || (*start == '.' && g_ascii_isdigit (start[1]))) {
    lex_number (lexer);
  } else if (*start == '"') {
    lex_string (lexer);
  } else if (*start == '-' && start[1] == '>') {
    lexer->p += 2;
    emit (lexer, TS_TOKEN_ARROW, start, 0);
  } else if (is_bad (start)) {
    lex_bad (lexer);
  } else {
    lexer->p++;
    if (*start == '\n')
      emit (lexer, TS_TOKEN_NEWLINE, start, 0);
    else if (!strchr (" \t\r", *start))
      emit (lexer, TS_TOKEN_SIGN, start, *start);
  }
}

TsLexed
ts_lex (TsSource *source, TsDiags *diags)
{
  Lexer lexer = {.text = ts_source_get_text (source), .diags = diags, .own_line = TRUE};

  lexer.out.tokens = g_array_new (FALSE, FALSE, sizeof (TsToken));
  lexer.out.comments = g_array_new (FALSE, FALSE, sizeof (TsLexComment));
  lexer.p = lexer.text;
  while (*lexer.p)
    lex_one (&lexer);
  emit (&lexer, TS_TOKEN_END, lexer.p, 0);
  return lexer.out;
}

void
ts_lexed_clear (TsLexed *lexed)
{
  g_clear_pointer (&lexed->tokens, g_array_unref);
  g_clear_pointer (&lexed->comments, g_array_unref);
}
