/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/diag.h"

G_BEGIN_DECLS

/* Cuts a model's text into tokens and comments. */

typedef enum {
  TS_TOKEN_END,     /* of the file; always the last token */
  TS_TOKEN_NEWLINE, /* the parser decides where it ends a statement */
  TS_TOKEN_NAME,    /* letters, digits, _; parts joined by dots: val.accuracy */
  TS_TOKEN_NUMBER,
  TS_TOKEN_STRING, /* the span includes the quotes */
  TS_TOKEN_ARROW,  /* -> */
  TS_TOKEN_SIGN,   /* one of + - * / @ = ( ) [ ] { } , ? */
  TS_TOKEN_BAD,    /* was reported already */
} TsTokenKind;

typedef struct {
  TsTokenKind kind;
  TsSpan span;
  char sign; /* SIGN: which; else 0 */
} TsToken;

typedef struct {
  TsSpan span;       /* from # to the last character that is not a space */
  gboolean own_line; /* nothing but space stands before it on its line */
} TsLexComment;

typedef struct {
  GArray *tokens;   /* of TsToken, ended by END */
  GArray *comments; /* of TsLexComment */
} TsLexed;

/* Never fails: what is no token is reported to @diags and becomes BAD, one for a run of them. */
TsLexed ts_lex (TsSource *source, TsDiags *diags);
void ts_lexed_clear (TsLexed *lexed);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsLexed, ts_lexed_clear)

/* @text as a name of the language: no keyword check, one part or several joined by dots. */
gboolean ts_lex_is_name (const char *text);

G_END_DECLS
