/* SPDX-License-Identifier: MIT */
#include "engine/model/printer.h"

#include <string.h>

#include "engine/base/param.h"

#define WIDTH     100 /* a chain is broken before it grows longer */
#define MAX_ALIGN 24  /* arrows are aligned up to so far behind the indent */
#define MAX_CODE  70  /* comments are aligned behind code that is no wider */

/* How tightly a kind binds; what binds less than its place needs gets parentheses. */
enum { PIPE, SUM, PRODUCT, UNARY, PRIMARY };

typedef struct {
  GString *out;
  guint indent;
  GArray *marks; /* of gsize: offsets in out where a comment behind code will go */
} Printer;

/* --- expressions --- */

static int
binding (const TsExpr *expr)
{
  switch (expr->kind) {
  case TS_EXPR_PIPE:
    return PIPE;
  case TS_EXPR_BINARY:
    return strchr ("+-", expr->op) ? SUM : PRODUCT;
  case TS_EXPR_NEGATE:
    return UNARY;
  default:
    return PRIMARY;
  }
}

static void print_expr (GString *out, const TsExpr *expr, int needed);

static void
print_number (GString *out, const TsExpr *expr)
{
  g_autofree char *text = NULL;

  if (expr->text)
    g_string_append (out, expr->text);
  else if (expr->is_whole)
    g_string_append_printf (out, "%.0f", expr->number);
  else
    g_string_append (out, text = ts_number_dup_text (expr->number));
}

static void
print_args (GString *out, const TsExpr *expr)
{
  for (guint i = 0; i < expr->n_args; i++) {
    if (i)
      g_string_append (out, ", ");
    if (expr->args[i].name.text)
      g_string_append_printf (out, "%s=", expr->args[i].name.text);
    print_expr (out, expr->args[i].value, PIPE);
  }
}

static void
print_bare (GString *out, const TsExpr *expr)
{
  switch (expr->kind) {
  case TS_EXPR_NUMBER:
    print_number (out, expr);
    break;
  case TS_EXPR_STRING:
    g_string_append_printf (out, "\"%s\"", expr->text);
    break;
  case TS_EXPR_NAME:
    g_string_append (out, expr->text);
    break;
  case TS_EXPR_CALL:
    g_string_append_printf (out, "%s(", expr->text);
    print_args (out, expr);
    g_string_append_c (out, ')');
    break;
  case TS_EXPR_LIST:
    g_string_append_c (out, '[');
    print_args (out, expr);
    g_string_append_c (out, ']');
    break;
  case TS_EXPR_NEGATE:
    g_string_append_c (out, '-');
    print_expr (out, expr->left, PRIMARY);
    break;
  case TS_EXPR_BINARY:
    print_expr (out, expr->left, binding (expr));
    g_string_append_printf (out, " %c ", expr->op);
    print_expr (out, expr->right, binding (expr) + 1);
    break;
  case TS_EXPR_PIPE:
    /* (a + b) -> f means the same without parentheses, but does not look it. */
    print_expr (out, expr->left, expr->left->kind == TS_EXPR_PIPE ? PIPE : PRIMARY);
    g_string_append (out, " -> ");
    print_expr (out, expr->right, PRIMARY);
    break;
  }
}

static void
print_expr (GString *out, const TsExpr *expr, int needed)
{
  gboolean bracketed = binding (expr) < needed;

  if (bracketed)
    g_string_append_c (out, '(');
  print_bare (out, expr);
  if (bracketed)
    g_string_append_c (out, ')');
}

char *
ts_expr_print (const TsExpr *expr)
{
  GString *out = g_string_new (NULL);

  print_expr (out, expr, PIPE);
  return g_string_free (out, FALSE);
}

/* --- lines --- */

static void
new_line (GString *out, guint indent)
{
  g_string_append_c (out, '\n');
  for (guint i = 0; i < indent; i++)
    g_string_append_c (out, ' ');
}

/* Characters on the line that is being written. */
static guint
column (const GString *out)
{
  const char *start = out->str + out->len;

  while (start > out->str && start[-1] != '\n')
    start--;
  return (guint) g_utf8_strlen (start, out->str + out->len - start);
}

static void
print_comment_lines (GString *out, guint indent, const TsComments *comments, gboolean first_blank)
{
  for (guint i = 0; i < comments->n; i++) {
    if (i ? comments->items[i].blank_before : first_blank)
      g_string_append_c (out, '\n');
    for (guint k = 0; k < indent; k++)
      g_string_append_c (out, ' ');
    g_string_append_printf (out, "%s\n", comments->items[i].text);
  }
}

/* Its place is settled at the end, by align_comments. */
static void
print_comment_behind (Printer *printer, const char *text)
{
  gsize at = printer->out->len;

  g_array_append_val (printer->marks, at);
  g_string_append (printer->out, text);
}

static void
print_comments_behind (Printer *printer, const TsComments *comments)
{
  if (comments->n)
    print_comment_behind (printer, comments->items[0].text);
}

/* Comments behind code on neighbouring lines start in one column, two spaces behind the longest. */
static char *
align_comments (const GString *out, const GArray *marks)
{
  GString *text = g_string_sized_new (out->len + 2 * marks->len);
  gsize done = 0;

  for (guint first = 0, next; first < marks->len; first = next) {
    g_autoptr (GArray) widths = g_array_new (FALSE, FALSE, sizeof (glong));
    glong widest = 0;
    for (next = first; next < marks->len; next++) {
      gsize at = g_array_index (marks, gsize, next), start = at, end = at;
      while (start > 0 && out->str[start - 1] != '\n')
        start--;
      glong width = g_utf8_strlen (out->str + start, (gssize) (at - start));
      if (next > first) {
        end = g_array_index (marks, gsize, next - 1);
        end += strcspn (out->str + end, "\n") + 1;
        if (start != end || width > MAX_CODE || widest > MAX_CODE)
          break;
      }
      g_array_append_val (widths, width);
      widest = MAX (widest, width);
    }
    for (guint i = first; i < next; i++) {
      gsize at = g_array_index (marks, gsize, i);
      g_string_append_len (text, out->str + done, (gssize) (at - done));
      g_string_append_printf (text, "%*s",
                              (int) (widest - g_array_index (widths, glong, i - first)) + 2, "");
      done = at;
    }
  }
  g_string_append (text, out->str + done);
  return g_string_free (text, FALSE);
}

/* --- chains --- */

/* The comments behind a stage; TRUE when there are any, so that the line must end. */
static gboolean
print_stage_comments (Printer *printer, const TsExpr *stage, guint align)
{
  for (guint i = 0; i < stage->comments.n; i++) {
    const TsComment *comment = &stage->comments.items[i];
    if (i == 0 && !comment->own_line) {
      print_comment_behind (printer, comment->text);
      continue;
    }
    new_line (printer->out, align);
    g_string_append (printer->out, comment->text);
  }
  return stage->comments.n > 0;
}

static void
print_chain (Printer *printer, const TsExpr *expr)
{
  GString *out = printer->out;
  guint indent = printer->indent;
  g_autoptr (GPtrArray) pipes = g_ptr_array_new ();
  guint align = indent + 4;

  for (; expr->kind == TS_EXPR_PIPE; expr = expr->left)
    g_ptr_array_add (pipes, (gpointer) expr);
  print_expr (out, expr, pipes->len ? PRIMARY : SUM);
  const TsExpr *before = expr;
  for (guint i = pipes->len; i > 0; i--) {
    const TsExpr *pipe = pipes->pdata[i - 1];
    g_autofree char *stage = ts_expr_print (pipe->right);
    guint at = column (out) + 1;
    gboolean broken = print_stage_comments (printer, before, align) || pipe->breaks ||
                      at + 3 + g_utf8_strlen (stage, -1) > WIDTH;
    if (i == pipes->len && !broken && at <= indent + MAX_ALIGN)
      align = at;
    if (broken)
      new_line (out, align);
    else
      g_string_append_c (out, ' ');
    g_string_append_printf (out, "-> %s", stage);
    before = pipe->right;
  }
}

/* --- statements --- */

static void print_body (Printer *printer, TsStmt *const *body, guint n, const TsComments *closing);

/* Values stand side by side without a comma, so "b" and "-1" must not become a difference, nor
 * "b" and "(c)" a call. */
static void
print_values (GString *out, TsExpr *const *values, guint n)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean bracket_follows = FALSE;

  for (guint i = n; i > 0; i--) {
    char *text = ts_expr_print (values[i - 1]);
    char end = text[strlen (text) - 1];
    if ((*text == '-' && i > 1) || (bracket_follows && (g_ascii_isalnum (end) || end == '_'))) {
      char *bare = text;
      text = g_strdup_printf ("(%s)", bare);
      g_free (bare);
    }
    bracket_follows = *text == '(';
    g_ptr_array_add (texts, text);
  }
  for (guint i = n; i > 0; i--)
    g_string_append_printf (out, " %s", (char *) texts->pdata[i - 1]);
}

static void
print_block_head (GString *out, const TsStmt *stmt)
{
  g_string_append_printf (out, "block %s(", stmt->name.text);
  for (guint i = 0; i < stmt->n_params; i++) {
    g_string_append_printf (out, "%s%s", i ? ", " : "", stmt->params[i].name.text);
    if (stmt->params[i].value) {
      g_string_append_c (out, '=');
      print_expr (out, stmt->params[i].value, PIPE);
    }
  }
  g_string_append_c (out, ')');
}

static void
print_input (GString *out, const TsStmt *stmt)
{
  g_string_append_printf (out, "input %s %s", stmt->name.text, stmt->type.text);
  for (guint i = 0; i < stmt->n_dims; i++) {
    g_string_append (out, i ? ", " : "[");
    if (stmt->dims[i].size < 0)
      g_string_append_c (out, '?');
    else
      g_string_append_printf (out, "%" G_GINT64_FORMAT, stmt->dims[i].size);
  }
  if (stmt->n_dims)
    g_string_append_c (out, ']');
}

static void
print_head (Printer *printer, const TsStmt *stmt)
{
  GString *out = printer->out;

  switch (stmt->kind) {
  case TS_STMT_MODEL:
    g_string_append_printf (out, "model %s", stmt->name.text);
    if (stmt->title.text)
      g_string_append_printf (out, " \"%s\"", stmt->title.text);
    break;
  case TS_STMT_INPUT:
    print_input (out, stmt);
    break;
  case TS_STMT_LAYER:
  case TS_STMT_LOSS:
  case TS_STMT_METRIC:
  case TS_STMT_OUTPUT:
    g_string_append_printf (out, "%s ", ts_stmt_keyword (stmt->kind));
    /* fall through */
  case TS_STMT_ASSIGN:
    g_string_append_printf (out, "%s = ", stmt->name.text);
    print_chain (printer, stmt->expr);
    break;
  case TS_STMT_RETURN:
    g_string_append (out, "return ");
    print_chain (printer, stmt->expr);
    break;
  case TS_STMT_BLOCK:
    print_block_head (out, stmt);
    break;
  case TS_STMT_REPEAT:
    g_string_append (out, "repeat ");
    print_expr (out, stmt->expr, PIPE);
    break;
  case TS_STMT_PRETRAIN:
    g_string_append_printf (out, "pretrain %s from ", stmt->name.text);
    print_expr (out, stmt->expr, PIPE);
    g_string_append (out, " as ");
    print_expr (out, stmt->how, PIPE);
    break;
  case TS_STMT_SECTION:
    g_string_append (out, stmt->name.text);
    break;
  case TS_STMT_ENTRY:
    g_string_append (out, stmt->name.text);
    print_values (out, stmt->values, stmt->n_values);
    break;
  }
}

static void
print_stmt (Printer *printer, const TsStmt *stmt, gboolean first)
{
  GString *out = printer->out;
  gboolean blank = stmt->blank_before && !first;

  print_comment_lines (out, printer->indent, &stmt->before, blank);
  if (stmt->before.n ? stmt->gap : blank)
    g_string_append_c (out, '\n');
  for (guint i = 0; i < printer->indent; i++)
    g_string_append_c (out, ' ');
  print_head (printer, stmt);
  if (stmt->kind == TS_STMT_BLOCK || stmt->kind == TS_STMT_REPEAT ||
      stmt->kind == TS_STMT_SECTION) {
    g_string_append (out, " {");
    print_comments_behind (printer, &stmt->opening);
    g_string_append_c (out, '\n');
    printer->indent += 2;
    print_body (printer, stmt->body, stmt->n_body, &stmt->closing);
    printer->indent -= 2;
    for (guint i = 0; i < printer->indent; i++)
      g_string_append_c (out, ' ');
    g_string_append_c (out, '}');
  }
  print_comments_behind (printer, &stmt->after);
  g_string_append_c (out, '\n');
}

static void
print_body (Printer *printer, TsStmt *const *body, guint n, const TsComments *closing)
{
  for (guint i = 0; i < n; i++)
    print_stmt (printer, body[i], i == 0);
  print_comment_lines (printer->out, printer->indent, closing,
                       n && closing->n && closing->items[0].blank_before);
}

char *
ts_ast_print (const TsAst *ast)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (gsize));
  Printer printer = {out, 0, marks};

  print_body (&printer, ast->body, ast->n_body, &ast->closing);
  return align_comments (out, marks);
}
