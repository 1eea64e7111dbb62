/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/ast.h"
#include "engine/model/lexer.h"

G_BEGIN_DECLS

/* Shared by parser.c (statements) and parser-expr.c (expressions).
 *
 * Every parse function returns NULL or FALSE once something was reported and leaves the cursor at
 * the token that did not fit; ts_parser_recover then finds the next statement. */
typedef struct {
  TsSource *source;
  TsDiags *diags;
  TsAst *ast;
  const TsToken *tokens;
  guint at;         /* the next token */
  guint brackets;   /* open ( and [: line ends inside do not count */
  guint depth;      /* brackets and bodies */
  gboolean stopped; /* a limit was reached: everything that follows is skipped */
  const TsLexComment *comments;
  guint n_comments, next_comment;
} TsParser;

/* The next token; inside brackets the next that is not a line end. */
const TsToken *ts_parser_peek (TsParser *parser);
const TsToken *ts_parser_next (TsParser *parser);
gboolean ts_parser_is_sign (const TsToken *token, char sign);
gboolean ts_parser_is_word (const TsParser *parser, const TsToken *token, const char *word);

/* No token but line ends stands before it on its line. */
gboolean ts_parser_starts_line (const TsParser *parser, guint token);

/* "expected WHAT but found 'x'", unless the lexer has complained about x already. */
void ts_parser_expected (TsParser *parser, const char *what);

/* Takes the next token if it is @sign, else reports. */
gboolean ts_parser_want (TsParser *parser, char sign);

/* Takes a name.  @what: "a name for the layer". */
gboolean ts_parser_want_name (TsParser *parser, const char *what, TsName *name);

/* One level deeper; reports and returns FALSE at the limit.  _leave undoes a successful _enter. */
gboolean ts_parser_enter (TsParser *parser);
void ts_parser_leave (TsParser *parser);

/* NULL, reported, when the file has too many nodes. */
TsExpr *ts_parser_expr_new (TsParser *parser, TsExprKind kind, TsSpan span);

/* expr of the grammar, and the call that `pretrain` ends with. */
TsExpr *ts_parser_expr (TsParser *parser);
TsExpr *ts_parser_call (TsParser *parser, const char *what);

/* parser-comments.c: hands the comments of the text to the statements. */
void ts_parser_comments_before (TsParser *parser, guint32 offset, TsComments *comments);
void ts_parser_comments_inside (TsParser *parser, TsStmt *stmt, guint32 end);
void ts_parser_comments_same_line (TsParser *parser, TsComments *comments);
void ts_parser_comments_drop (TsParser *parser, guint32 offset);

/* An empty line stands between the text before @offset and it. */
gboolean ts_parser_blank_before (const TsParser *parser, guint32 offset);

G_END_DECLS
