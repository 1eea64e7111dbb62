/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/model/parser-private.h"

static TsExpr *parse_sum (TsParser *parser);

TsExpr *
ts_parser_expr_new (TsParser *parser, TsExprKind kind, TsSpan span)
{
  if (parser->ast->n_nodes >= TS_AST_MAX_NODES) {
    if (!parser->stopped)
      ts_diags_error (parser->diags, span, "the file has more than %d nodes", TS_AST_MAX_NODES);
    parser->stopped = TRUE;
    return NULL;
  }
  return ts_ast_new_expr (parser->ast, kind, span);
}

static TsExpr *
join (TsParser *parser, TsExprKind kind, TsExpr *left, const TsToken *op, TsExpr *right)
{
  TsExpr *expr = ts_parser_expr_new (
      parser, kind, (TsSpan){left ? left->span.start : op->span.start, right->span.end});

  if (!expr)
    return NULL;
  expr->at = op->span;
  expr->op = kind == TS_EXPR_BINARY ? op->sign : 0;
  expr->left = left ? left : right;
  expr->right = left ? right : NULL;
  expr->height = 1 + MAX (left ? left->height : 0, right->height);
  if (expr->height > TS_AST_MAX_HEIGHT) {
    ts_diags_error (parser->diags, op->span,
                    "the expression has more than %d stages or terms; give a part of it a name",
                    TS_AST_MAX_HEIGHT);
    return NULL;
  }
  return expr;
}

static TsExpr *
parse_number (TsParser *parser)
{
  const TsToken *token = ts_parser_next (parser);
  TsExpr *expr = ts_parser_expr_new (parser, TS_EXPR_NUMBER, token->span);
  const char *text = ts_source_get_text (parser->source) + token->span.start;
  gsize length = token->span.end - token->span.start;

  if (!expr)
    return NULL;
  expr->text = ts_ast_keep (parser->ast, text, (gssize) length);
  expr->number = g_ascii_strtod (expr->text, NULL);
  expr->is_whole = !expr->text[strspn (expr->text, "0123456789")];
  return expr;
}

static TsExpr *
parse_string (TsParser *parser)
{
  const TsToken *token = ts_parser_next (parser);
  TsExpr *expr = ts_parser_expr_new (parser, TS_EXPR_STRING, token->span);

  if (expr)
    expr->text =
        ts_ast_keep (parser->ast, ts_source_get_text (parser->source) + token->span.start + 1,
                     token->span.end - token->span.start - 2);
  return expr;
}

/* A name before '=' inside a call names the argument. */
static gboolean
parse_arg (TsParser *parser, TsArg *arg, gboolean named)
{
  const TsToken *token = ts_parser_peek (parser);

  if (named && token->kind == TS_TOKEN_NAME) {
    guint back = parser->at;
    ts_parser_next (parser);
    if (ts_parser_is_sign (ts_parser_peek (parser), '=')) {
      parser->at = back;
      ts_parser_want_name (parser, "a name", &arg->name);
      ts_parser_next (parser);
    } else {
      parser->at = back;
    }
  }
  arg->value = ts_parser_expr (parser);
  return arg->value != NULL;
}

/* What stands between brackets, up to and with @close; the opening one is taken already.  @open is
 * pointed at when something is amiss at the end. */
static gboolean
parse_args (TsParser *parser, TsExpr *expr, TsSpan open, char close, const char *what)
{
  g_autoptr (GArray) args = g_array_new (FALSE, TRUE, sizeof (TsArg));
  char expected[] = "',' or '?'";

  expected[strlen (expected) - 2] = close;
  while (!ts_parser_is_sign (ts_parser_peek (parser), close)) {
    TsArg arg = {{NULL}};
    if (!parse_arg (parser, &arg, close == ')'))
      return FALSE;
    expr->height = MAX (expr->height, 1 + arg.value->height);
    g_array_append_val (args, arg);
    if (ts_parser_is_sign (ts_parser_peek (parser), ',')) {
      ts_parser_next (parser);
    } else if (!ts_parser_is_sign (ts_parser_peek (parser), close)) {
      gboolean silent = ts_parser_peek (parser)->kind == TS_TOKEN_BAD;
      ts_parser_expected (parser, expected);
      if (!silent)
        ts_diags_note_at (parser->diags, open, "%s starts here", what);
      return FALSE;
    }
  }
  expr->span.end = ts_parser_next (parser)->span.end;
  expr->args = ts_ast_take_array (parser->ast, args, &expr->n_args);
  return TRUE;
}

/* parse_args with the bracket that the cursor stands at. */
static gboolean
parse_bracketed (TsParser *parser, TsExpr *expr, TsSpan open, char close, const char *what)
{
  guint brackets = parser->brackets;

  if (!ts_parser_enter (parser))
    return FALSE;
  ts_parser_next (parser);
  parser->brackets++;
  gboolean ok = parse_args (parser, expr, open, close, what);
  parser->brackets = brackets;
  ts_parser_leave (parser);
  return ok;
}

static TsExpr *
parse_name (TsParser *parser)
{
  TsName name;

  ts_parser_want_name (parser, "a name", &name);
  TsExpr *expr = ts_parser_expr_new (parser, TS_EXPR_NAME, name.span);
  if (!expr)
    return NULL;
  expr->text = name.text;
  /* Not peek: a bracket on the next line calls nothing. */
  if (!ts_parser_is_sign (&parser->tokens[parser->at], '('))
    return expr;
  expr->kind = TS_EXPR_CALL;
  g_autofree char *what = g_strdup_printf ("the argument list of '%s'", name.text);
  return parse_bracketed (parser, expr, name.span, ')', what) ? expr : NULL;
}

static TsExpr *
parse_parenthesis (TsParser *parser)
{
  const TsToken *open = ts_parser_peek (parser);
  guint brackets = parser->brackets;
  TsExpr *expr;

  if (!ts_parser_enter (parser))
    return NULL;
  ts_parser_next (parser);
  parser->brackets++;
  expr = ts_parser_expr (parser);
  if (expr && !ts_parser_is_sign (ts_parser_peek (parser), ')')) {
    gboolean silent = ts_parser_peek (parser)->kind == TS_TOKEN_BAD;
    ts_parser_expected (parser, "')'");
    if (!silent)
      ts_diags_note_at (parser->diags, open->span, "it belongs to this '('");
    expr = NULL;
  }
  if (expr)
    ts_parser_next (parser);
  parser->brackets = brackets;
  ts_parser_leave (parser);
  return expr;
}

/* A line that can only be a new statement, met in the middle of an expression: a bracket was left
 * open above it, or nothing followed an arrow. */
static gboolean
is_new_statement (TsParser *parser)
{
  const TsToken *token = ts_parser_peek (parser), *after = token + 1;

  if (token->kind != TS_TOKEN_NAME || !ts_parser_starts_line (parser, parser->at))
    return FALSE;
  if (ts_parser_is_word (parser, token, "return") || ts_parser_is_word (parser, token, "repeat"))
    return after->kind != TS_TOKEN_SIGN || !strchr ("=,)]", after->sign);
  for (guint i = 0; ts_ast_keywords[i]; i++)
    if (ts_parser_is_word (parser, token, ts_ast_keywords[i]))
      return after->kind == TS_TOKEN_NAME || ts_parser_is_sign (after, '{');
  return FALSE;
}

static TsExpr *
parse_primary (TsParser *parser)
{
  const TsToken *token = ts_parser_peek (parser);

  if (token->kind == TS_TOKEN_NUMBER)
    return parse_number (parser);
  if (token->kind == TS_TOKEN_STRING)
    return parse_string (parser);
  if (token->kind == TS_TOKEN_NAME && !is_new_statement (parser))
    return parse_name (parser);
  if (ts_parser_is_sign (token, '('))
    return parse_parenthesis (parser);
  if (ts_parser_is_sign (token, '[')) {
    TsExpr *list = ts_parser_expr_new (parser, TS_EXPR_LIST, token->span);
    return list && parse_bracketed (parser, list, token->span, ']', "the list") ? list : NULL;
  }
  ts_parser_expected (parser, "an expression");
  if (ts_parser_is_sign (token, '/') && parser->at > 0 &&
      ts_parser_is_sign (&parser->tokens[parser->at - 1], '/'))
    ts_diags_note (parser->diags, "a comment starts with '#'");
  return NULL;
}

static TsExpr *
parse_unary (TsParser *parser)
{
  const TsToken *token = ts_parser_peek (parser);

  if (!ts_parser_is_sign (token, '-'))
    return parse_primary (parser);
  ts_parser_next (parser);
  TsExpr *right = parse_primary (parser);
  return right ? join (parser, TS_EXPR_NEGATE, NULL, token, right) : NULL;
}

static gboolean
is_one_of (const TsToken *token, const char *signs)
{
  return token->kind == TS_TOKEN_SIGN && strchr (signs, token->sign);
}

static TsExpr *
parse_product (TsParser *parser)
{
  TsExpr *left = parse_unary (parser);

  while (left && is_one_of (ts_parser_peek (parser), "*/@")) {
    const TsToken *op = ts_parser_next (parser);
    TsExpr *right = parse_unary (parser);
    left = right ? join (parser, TS_EXPR_BINARY, left, op, right) : NULL;
  }
  return left;
}

static TsExpr *
parse_sum (TsParser *parser)
{
  TsExpr *left = parse_product (parser);

  while (left && is_one_of (ts_parser_peek (parser), "+-")) {
    const TsToken *op = ts_parser_next (parser);
    TsExpr *right = parse_product (parser);
    left = right ? join (parser, TS_EXPR_BINARY, left, op, right) : NULL;
  }
  return left;
}

/* The arrow, on this line or at the start of a later one. */
static const TsToken *
take_arrow (TsParser *parser)
{
  guint at = parser->at;

  while (parser->tokens[at].kind == TS_TOKEN_NEWLINE)
    at++;
  if (parser->tokens[at].kind != TS_TOKEN_ARROW)
    return NULL;
  parser->at = at + 1;
  return &parser->tokens[at];
}

TsExpr *
ts_parser_call (TsParser *parser, const char *what)
{
  if (ts_parser_peek (parser)->kind != TS_TOKEN_NAME || is_new_statement (parser)) {
    ts_parser_expected (parser, what);
    return NULL;
  }
  return parse_name (parser);
}

TsExpr *
ts_parser_expr (TsParser *parser)
{
  TsExpr *left = parse_sum (parser);
  const TsToken *arrow;

  while (left && (arrow = take_arrow (parser))) {
    gboolean breaks = arrow[-1].kind == TS_TOKEN_NEWLINE || arrow[1].kind == TS_TOKEN_NEWLINE;
    while (parser->tokens[parser->at].kind == TS_TOKEN_NEWLINE)
      parser->at++;
    TsExpr *right = ts_parser_call (parser, "a layer, a block or an operation behind '->'");
    left = right ? join (parser, TS_EXPR_PIPE, left, arrow, right) : NULL;
    if (left)
      left->breaks = breaks;
  }
  return left;
}
