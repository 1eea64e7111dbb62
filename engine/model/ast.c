/* SPDX-License-Identifier: MIT */
#include "engine/model/ast.h"

#include <string.h>

const char *const ts_ast_keywords[] = {"model",  "input", "layer",  "loss",   "metric",
                                       "output", "block", "repeat", "return", "pretrain",
                                       "data",   "train", "search", "export", NULL};

TsAst *
ts_ast_new (TsSource *source)
{
  TsAst *ast = g_new0 (TsAst, 1);

  ast->source = ts_source_ref (source);
  ast->memory = g_ptr_array_new_with_free_func (g_free);
  ast->text = g_string_chunk_new (1024);
  return ast;
}

void
ts_ast_free (TsAst *ast)
{
  ts_source_unref (ast->source);
  g_ptr_array_unref (ast->memory);
  g_string_chunk_free (ast->text);
  g_free (ast);
}

gpointer
ts_ast_alloc (TsAst *ast, gsize size)
{
  gpointer memory = g_malloc0 (size);

  g_ptr_array_add (ast->memory, memory);
  return memory;
}

gpointer
ts_ast_take_array (TsAst *ast, GArray *array, guint *n)
{
  gsize bytes = (gsize) array->len * g_array_get_element_size (array);
  gpointer items = NULL;

  *n = array->len;
  if (bytes)
    items = memcpy (ts_ast_alloc (ast, bytes), array->data, bytes);
  g_array_set_size (array, 0);
  return items;
}

const char *
ts_ast_keep (TsAst *ast, const char *text, gssize length)
{
  return length < 0 ? g_string_chunk_insert (ast->text, text)
                    : g_string_chunk_insert_len (ast->text, text, length);
}

TsExpr *
ts_ast_new_expr (TsAst *ast, TsExprKind kind, TsSpan span)
{
  TsExpr *expr = ts_ast_alloc (ast, sizeof *expr);

  expr->kind = kind;
  expr->span = expr->at = span;
  expr->height = 1;
  expr->node = ast->n_nodes++;
  return expr;
}

TsStmt *
ts_ast_new_stmt (TsAst *ast, TsStmtKind kind, TsSpan span)
{
  TsStmt *stmt = ts_ast_alloc (ast, sizeof *stmt);

  stmt->kind = kind;
  stmt->span = stmt->at = span;
  ast->n_nodes++;
  return stmt;
}

const char *
ts_stmt_keyword (TsStmtKind kind)
{
  switch (kind) {
  case TS_STMT_MODEL:
    return "model";
  case TS_STMT_INPUT:
    return "input";
  case TS_STMT_LAYER:
    return "layer";
  case TS_STMT_LOSS:
    return "loss";
  case TS_STMT_METRIC:
    return "metric";
  case TS_STMT_OUTPUT:
    return "output";
  case TS_STMT_BLOCK:
    return "block";
  case TS_STMT_RETURN:
    return "return";
  case TS_STMT_REPEAT:
    return "repeat";
  case TS_STMT_PRETRAIN:
    return "pretrain";
  case TS_STMT_ASSIGN:
  case TS_STMT_SECTION:
  case TS_STMT_ENTRY:
    return NULL;
  }
  g_return_val_if_reached (NULL);
}

/* --- equality --- */

static gboolean
comments_equal (const TsComments *a, const TsComments *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (strcmp (a->items[i].text, b->items[i].text) != 0)
      return FALSE;
  return TRUE;
}

gboolean
ts_expr_equal (const TsExpr *a, const TsExpr *b)
{
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || a->n_args != b->n_args || a->op != b->op ||
      !comments_equal (&a->comments, &b->comments))
    return FALSE;
  if (a->kind == TS_EXPR_NUMBER)
    return a->number == b->number && a->is_whole == b->is_whole;
  for (guint i = 0; i < a->n_args; i++)
    if (g_strcmp0 (a->args[i].name.text, b->args[i].name.text) != 0 ||
        !ts_expr_equal (a->args[i].value, b->args[i].value))
      return FALSE;
  return g_strcmp0 (a->text, b->text) == 0 && ts_expr_equal (a->left, b->left) &&
         ts_expr_equal (a->right, b->right);
}

static gboolean bodies_equal (TsStmt *const *a, guint n_a, TsStmt *const *b, guint n_b);

static gboolean
heads_equal (const TsStmt *a, const TsStmt *b)
{
  if (a->kind != b->kind || a->n_dims != b->n_dims || a->n_params != b->n_params ||
      a->n_values != b->n_values || g_strcmp0 (a->name.text, b->name.text) != 0 ||
      g_strcmp0 (a->title.text, b->title.text) != 0 || g_strcmp0 (a->type.text, b->type.text) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_dims; i++)
    if (a->dims[i].size != b->dims[i].size)
      return FALSE;
  for (guint i = 0; i < a->n_params; i++)
    if (strcmp (a->params[i].name.text, b->params[i].name.text) != 0 ||
        !ts_expr_equal (a->params[i].value, b->params[i].value))
      return FALSE;
  for (guint i = 0; i < a->n_values; i++)
    if (!ts_expr_equal (a->values[i], b->values[i]))
      return FALSE;
  return ts_expr_equal (a->expr, b->expr) && ts_expr_equal (a->how, b->how);
}

static gboolean
stmt_equal (const TsStmt *a, const TsStmt *b)
{
  return heads_equal (a, b) && comments_equal (&a->before, &b->before) &&
         comments_equal (&a->opening, &b->opening) && comments_equal (&a->closing, &b->closing) &&
         comments_equal (&a->after, &b->after) &&
         bodies_equal (a->body, a->n_body, b->body, b->n_body);
}

static gboolean
bodies_equal (TsStmt *const *a, guint n_a, TsStmt *const *b, guint n_b)
{
  if (n_a != n_b)
    return FALSE;
  for (guint i = 0; i < n_a; i++)
    if (!stmt_equal (a[i], b[i]))
      return FALSE;
  return TRUE;
}

gboolean
ts_ast_equal (const TsAst *a, const TsAst *b)
{
  return comments_equal (&a->closing, &b->closing) &&
         bodies_equal (a->body, a->n_body, b->body, b->n_body);
}
