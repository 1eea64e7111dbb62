/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/model/checker-private.h"
#include "engine/model/suggest.h"

#define OPERANDS_MAX TS_CALL_INPUTS_MAX
/* Sums and products of a few stay exact. */
#define LIST_NUMBER_MAX 1e15

/* What a call may name: a layer or an op, seen alike. */
typedef struct {
  const TsLayerClass *layer;
  const TsOpClass *op;
  const char *name, *in_names;
  guint min_in, max_in;
  const TsParamSpec *specs;
} Callee;

static const TsMeaning bad = {TS_MEANING_BAD};

static TsMeaning
tensor_meaning (TsValue *value)
{
  return (TsMeaning){.kind = value ? TS_MEANING_TENSOR : TS_MEANING_BAD, .tensor = value};
}

void
ts_check_report (TsChecker *c, TsSpan span, const GError *error)
{
  g_auto (GStrv) lines = g_strsplit (error->message, "\n", -1);

  ts_diags_error (c->diags, span, "%s", lines[0]);
  for (guint i = 1; lines[i]; i++)
    ts_diags_note (c->diags, "%s", lines[i]);
}

static gboolean
op_is_public (const TsOpClass *op)
{
  return !(op->flags & (TS_OP_INTERNAL | TS_OP_SOURCE));
}

static gboolean
find_callee (const char *name, Callee *callee)
{
  const TsLayerClass *layer = ts_layer_lookup (name);
  const TsOpClass *op = layer ? NULL : ts_op_lookup (name);

  if (layer)
    *callee = (Callee){layer, NULL, name, layer->in_names, layer->n_in, layer->n_in, layer->params};
  else if (op && op_is_public (op))
    *callee = (Callee){NULL, op, name, op->in_names, op->min_in, op->max_in, op->params};
  else
    return FALSE;
  return TRUE;
}

static void
add_op_name (const TsOpClass *op, gpointer names)
{
  if (op_is_public (op))
    g_ptr_array_add (names, (gpointer) op->name);
}

static void
report_unknown_call (TsChecker *c, TsSpan span, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key, symbol;

  for (guint i = 0; ts_layer_table[i]; i++)
    g_ptr_array_add (names, (gpointer) ts_layer_table[i]->name);
  ts_op_foreach (add_op_name, names);
  g_hash_table_iter_init (&iter, c->symbols);
  while (g_hash_table_iter_next (&iter, &key, &symbol))
    if (((TsSymbol *) symbol)->kind == TS_SYMBOL_LAYER)
      g_ptr_array_add (names, key);
  g_ptr_array_add (names, NULL);
  ts_diags_error (c->diags, span, "unknown operation '%s'", name);
  const char *near = ts_suggest (name, (const char *const *) names->pdata);
  if (near)
    ts_diags_note (c->diags, "did you mean '%s'?", near);
}

static void
note_usage (TsChecker *c, const Callee *callee)
{
  GString *s = g_string_new (callee->name);
  TsParams p;

  ts_params_init (&p, callee->specs);
  g_string_append_printf (s, "(%s", callee->in_names);
  const char *comma = *callee->in_names ? ", " : "";
  for (guint i = 0; i < p.n; i++) {
    const TsParamSpec *spec = &p.specs[i];
    if (spec->name[0] == '_')
      continue;
    g_autofree char *value = spec->required ? NULL : ts_params_dup_value (&p, i);
    g_string_append_printf (s, "%s%s%s%s", comma, spec->name, value ? "=" : "", value ? value : "");
    comma = ", ";
  }
  g_string_append_c (s, ')');
  ts_diags_note (c->diags, "usage: %s", s->str);
  g_string_free (s, TRUE);
}

static void
report_unknown_argument (TsChecker *c, TsSpan span, const Callee *callee, const TsParams *p,
                         const char *key)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < p->n; i++)
    if (p->specs[i].name[0] != '_')
      g_ptr_array_add (names, (gpointer) p->specs[i].name);
  g_ptr_array_add (names, NULL);
  ts_diags_error (c->diags, span, "%s has no argument '%s'", callee->name, key);
  note_usage (c, callee);
  const char *near = ts_suggest (key, (const char *const *) names->pdata);
  if (near)
    ts_diags_note (c->diags, "did you mean '%s'?", near);
}

static gboolean
set_param (TsParams *p, const char *key, const TsMeaning *m, GError **error)
{
  int i = ts_params_lookup (p, key);
  gboolean word = m->kind == TS_MEANING_TEXT && !m->quoted;

  if (m->kind == TS_MEANING_TENSOR) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "%s cannot be a tensor", key);
    return FALSE;
  }
  if (m->kind == TS_MEANING_NUMBER)
    return ts_params_set_number (p, key, m->number, error);
  if (m->kind == TS_MEANING_LIST)
    return ts_params_set_list (p, key, m->list, m->n_list, error);
  if (i >= 0 && p->specs[i].type == TS_PARAM_BOOL && word)
    return ts_params_parse (p, key, m->text, error);
  return ts_params_set_text (p, key, m->text, error);
}

/* A word where a value was meant. */
static gboolean
is_undefined (TsChecker *c, const TsExpr *e, const TsMeaning *m)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  if (m->kind != TS_MEANING_TEXT)
    return FALSE;
  g_hash_table_iter_init (&iter, c->symbols);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, key);
  g_ptr_array_sort (names, (GCompareFunc) g_strcmp0);
  g_ptr_array_add (names, NULL);
  if (m->quoted) {
    ts_diags_error (c->diags, e->at, "a tensor or a number belongs here, not a text");
    return TRUE;
  }
  ts_diags_error (c->diags, e->at, "'%s' is not defined", m->text);
  const char *near = ts_suggest (m->text, (const char *const *) names->pdata);
  if (near)
    ts_diags_note (c->diags, "did you mean '%s'?", near);
  return TRUE;
}

/* The parameter that the next positional argument sets; NULL when there are none left. */
static const char *
next_param (const TsParams *p, guint *at)
{
  while (*at < p->n && p->specs[*at].name[0] == '_')
    (*at)++;
  return *at < p->n ? p->specs[(*at)++].name : NULL;
}

/* Reads the arguments of @call: tensors into in[], the rest into @p.  @piped (may be NULL) comes
 * first.  @wants_tensor: a word where a tensor is still missing is one that nobody defined.  FALSE
 * when something was wrong or unknown. */
static gboolean
read_arguments (TsChecker *c, const Callee *callee, const TsExpr *call, const TsMeaning *piped,
                gboolean wants_tensor, TsValue **in, guint *n_in, TsParams *p)
{
  guint at = 0;
  gboolean ok = TRUE;

  *n_in = 0;
  ts_params_init (p, callee->specs);
  if (piped) {
    ok = piped->kind == TS_MEANING_TENSOR;
    if (piped->kind > TS_MEANING_TENSOR)
      ts_diags_error (c->diags, call->at, "%s needs a tensor on the left of '->'", callee->name);
    in[(*n_in)++] = piped->tensor;
  }
  for (guint i = 0; i < call->n_args; i++) {
    const TsArg *arg = &call->args[i];
    TsMeaning m = ts_check_expr (c, arg->value);
    const char *key = arg->name.text;
    g_autoptr (GError) error = NULL;

    if (!key && m.kind <= TS_MEANING_TENSOR && *n_in < MIN (callee->max_in, OPERANDS_MAX)) {
      in[(*n_in)++] = m.tensor;
      ok &= m.kind == TS_MEANING_TENSOR;
      continue;
    }
    if (!key && *n_in < callee->min_in && wants_tensor && is_undefined (c, arg->value, &m)) {
      in[(*n_in)++] = NULL;
      ok = FALSE;
      continue;
    }
    if (!key && !(key = next_param (p, &at))) {
      ts_diags_error (c->diags, arg->value->at,
                      m.kind == TS_MEANING_NUMBER && *n_in < callee->max_in
                          ? "%s needs a tensor here; a number cannot stand for one"
                          : "%s takes no more arguments",
                      callee->name);
      if (m.kind == TS_MEANING_NUMBER && *n_in < callee->max_in)
        ts_diags_note (c->diags, "fill(value=%g) is a tensor of that number", m.number);
      note_usage (c, callee);
      return FALSE;
    }
    if (key[0] == '_' || ts_params_lookup (p, key) < 0) {
      report_unknown_argument (c, call->at, callee, p, key);
      ok = FALSE;
    } else if (m.kind == TS_MEANING_BAD) {
      ok = FALSE;
    } else if (!set_param (p, key, &m, &error)) {
      g_prefix_error (&error, "%s: ", callee->name);
      ts_check_report (c, arg->value->at, error);
      ok = FALSE;
    }
  }
  return ok;
}

static void
set_place (TsChecker *c, TsSpan span)
{
  guint line, column;

  ts_source_locate (c->model->source, span.start, &line, &column);
  ts_graph_set_place (c->model->graph, (int) line, (int) column);
}

/* What is counted over all rows of a split would be averaged over its batches as part of something else. */
static gboolean
uses_whole_set (TsChecker *c, TsSpan span, const TsNode *node)
{
  for (guint i = 0; i < node->n_in; i++) {
    if (!node->in[i]->node->op->tally)
      continue;
    ts_diags_error (c->diags, span,
                    "'%s' is taken over all rows of a split and cannot be part of an expression; "
                    "write it as a metric of its own",
                    node->in[i]->node->op->name);
    return TRUE;
  }
  return FALSE;
}

static TsMeaning
finish (TsChecker *c, TsSpan span, const Callee *callee, TsValue *value, GError *error)
{
  if (value)
    return uses_whole_set (c, span, value->node) ? bad : tensor_meaning (value);
  ts_check_report (c, span, error);
  if (callee && error->code == TS_ENGINE_ERROR_PARAM)
    note_usage (c, callee);
  g_error_free (error);
  return bad;
}

static TsMeaning
apply_layer (TsChecker *c, const TsExpr *call, TsLayer *layer, const TsMeaning *piped)
{
  GError *error = NULL;
  TsMeaning x = piped ? *piped : call->n_args == 1 ? ts_check_expr (c, call->args[0].value) : bad;

  if (!piped && call->n_args != 1)
    ts_diags_error (c->diags, call->at, "layer '%s' takes one tensor", call->text);
  else if (piped && call->n_args)
    ts_diags_error (c->diags, call->at, "layer '%s' has its arguments already", call->text);
  else if (x.kind > TS_MEANING_TENSOR)
    ts_diags_error (c->diags, call->at, "layer '%s' needs a tensor", call->text);
  if (x.kind != TS_MEANING_TENSOR || !layer)
    return bad;
  set_place (c, call->at);
  TsValue *y = ts_layer_apply (layer, c->model->graph, &x.tensor, 1, &error);
  return finish (c, call->at, NULL, y, error);
}

static TsMeaning
check_call (TsChecker *c, const TsExpr *call, const TsMeaning *piped)
{
  const TsSymbol *symbol = g_hash_table_lookup (c->symbols, call->text);
  TsValue *in[OPERANDS_MAX + 1], *y = NULL;
  GError *error = NULL;
  Callee callee;
  TsParams params;
  guint n_in;

  if (symbol && symbol->kind == TS_SYMBOL_LAYER)
    return apply_layer (c, call, symbol->layer, piped);
  if (!find_callee (call->text, &callee)) {
    report_unknown_call (c, call->at, call->text);
    return bad;
  }
  if (!read_arguments (c, &callee, call, piped, TRUE, in, &n_in, &params))
    return bad;
  if (n_in < callee.min_in || n_in > callee.max_in) {
    ts_diags_error (c->diags, call->at, "%s takes the tensors (%s), not %u of them", callee.name,
                    callee.in_names, n_in);
    note_usage (c, &callee);
    return bad;
  }
  set_place (c, call->at);
  if (callee.layer) {
    TsLayer *layer = ts_layer_new (callee.layer, NULL, &params);
    g_ptr_array_add (c->layers, layer);
    y = ts_layer_apply (layer, c->model->graph, in, n_in, &error);
  } else {
    TsNode *node = ts_graph_add (c->model->graph, callee.name, NULL, in, n_in, &params, &error);
    y = node ? node->out[0] : NULL;
  }
  return finish (c, call->at, &callee, y, error);
}

TsLayer *
ts_check_layer (TsChecker *c, const char *name, const TsExpr *expr)
{
  TsValue *in[OPERANDS_MAX + 1];
  Callee callee;
  TsParams params;
  guint n_in;
  g_autoptr (GError) error = NULL;

  if (expr->kind != TS_EXPR_CALL) {
    ts_diags_error (c->diags, expr->at,
                    "a layer must be an operation with its arguments, such as dense(256)");
    return NULL;
  }
  if (!find_callee (expr->text, &callee)) {
    report_unknown_call (c, expr->at, expr->text);
    return NULL;
  }
  if (!callee.layer) {
    ts_diags_error (c->diags, expr->at, "'%s' has no variables to share; use it in a chain instead",
                    expr->text);
    return NULL;
  }
  if (!read_arguments (c, &callee, expr, NULL, FALSE, in, &n_in, &params))
    return NULL;
  if (n_in || !ts_params_check (&params, callee.name, &error)) {
    ts_diags_error (c->diags, expr->at, "%s",
                    error ? error->message : "a layer is declared without its input");
    note_usage (c, &callee);
    return NULL;
  }
  TsLayer *layer = ts_layer_new (callee.layer, name, &params);
  g_ptr_array_add (c->layers, layer);
  return layer;
}

static TsMeaning
check_name (TsChecker *c, const TsExpr *e)
{
  const TsSymbol *symbol = g_hash_table_lookup (c->symbols, e->text);

  if (symbol && symbol->kind == TS_SYMBOL_LAYER) {
    ts_diags_error (c->diags, e->at, "'%s' is a layer; write x -> %s", e->text, e->text);
    return bad;
  }
  if (symbol)
    return symbol->value;
  return (TsMeaning){.kind = TS_MEANING_TEXT, .text = e->text}; /* a word: relu, same, true */
}

static TsMeaning
check_pipe (TsChecker *c, const TsExpr *e)
{
  TsMeaning left = ts_check_expr (c, e->left);

  if (is_undefined (c, e->left, &left))
    left = bad;
  return check_call (c, e->right, &left);
}

static TsMeaning
number_meaning (double number)
{
  return (TsMeaning){.kind = TS_MEANING_NUMBER, .number = number};
}

static double
arithmetic (char op, double a, double b)
{
  switch (op) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  default:
    return a / b;
  }
}

static const char *
op_of (char sign)
{
  static const struct {
    char sign;
    const char *op;
  } table[] = {{'+', "add"}, {'-', "sub"}, {'*', "mul"}, {'/', "div"}, {'@', "matmul"}};

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].sign == sign)
      return table[i].op;
  g_return_val_if_reached (NULL);
}

/* A number beside the tensor @like takes its type; NULL with a report when that cannot be. */
static TsValue *
number_like (TsChecker *c, const TsExpr *e, double number, const TsValue *like)
{
  if (ts_dtype_is_float (like->dtype) || number == floor (number))
    return ts_graph_constant (c->model->graph, "number", like->dtype, &TS_SCALAR, number);
  g_autofree char *text = ts_number_dup_text (number);
  ts_diags_error (c->diags, e->at, "'%c' cannot be applied to %s and a tensor of %s", e->op, text,
                  ts_dtype_name (like->dtype));
  return NULL;
}

/* One operand is a tensor, the other a number: a factor, or a constant that is the same everywhere. */
static TsMeaning
check_mixed (TsChecker *c, const TsExpr *e, const TsMeaning *a, const TsMeaning *b)
{
  gboolean first = a->kind == TS_MEANING_TENSOR;
  TsValue *t = first ? a->tensor : b->tensor, *n, *in[2];
  double number = first ? b->number : a->number;
  GError *error = NULL;
  TsNode *node;
  TsParams p;

  if (ts_dtype_is_float (t->dtype) && (e->op == '*' || (e->op == '/' && first))) {
    ts_params_init (&p, ts_op_lookup ("scale")->params);
    ts_params_set_number (&p, "factor", e->op == '/' ? 1 / number : number, NULL);
    node = ts_graph_add (c->model->graph, "scale", NULL, &t, 1, &p, &error);
    return finish (c, e->at, NULL, node ? node->out[0] : NULL, error);
  }
  if (!(n = number_like (c, e, number, t)))
    return bad;
  in[0] = first ? t : n;
  in[1] = first ? n : t;
  node = ts_graph_add (c->model->graph, op_of (e->op), NULL, in, 2, NULL, &error);
  return finish (c, e->at, NULL, node ? node->out[0] : NULL, error);
}

static TsMeaning
check_binary (TsChecker *c, const TsExpr *e)
{
  TsMeaning a = ts_check_expr (c, e->left), b = ts_check_expr (c, e->right);
  gboolean undefined = is_undefined (c, e->left, &a) | is_undefined (c, e->right, &b);
  gboolean numbers = a.kind == TS_MEANING_NUMBER && b.kind == TS_MEANING_NUMBER;
  gboolean tensors = a.kind == TS_MEANING_TENSOR && b.kind == TS_MEANING_TENSOR;
  GError *error = NULL;

  if (undefined || a.kind == TS_MEANING_BAD || b.kind == TS_MEANING_BAD)
    return bad;
  set_place (c, e->at);
  if (numbers && e->op != '@')
    return number_meaning (arithmetic (e->op, a.number, b.number));
  if (tensors) {
    TsValue *in[] = {a.tensor, b.tensor};
    TsNode *node = ts_graph_add (c->model->graph, op_of (e->op), NULL, in, 2, NULL, &error);
    return finish (c, e->at, NULL, node ? node->out[0] : NULL, error);
  }
  if (e->op != '@' && !numbers && a.kind <= TS_MEANING_NUMBER && b.kind <= TS_MEANING_NUMBER)
    return check_mixed (c, e, &a, &b);
  ts_diags_error (c->diags, e->at, "'%c' cannot be applied to these two", e->op);
  return bad;
}

static TsMeaning
check_negate (TsChecker *c, const TsExpr *e)
{
  TsMeaning m = ts_check_expr (c, e->left);
  GError *error = NULL;

  if (m.kind == TS_MEANING_NUMBER)
    return number_meaning (-m.number);
  if (m.kind == TS_MEANING_TENSOR) {
    set_place (c, e->at);
    TsNode *node = ts_graph_add (c->model->graph, "neg", NULL, &m.tensor, 1, NULL, &error);
    return finish (c, e->at, NULL, node ? node->out[0] : NULL, error);
  }
  if (m.kind != TS_MEANING_BAD && !is_undefined (c, e->left, &m))
    ts_diags_error (c->diags, e->at, "'-' needs a number or a tensor on its right");
  return bad;
}

static TsMeaning
check_list (TsChecker *c, const TsExpr *e)
{
  TsMeaning list = {.kind = TS_MEANING_LIST};

  for (guint i = 0; i < e->n_args; i++) {
    TsMeaning m = ts_check_expr (c, e->args[i].value);
    if (m.kind == TS_MEANING_BAD)
      return bad;
    if (m.kind != TS_MEANING_NUMBER || m.number != floor (m.number) ||
        fabs (m.number) > LIST_NUMBER_MAX) {
      ts_diags_error (c->diags, e->args[i].value->at,
                      "a list holds whole numbers from -%.0f to %.0f", LIST_NUMBER_MAX,
                      LIST_NUMBER_MAX);
      return bad;
    }
    if (list.n_list == TS_PARAM_LIST_MAX) {
      ts_diags_error (c->diags, e->at, "a list holds at most %d numbers", TS_PARAM_LIST_MAX);
      return bad;
    }
    list.list[list.n_list++] = (gint64) m.number;
  }
  return list;
}

TsMeaning
ts_check_expr (TsChecker *c, const TsExpr *e)
{
  switch (e->kind) {
  case TS_EXPR_NUMBER:
    return number_meaning (e->number);
  case TS_EXPR_STRING:
    return (TsMeaning){.kind = TS_MEANING_TEXT, .text = e->text, .quoted = TRUE};
  case TS_EXPR_NAME:
    return check_name (c, e);
  case TS_EXPR_CALL:
    return check_call (c, e, NULL);
  case TS_EXPR_LIST:
    return check_list (c, e);
  case TS_EXPR_NEGATE:
    return check_negate (c, e);
  case TS_EXPR_BINARY:
    return check_binary (c, e);
  case TS_EXPR_PIPE:
    return check_pipe (c, e);
  }
  return bad;
}
