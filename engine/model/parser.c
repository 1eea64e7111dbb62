/* SPDX-License-Identifier: MIT */
#include "engine/model/parser.h"

#include <string.h>

#include "engine/model/parser-private.h"
#include "engine/model/suggest.h"

static void parse_body (TsParser *parser, TsStmt *owner, TsStmt ***body, guint *n);

/* --- the cursor --- */

const TsToken *
ts_parser_peek (TsParser *parser)
{
  while (parser->brackets && parser->tokens[parser->at].kind == TS_TOKEN_NEWLINE)
    parser->at++;
  return &parser->tokens[parser->at];
}

const TsToken *
ts_parser_next (TsParser *parser)
{
  const TsToken *token = ts_parser_peek (parser);

  if (token->kind != TS_TOKEN_END)
    parser->at++;
  return token;
}

gboolean
ts_parser_is_sign (const TsToken *token, char sign)
{
  return token->kind == TS_TOKEN_SIGN && token->sign == sign;
}

gboolean
ts_parser_is_word (const TsParser *parser, const TsToken *token, const char *word)
{
  gsize length = strlen (word);

  return token->kind == TS_TOKEN_NAME && token->span.end - token->span.start == length &&
         strncmp (ts_source_get_text (parser->source) + token->span.start, word, length) == 0;
}

gboolean
ts_parser_starts_line (const TsParser *parser, guint token)
{
  return token == 0 || parser->tokens[token - 1].kind == TS_TOKEN_NEWLINE;
}

static char *
describe (const TsParser *parser, const TsToken *token)
{
  if (token->kind == TS_TOKEN_END)
    return g_strdup ("the end of the file");
  if (token->kind == TS_TOKEN_NEWLINE)
    return g_strdup ("the end of the line");
  g_autofree char *text = ts_source_dup_span (parser->source, token->span);
  if (token->kind == TS_TOKEN_STRING)
    return g_strdup_printf ("the text %s", text);
  return g_strdup_printf ("'%s'", text);
}

void
ts_parser_expected (TsParser *parser, const char *what)
{
  const TsToken *token = ts_parser_peek (parser);

  if (token->kind == TS_TOKEN_BAD || parser->stopped)
    return;
  g_autofree char *found = describe (parser, token);
  ts_diags_error (parser->diags, token->span, "expected %s but found %s", what, found);
}

gboolean
ts_parser_want (TsParser *parser, char sign)
{
  char what[] = {'\'', sign, '\'', 0};

  if (ts_parser_is_sign (ts_parser_peek (parser), sign)) {
    ts_parser_next (parser);
    return TRUE;
  }
  ts_parser_expected (parser, what);
  return FALSE;
}

gboolean
ts_parser_want_name (TsParser *parser, const char *what, TsName *name)
{
  const TsToken *token = ts_parser_peek (parser);

  if (token->kind != TS_TOKEN_NAME) {
    ts_parser_expected (parser, what);
    return FALSE;
  }
  ts_parser_next (parser);
  name->span = token->span;
  name->text = ts_ast_keep (parser->ast, ts_source_get_text (parser->source) + token->span.start,
                            token->span.end - token->span.start);
  return TRUE;
}

gboolean
ts_parser_enter (TsParser *parser)
{
  if (parser->depth >= TS_AST_MAX_DEPTH) {
    if (!parser->stopped)
      ts_diags_error (parser->diags, ts_parser_peek (parser)->span,
                      "brackets and blocks are nested more than %d deep", TS_AST_MAX_DEPTH);
    parser->stopped = TRUE;
    return FALSE;
  }
  parser->depth++;
  return TRUE;
}

void
ts_parser_leave (TsParser *parser)
{
  parser->depth--;
}

/* --- statements --- */

static gboolean
parse_model (TsParser *parser, TsStmt *stmt)
{
  if (!ts_parser_want_name (parser, "a name for the model", &stmt->name))
    return FALSE;
  const TsToken *token = ts_parser_peek (parser);
  if (token->kind == TS_TOKEN_STRING) {
    ts_parser_next (parser);
    stmt->title.span = token->span;
    stmt->title.text =
        ts_ast_keep (parser->ast, ts_source_get_text (parser->source) + token->span.start + 1,
                     token->span.end - token->span.start - 2);
  }
  return TRUE;
}

static gboolean
parse_dim (TsParser *parser, TsDim *dim)
{
  const TsToken *token = ts_parser_peek (parser);
  const char *text = ts_source_get_text (parser->source) + token->span.start;
  gsize length = token->span.end - token->span.start;

  dim->span = token->span;
  dim->size = -1;
  if (!ts_parser_is_sign (token, '?')) {
    if (token->kind != TS_TOKEN_NUMBER || strspn (text, "0123456789") < length) {
      ts_parser_expected (parser, "a whole number or '?'");
      return FALSE;
    }
    dim->size = (gint64) g_ascii_strtoull (text, NULL, 10);
  }
  ts_parser_next (parser);
  return TRUE;
}

static gboolean
parse_dims (TsParser *parser, GArray *dims)
{
  for (;;) {
    TsDim dim;
    if (!parse_dim (parser, &dim))
      return FALSE;
    g_array_append_val (dims, dim);
    if (ts_parser_is_sign (ts_parser_peek (parser), ']'))
      break;
    if (!ts_parser_is_sign (ts_parser_peek (parser), ',')) {
      ts_parser_expected (parser, "',' or ']'");
      return FALSE;
    }
    ts_parser_next (parser);
  }
  ts_parser_next (parser);
  return TRUE;
}

static gboolean
parse_input (TsParser *parser, TsStmt *stmt)
{
  if (!ts_parser_want_name (parser, "a name for the input", &stmt->name) ||
      !ts_parser_want_name (parser, "a type (float, int)", &stmt->type))
    return FALSE;
  if (!ts_parser_is_sign (ts_parser_peek (parser), '['))
    return TRUE;
  g_autoptr (GArray) dims = g_array_new (FALSE, FALSE, sizeof (TsDim));
  ts_parser_next (parser);
  parser->brackets++;
  gboolean ok = parse_dims (parser, dims);
  parser->brackets--;
  stmt->dims = ts_ast_take_array (parser->ast, dims, &stmt->n_dims);
  return ok;
}

static gboolean
parse_definition (TsParser *parser, TsStmt *stmt)
{
  g_autofree char *what = g_strdup_printf ("a name for the %s", ts_stmt_keyword (stmt->kind));

  return ts_parser_want_name (parser, what, &stmt->name) && ts_parser_want (parser, '=') &&
         (stmt->expr = ts_parser_expr (parser));
}

static gboolean
parse_params (TsParser *parser, GArray *params)
{
  while (!ts_parser_is_sign (ts_parser_peek (parser), ')')) {
    TsBlockParam param = {{NULL}};
    if (!ts_parser_want_name (parser, "a parameter's name or ')'", &param.name))
      return FALSE;
    if (ts_parser_is_sign (ts_parser_peek (parser), '=')) {
      ts_parser_next (parser);
      if (!(param.value = ts_parser_expr (parser)))
        return FALSE;
    }
    g_array_append_val (params, param);
    if (ts_parser_is_sign (ts_parser_peek (parser), ','))
      ts_parser_next (parser);
    else if (!ts_parser_is_sign (ts_parser_peek (parser), ')')) {
      ts_parser_expected (parser, "',' or ')'");
      return FALSE;
    }
  }
  ts_parser_next (parser);
  return TRUE;
}

static gboolean
parse_block_head (TsParser *parser, TsStmt *stmt)
{
  if (!ts_parser_want_name (parser, "a name for the block", &stmt->name) ||
      !ts_parser_want (parser, '('))
    return FALSE;
  g_autoptr (GArray) params = g_array_new (FALSE, FALSE, sizeof (TsBlockParam));
  parser->brackets++;
  gboolean ok = parse_params (parser, params);
  parser->brackets--;
  stmt->params = ts_ast_take_array (parser->ast, params, &stmt->n_params);
  return ok;
}

static gboolean
parse_pretrain (TsParser *parser, TsStmt *stmt)
{
  if (!ts_parser_want_name (parser, "the name of a layer", &stmt->name))
    return FALSE;
  if (!ts_parser_is_word (parser, ts_parser_peek (parser), "from")) {
    ts_parser_expected (parser, "'from'");
    return FALSE;
  }
  ts_parser_next (parser);
  if (!(stmt->expr = ts_parser_expr (parser)))
    return FALSE;
  if (!ts_parser_is_word (parser, ts_parser_peek (parser), "as")) {
    ts_parser_expected (parser, "'as'");
    return FALSE;
  }
  ts_parser_next (parser);
  stmt->how = ts_parser_call (parser, "a way to pretrain, called like rbm(k=1),");
  return stmt->how != NULL;
}

/* A line of a section: a name and the expressions behind it. */
static gboolean
parse_entry (TsParser *parser, TsStmt *stmt)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (TsExpr *));

  if (!ts_parser_want_name (parser, "a setting or '}'", &stmt->name))
    return FALSE;
  if (ts_parser_is_sign (ts_parser_peek (parser), '=')) {
    ts_parser_expected (parser, "a value");
    ts_diags_note (parser->diags, "a setting and its value are written without '=': batch 128");
    return FALSE;
  }
  for (;;) {
    const TsToken *token = ts_parser_peek (parser);
    if (token->kind == TS_TOKEN_NEWLINE || token->kind == TS_TOKEN_END ||
        ts_parser_is_sign (token, '}'))
      break;
    TsExpr *value = ts_parser_expr (parser);
    if (!value)
      return FALSE;
    g_array_append_val (values, value);
  }
  stmt->values = ts_ast_take_array (parser->ast, values, &stmt->n_values);
  return TRUE;
}

static gboolean
parse_assignment (TsParser *parser, TsStmt *stmt)
{
  if (!ts_parser_want_name (parser, "a statement", &stmt->name))
    return FALSE;
  if (ts_parser_is_sign (ts_parser_peek (parser), '=')) {
    ts_parser_next (parser);
    return (stmt->expr = ts_parser_expr (parser)) != NULL;
  }
  const TsToken *found = ts_parser_peek (parser);
  if (found->kind == TS_TOKEN_NAME || ts_parser_is_sign (found, '{')) {
    const char *near = ts_suggest (stmt->name.text, ts_ast_keywords);
    ts_diags_error (parser->diags, stmt->name.span, "unknown statement '%s'", stmt->name.text);
    if (near)
      ts_diags_note (parser->diags, "did you mean '%s'?", near);
    return FALSE;
  }
  g_autofree char *what = g_strdup_printf ("'=' behind '%s'", stmt->name.text);
  ts_parser_expected (parser, what);
  return FALSE;
}

static gboolean
parse_block_body (TsParser *parser, TsStmt *stmt)
{
  guint n_errors = ts_diags_get_n_errors (parser->diags), at = parser->at;

  while (parser->tokens[at].kind == TS_TOKEN_NEWLINE)
    at++;
  if (ts_parser_is_sign (&parser->tokens[at], '{'))
    parser->at = at;
  const TsToken *open = ts_parser_peek (parser);

  if (!ts_parser_is_sign (open, '{')) {
    ts_parser_expected (parser, "'{'");
    return FALSE;
  }
  if (!ts_parser_enter (parser))
    return FALSE;
  ts_parser_next (parser);
  ts_parser_comments_same_line (parser, &stmt->opening);
  parse_body (parser, stmt, &stmt->body, &stmt->n_body);
  ts_parser_leave (parser);
  const TsToken *close = ts_parser_peek (parser);
  if (!ts_parser_is_sign (close, '}')) {
    ts_parser_expected (parser, "'}'");
    if (!parser->stopped)
      ts_diags_note_at (parser->diags, open->span, "it belongs to this '{'");
    return FALSE;
  }
  ts_parser_comments_before (parser, close->span.start, &stmt->closing);
  ts_parser_next (parser);
  if (stmt->kind == TS_STMT_BLOCK &&
      (!stmt->n_body || stmt->body[stmt->n_body - 1]->kind != TS_STMT_RETURN) &&
      ts_diags_get_n_errors (parser->diags) == n_errors && stmt->name.text) {
    ts_diags_error (parser->diags, stmt->name.span, "block '%s' returns nothing", stmt->name.text);
    ts_diags_note (parser->diags, "its last line must be return and an expression");
    return FALSE;
  }
  return TRUE;
}

static TsStmtKind
kind_of (TsParser *parser, const TsToken *token, const TsStmt *owner)
{
  static const TsStmtKind kinds[] = {
      TS_STMT_MODEL,   TS_STMT_INPUT,   TS_STMT_LAYER,   TS_STMT_LOSS,   TS_STMT_METRIC,
      TS_STMT_OUTPUT,  TS_STMT_BLOCK,   TS_STMT_REPEAT,  TS_STMT_RETURN, TS_STMT_PRETRAIN,
      TS_STMT_SECTION, TS_STMT_SECTION, TS_STMT_SECTION, TS_STMT_SECTION};

  if (owner && owner->kind == TS_STMT_SECTION)
    return TS_STMT_ENTRY;
  for (guint i = 0; ts_ast_keywords[i]; i++)
    if (ts_parser_is_word (parser, token, ts_ast_keywords[i]))
      return kinds[i];
  return TS_STMT_ASSIGN;
}

static gboolean
parse_head (TsParser *parser, TsStmt *stmt, const TsStmt *owner)
{
  const TsToken *word = ts_parser_peek (parser);

  if (stmt->kind == TS_STMT_ENTRY)
    return parse_entry (parser, stmt);
  if (stmt->kind == TS_STMT_ASSIGN)
    return parse_assignment (parser, stmt);
  ts_parser_next (parser);
  if (ts_parser_is_sign (ts_parser_peek (parser), '=')) {
    g_autofree char *text = ts_source_dup_span (parser->source, word->span);
    ts_diags_error (parser->diags, word->span, "'%s' is a word of the language, not a free name",
                    text);
    return FALSE;
  }
  switch (stmt->kind) {
  case TS_STMT_MODEL:
    return parse_model (parser, stmt);
  case TS_STMT_INPUT:
    return parse_input (parser, stmt);
  case TS_STMT_BLOCK:
    return parse_block_head (parser, stmt);
  case TS_STMT_PRETRAIN:
    return parse_pretrain (parser, stmt);
  case TS_STMT_REPEAT:
    return (stmt->expr = ts_parser_expr (parser)) != NULL;
  case TS_STMT_RETURN:
    if (!owner || owner->kind != TS_STMT_BLOCK) {
      ts_diags_error (parser->diags, word->span, "return belongs into a block");
      return FALSE;
    }
    return (stmt->expr = ts_parser_expr (parser)) != NULL;
  case TS_STMT_SECTION:
    parser->at--;
    return ts_parser_want_name (parser, "a section", &stmt->name);
  default:
    return parse_definition (parser, stmt);
  }
}

/* To the line end behind the trouble, so that the next statement is read from its start.  A line
 * that goes on with '->' belongs to the broken statement; a body in braces is skipped whole. */
static void
recover (TsParser *parser, guint first)
{
  guint braces = 0, at = parser->at;

  parser->brackets = 0;
  /* What did not fit may itself be the start of the next statement. */
  gboolean fresh = at > first && ts_parser_starts_line (parser, at);
  for (;; at++) {
    const TsToken *token = &parser->tokens[at];
    if (token->kind == TS_TOKEN_END)
      break;
    if (fresh && token->kind != TS_TOKEN_ARROW)
      break;
    fresh = FALSE;
    if (ts_parser_is_sign (token, '{'))
      braces++;
    if (ts_parser_is_sign (token, '}') && braces-- == 0)
      break;
    if (token->kind != TS_TOKEN_NEWLINE || braces)
      continue;
    guint next = at;
    while (parser->tokens[next].kind == TS_TOKEN_NEWLINE)
      next++;
    if (parser->tokens[next].kind != TS_TOKEN_ARROW)
      break;
    at = next;
  }
  parser->at = at;
}

static gboolean
parse_end (TsParser *parser, const TsStmt *stmt)
{
  const TsToken *token = ts_parser_peek (parser);

  if (token->kind == TS_TOKEN_NEWLINE || token->kind == TS_TOKEN_END ||
      ts_parser_is_sign (token, '}'))
    return TRUE;
  ts_parser_expected (parser, "the end of the line");
  return FALSE;
}

/* After trouble in the head of a block: its body is still worth reading. */
static gboolean
skip_to_brace (TsParser *parser)
{
  guint at = parser->at;

  parser->brackets = 0;
  while (parser->tokens[at].kind != TS_TOKEN_NEWLINE && parser->tokens[at].kind != TS_TOKEN_END &&
         !ts_parser_is_sign (&parser->tokens[at], '{'))
    at++;
  if (parser->stopped || !ts_parser_is_sign (&parser->tokens[at], '{'))
    return FALSE;
  parser->at = at;
  return TRUE;
}

static TsStmt *
parse_statement (TsParser *parser, const TsStmt *owner)
{
  const TsToken *token = ts_parser_peek (parser);
  guint first = parser->at;
  gboolean has_body;
  TsComments before = {NULL};

  if (parser->ast->n_nodes >= TS_AST_MAX_NODES)
    return (TsStmt *) ts_parser_expr_new (parser, TS_EXPR_NUMBER, token->span); /* reports; NULL */
  gboolean blank = ts_parser_blank_before (
      parser, parser->next_comment < parser->n_comments
                  ? MIN (token->span.start, parser->comments[parser->next_comment].span.start)
                  : token->span.start);
  ts_parser_comments_before (parser, token->span.start, &before);
  TsStmt *stmt = ts_ast_new_stmt (parser->ast, kind_of (parser, token, owner), token->span);
  stmt->before = before;
  stmt->blank_before = blank;
  stmt->gap = before.n && ts_parser_blank_before (parser, token->span.start);
  has_body =
      stmt->kind == TS_STMT_BLOCK || stmt->kind == TS_STMT_REPEAT || stmt->kind == TS_STMT_SECTION;
  gboolean ok = parse_head (parser, stmt, owner);
  if (has_body && (ok || skip_to_brace (parser))) {
    ts_parser_comments_inside (parser, stmt, ts_parser_peek (parser)->span.start);
    ok = parse_block_body (parser, stmt) && ok;
  }
  if (ok)
    ok = parse_end (parser, stmt);
  if (!ok) {
    recover (parser, first);
    ts_parser_comments_drop (parser, parser->tokens[parser->at].span.start);
    return NULL;
  }
  stmt->span.end = parser->tokens[parser->at - 1].span.end;
  ts_parser_comments_inside (parser, stmt, stmt->span.end);
  ts_parser_comments_same_line (parser, &stmt->after);
  return stmt;
}

/* Statements up to the end of the file or the '}' of @owner, which is left to the caller. */
static void
parse_body (TsParser *parser, TsStmt *owner, TsStmt ***body, guint *n)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsStmt *));
  const TsStmt *last = NULL;

  for (;;) {
    while (parser->tokens[parser->at].kind == TS_TOKEN_NEWLINE)
      parser->at++;
    const TsToken *token = &parser->tokens[parser->at];
    if (token->kind == TS_TOKEN_END || parser->stopped || ts_diags_is_full (parser->diags))
      break;
    if (ts_parser_is_sign (token, '}')) {
      if (owner)
        break;
      ts_diags_error (parser->diags, token->span, "there is no '{' that this '}' could close");
      parser->at++;
      continue;
    }
    if (last && last->kind == TS_STMT_RETURN)
      ts_diags_error (parser->diags, token->span, "return must be the last statement of a block");
    TsStmt *stmt = parse_statement (parser, owner);
    if (stmt)
      g_array_append_val (list, stmt);
    last = stmt;
  }
  *body = ts_ast_take_array (parser->ast, list, n);
}

TsAst *
ts_parse (TsSource *source, TsDiags *diags)
{
  g_auto (TsLexed) lexed = ts_lex (source, diags);
  TsAst *ast = ts_ast_new (source);
  TsParser parser = {
      .source = source,
      .diags = diags,
      .ast = ast,
      .tokens = (const TsToken *) lexed.tokens->data,
      .comments = (const TsLexComment *) lexed.comments->data,
      .n_comments = lexed.comments->len,
  };

  parse_body (&parser, NULL, &ast->body, &ast->n_body);
  ts_parser_comments_before (&parser, G_MAXUINT32, &ast->closing);
  ts_diags_sort (diags);
  return ast;
}
