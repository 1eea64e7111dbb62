/* SPDX-License-Identifier: MIT */
#include "engine/model/parser-private.h"

gboolean
ts_parser_blank_before (const TsParser *parser, guint32 offset)
{
  const char *text = ts_source_get_text (parser->source);
  guint lines = 0;

  while (offset > 0 && g_ascii_isspace (text[offset - 1]))
    lines += text[--offset] == '\n';
  return lines >= 2 && offset > 0;
}

/* Every list grows through here: its room is the next power of two. */
static void
append (TsParser *parser, TsComments *comments, const TsLexComment *from)
{
  guint n = comments->n;

  if ((n & (n - 1)) == 0) {
    TsComment *grown = ts_ast_alloc (parser->ast, MAX (1, 2 * (gsize) n) * sizeof *grown);
    for (guint i = 0; i < n; i++)
      grown[i] = comments->items[i];
    comments->items = grown;
  }
  comments->items[comments->n++] = (TsComment){
      ts_ast_keep (parser->ast, ts_source_get_text (parser->source) + from->span.start,
                   from->span.end - from->span.start),
      ts_parser_blank_before (parser, from->span.start),
      from->own_line,
  };
}

void
ts_parser_comments_before (TsParser *parser, guint32 offset, TsComments *comments)
{
  while (parser->next_comment < parser->n_comments &&
         parser->comments[parser->next_comment].span.start < offset)
    append (parser, comments, &parser->comments[parser->next_comment++]);
}

/* The stage of the chain @expr behind which @offset lies, before the next arrow's stage; NULL when
 * it lies inside a stage or no arrow follows. */
static TsExpr *
find_stage (TsExpr *expr, guint32 offset)
{
  gboolean followed = FALSE;

  for (; expr && expr->kind == TS_EXPR_PIPE && offset < expr->right->span.start; expr = expr->left)
    followed = TRUE;
  TsExpr *stage = expr && expr->kind == TS_EXPR_PIPE ? expr->right : expr;
  return followed && offset >= stage->span.end ? stage : NULL;
}

static gboolean
prints_chain (TsStmtKind kind)
{
  return (kind >= TS_STMT_LAYER && kind <= TS_STMT_ASSIGN) || kind == TS_STMT_RETURN;
}

void
ts_parser_comments_inside (TsParser *parser, TsStmt *stmt, guint32 end)
{
  while (parser->next_comment < parser->n_comments &&
         parser->comments[parser->next_comment].span.start < end) {
    const TsLexComment *comment = &parser->comments[parser->next_comment++];
    TsExpr *stage = prints_chain (stmt->kind) ? find_stage (stmt->expr, comment->span.start) : NULL;
    append (parser, stage ? &stage->comments : &stmt->before, comment);
  }
}

void
ts_parser_comments_same_line (TsParser *parser, TsComments *comments)
{
  guint32 end = parser->tokens[parser->at].span.start;

  if (parser->next_comment < parser->n_comments &&
      parser->comments[parser->next_comment].span.start < end &&
      !parser->comments[parser->next_comment].own_line)
    append (parser, comments, &parser->comments[parser->next_comment++]);
}

void
ts_parser_comments_drop (TsParser *parser, guint32 offset)
{
  while (parser->next_comment < parser->n_comments &&
         parser->comments[parser->next_comment].span.start < offset)
    parser->next_comment++;
}
