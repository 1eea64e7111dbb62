/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/model/checker-private.h"
#include "engine/model/suggest.h"

/* Elements of one row, and numbers in all variables together, that a model may have. */
#define ROW_ELEMS_MAX  ((gint64) 1 << 31)
#define PARAMETERS_MAX ((guint64) 1 << 32)

static void
declare (TsChecker *c, const TsName *name, TsSymbolKind kind, TsMeaning value, TsLayer *layer)
{
  TsSymbol *old = g_hash_table_lookup (c->symbols, name->text);
  TsSymbol *symbol;

  if (old && !(old->kind == TS_SYMBOL_TENSOR && kind == TS_SYMBOL_TENSOR)) {
    ts_diags_error (c->diags, name->span, "'%s' is already defined", name->text);
    ts_diags_note_at (c->diags, old->span, "'%s' was defined here", name->text);
    return;
  }
  symbol = g_new0 (TsSymbol, 1);
  *symbol = (TsSymbol){kind, value, layer, name->span};
  g_hash_table_insert (c->symbols, g_strdup (name->text), symbol);
}

static void
add_value (TsModelValue **array, guint *n, const TsName *name, TsValue *value)
{
  *array = g_renew (TsModelValue, *array, *n + 1);
  (*array)[(*n)++] = (TsModelValue){g_intern_string (name->text), value, name->span};
}

static void
check_input (TsChecker *c, const TsStmt *s)
{
  TsShape shape = {.rank = 1, .dim = {TS_ANY}};
  gboolean integer = strcmp (s->type.text, "int") == 0, ok = TRUE;
  g_autoptr (GError) error = NULL;
  TsValue *value = NULL;
  gint64 elems = 1;

  if (!integer && strcmp (s->type.text, "float") != 0) {
    ts_diags_error (c->diags, s->type.span, "unknown type '%s'", s->type.text);
    ts_diags_note (c->diags, "an input is float or int");
    ok = FALSE;
  }
  for (guint i = 0; i < s->n_dims && ok; i++) {
    if (shape.rank == TS_SHAPE_MAX) {
      ts_diags_error (c->diags, s->dims[i].span, "an input has at most %d axes", TS_SHAPE_MAX - 1);
      ok = FALSE;
    } else if (s->dims[i].size < 1 || s->dims[i].size > ROW_ELEMS_MAX / elems) {
      ts_diags_error (c->diags, s->dims[i].span,
                      s->dims[i].size < 1 ? "the size of an axis must be known and at least 1"
                                          : "this input is too large");
      ok = FALSE;
    } else {
      shape.dim[shape.rank++] = s->dims[i].size;
      elems *= s->dims[i].size;
    }
  }
  if (ok) {
    guint line, column;
    ts_source_locate (c->model->source, s->name.span.start, &line, &column);
    ts_graph_set_place (c->model->graph, (int) line, (int) column);
    value = ts_graph_placeholder (c->model->graph, s->name.text, integer ? TS_I32 : TS_F32, &shape,
                                  &error);
    if (!value)
      ts_check_report (c, s->name.span, error);
  }
  declare (c, &s->name, TS_SYMBOL_INPUT,
           (TsMeaning){.kind = value ? TS_MEANING_TENSOR : TS_MEANING_BAD, .tensor = value}, NULL);
  if (value)
    add_value (&c->model->inputs, &c->model->n_inputs, &s->name, value);
}

/* A tensor from an expression; NULL after an error. */
static TsValue *
tensor_of (TsChecker *c, const TsExpr *e)
{
  TsMeaning m = ts_check_expr (c, e);

  if (m.kind == TS_MEANING_TEXT && !m.quoted)
    ts_diags_error (c->diags, e->at, "'%s' is not defined", m.text);
  else if (m.kind > TS_MEANING_TENSOR)
    ts_diags_error (c->diags, e->at, "a tensor belongs here");
  return m.kind == TS_MEANING_TENSOR ? m.tensor : NULL;
}

/* Losses and metrics are one number: what is still per row is averaged over the batch. */
static TsValue *
averaged (TsChecker *c, const TsStmt *s, TsValue *value)
{
  g_autoptr (GError) error = NULL;

  if (value->shape.rank == 0)
    return value;
  TsNode *node =
      ts_graph_add (c->model->graph, "reduce_mean", s->name.text, &value, 1, NULL, &error);
  if (!node)
    ts_check_report (c, s->expr->at, error);
  return node ? node->out[0] : NULL;
}

static void
check_goal (TsChecker *c, const TsStmt *s)
{
  TsValue *value = tensor_of (c, s->expr), *scores = NULL;
  TsModel *m = c->model;

  if (value && s->kind == TS_STMT_LOSS && value->node->n_in == 2)
    scores = value->node->in[0];
  if (value && s->kind != TS_STMT_OUTPUT)
    value = averaged (c, s, value);
  declare (c, &s->name, TS_SYMBOL_GOAL,
           (TsMeaning){.kind = value ? TS_MEANING_TENSOR : TS_MEANING_BAD, .tensor = value}, NULL);
  if (!value)
    return;
  if (s->kind == TS_STMT_LOSS) {
    add_value (&m->losses, &m->n_losses, &s->name, value);
    if (scores && !m->n_outputs)
      add_value (&m->outputs, &m->n_outputs, &(TsName){scores->node->name, s->name.span}, scores);
  } else if (s->kind == TS_STMT_METRIC) {
    add_value (&m->metrics, &m->n_metrics, &s->name, value);
  } else {
    /* what the file says comes before what was guessed */
    m->n_outputs = m->n_outputs && strcmp (m->outputs[0].name, m->outputs[0].value->node->name) == 0
                       ? 0
                       : m->n_outputs;
    add_value (&m->outputs, &m->n_outputs, &s->name, value);
  }
}

/* ---- the train section */

/* "3", "-1e-3"; NULL when @e is no number. */
static char *
dup_number (const TsExpr *e)
{
  gboolean negative = e->kind == TS_EXPR_NEGATE;

  if (negative)
    e = e->left;
  return e->kind == TS_EXPR_NUMBER ? ts_number_dup_text (negative ? -e->number : e->number) : NULL;
}

/* "[1, 2.5]"; NULL when one of its entries is no number. */
static char *
dup_list (const TsExpr *e)
{
  g_autoptr (GString) s = g_string_new ("[");

  for (guint i = 0; i < e->n_args; i++) {
    g_autofree char *number = dup_number (e->args[i].value);
    if (!number)
      return NULL;
    g_string_append_printf (s, "%s%s", i ? ", " : "", number);
  }
  g_string_append_c (s, ']');
  return g_strdup (s->str);
}

static void
read_call_argument (TsChecker *c, TsModelCall *call, const TsArg *arg)
{
  const TsExpr *e = arg->value;
  g_autofree char *text = NULL;

  if (call->n == G_N_ELEMENTS (call->args)) {
    ts_diags_error (c->diags, arg->value->at, "too many arguments");
    return;
  }
  if (e->kind == TS_EXPR_NAME || e->kind == TS_EXPR_STRING)
    text = g_strdup (e->text);
  else
    text = e->kind == TS_EXPR_LIST ? dup_list (e) : dup_number (e);
  if (!text) {
    ts_diags_error (c->diags, arg->value->at,
                    "a number, a word, a text in quotes or a list of numbers belongs here");
    return;
  }
  guint i = call->n++;
  call->args[i].key = arg->name.text ? g_intern_string (arg->name.text) : NULL;
  call->args[i].text = g_intern_string (text);
  call->args[i].quoted = e->kind == TS_EXPR_STRING;
  call->args[i].span = arg->value->at;
  call->args[i].key_span = arg->name.text ? arg->name.span : arg->value->at;
}

static void
read_call (TsChecker *c, const TsStmt *s, const char *example, TsModelCall *call)
{
  const TsExpr *e = s->n_values == 1 ? s->values[0] : NULL;

  if (!e || (e->kind != TS_EXPR_NAME && e->kind != TS_EXPR_CALL)) {
    ts_diags_error (c->diags, s->at, "%s needs one name, such as %s", s->name.text, example);
    return;
  }
  call->name = g_intern_string (e->text);
  call->span = e->at;
  for (guint i = 0; e->kind == TS_EXPR_CALL && i < e->n_args; i++)
    read_call_argument (c, call, &e->args[i]);
}

static void
read_count (TsChecker *c, const TsStmt *s, gint64 low, gint64 high, gint64 *value)
{
  const TsExpr *e = s->n_values == 1 ? s->values[0] : NULL;

  if (e && e->kind == TS_EXPR_NUMBER && e->is_whole && e->number >= (double) low &&
      e->number <= (double) high) {
    *value = (gint64) e->number;
    return;
  }
  ts_diags_error (c->diags, e ? e->at : s->at,
                  "%s needs a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                  s->name.text, low, high);
}

/* 0 … 1, without the 1. */
static void
read_share (TsChecker *c, const TsStmt *s, double *value)
{
  const TsExpr *e = s->n_values == 1 ? s->values[0] : NULL;

  if (e && e->kind == TS_EXPR_NUMBER && e->number < 1)
    *value = e->number;
  else
    ts_diags_error (c->diags, e ? e->at : s->at, "%s needs a number from 0 to below 1",
                    s->name.text);
}

static void
read_truth (TsChecker *c, const TsStmt *s, gboolean *value)
{
  const TsExpr *e = s->n_values == 1 ? s->values[0] : NULL;
  const char *word = e && e->kind == TS_EXPR_NAME ? e->text : "";

  if (strcmp (word, "true") == 0 || strcmp (word, "false") == 0)
    *value = word[0] == 't';
  else
    ts_diags_error (c->diags, e ? e->at : s->at, "%s needs true or false", s->name.text);
}

static gboolean
check_call_setting (TsChecker *c, const TsStmt *s)
{
  TsModel *m = c->model;
  const struct {
    const char *name, *example;
    TsModelCall *call;
  } calls[] = {
      {"data", "data iris", &m->data},
      {"optimizer", "optimizer adam(lr=1e-3)", &m->optimizer},
      {"schedule", "schedule cosine(steps=1000)", &m->schedule},
      {"clip", "clip global_norm(1)", &m->clip},
      {"stop", "stop early(val.loss)", &m->stop},
      {"reduce", "reduce on_plateau(val.loss)", &m->reduce},
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (strcmp (s->name.text, calls[i].name) == 0) {
      read_call (c, s, calls[i].example, calls[i].call);
      return TRUE;
    }
  return FALSE;
}

static void
check_setting (TsChecker *c, const TsStmt *s)
{
  static const char *const known[] = {"data",
                                      "optimizer",
                                      "batch",
                                      "epochs",
                                      "steps",
                                      "seed",
                                      "schedule",
                                      "clip",
                                      "stop",
                                      "accumulate",
                                      "ema",
                                      "reduce",
                                      "terminate_on_nan",
                                      NULL};
  TsModel *m = c->model;
  const char *name = s->name.text;

  if (check_call_setting (c, s))
    return;
  if (strcmp (name, "batch") == 0) {
    read_count (c, s, 1, 1 << 20, &m->batch);
  } else if (strcmp (name, "epochs") == 0) {
    read_count (c, s, 1, G_MAXINT32, &m->epochs);
  } else if (strcmp (name, "steps") == 0) {
    read_count (c, s, 1, (gint64) 1 << 52, &m->steps);
  } else if (strcmp (name, "seed") == 0) {
    read_count (c, s, 0, (gint64) 1 << 52, &m->seed);
  } else if (strcmp (name, "accumulate") == 0) {
    m->accumulate_span = s->at;
    read_count (c, s, 1, 1 << 20, &m->accumulate);
  } else if (strcmp (name, "ema") == 0) {
    read_share (c, s, &m->ema);
  } else if (strcmp (name, "terminate_on_nan") == 0) {
    read_truth (c, s, &m->terminate_on_nan);
  } else {
    ts_diags_error (c->diags, s->name.span, "unknown setting '%s'", name);
    const char *near = ts_suggest (name, known);
    g_autofree char *all = g_strjoinv (", ", (char **) known);
    if (near)
      ts_diags_note (c->diags, "did you mean '%s'?", near);
    else
      ts_diags_note (c->diags, "known: %s", all);
  }
}

static void
check_train (TsChecker *c, const TsStmt *s)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < s->n_body; i++) {
    const TsStmt *entry = s->body[i], *first = g_hash_table_lookup (seen, entry->name.text);
    if (first) {
      ts_diags_error (c->diags, entry->name.span, "'%s' is set twice", entry->name.text);
      ts_diags_note_at (c->diags, first->name.span, "it was set here");
      continue;
    }
    g_hash_table_insert (seen, (gpointer) entry->name.text, (gpointer) entry);
    check_setting (c, entry);
  }
}

/* ---- statements */

static void
check_stmt (TsChecker *c, const TsStmt *s, const TsStmt **model_stmt, const TsStmt **train_stmt)
{
  const TsStmt **once = NULL;
  TsMeaning m;

  switch (s->kind) {
  case TS_STMT_MODEL:
    once = model_stmt;
    if (!*once) {
      c->model->name = g_intern_string (s->name.text);
      c->model->title = s->title.text ? g_intern_string (s->title.text) : NULL;
    }
    break;
  case TS_STMT_INPUT:
    check_input (c, s);
    break;
  case TS_STMT_LAYER:
    declare (c, &s->name, TS_SYMBOL_LAYER, (TsMeaning){0},
             ts_check_layer (c, s->name.text, s->expr));
    break;
  case TS_STMT_LOSS:
  case TS_STMT_METRIC:
  case TS_STMT_OUTPUT:
    check_goal (c, s);
    break;
  case TS_STMT_ASSIGN:
    m = ts_check_expr (c, s->expr);
    if (m.kind == TS_MEANING_TEXT && !m.quoted) {
      ts_diags_error (c->diags, s->expr->at, "'%s' is not defined", m.text);
      m.kind = TS_MEANING_BAD;
    }
    declare (c, &s->name, TS_SYMBOL_TENSOR, m, NULL);
    break;
  case TS_STMT_SECTION:
    if (strcmp (s->name.text, "train") == 0) {
      once = train_stmt;
      if (*once)
        break;
      c->model->train_span = s->name.span;
      check_train (c, s);
      break;
    }
    ts_diags_error (c->diags, s->at, "a model cannot have a '%s' section in this version",
                    s->name.text);
    break;
  case TS_STMT_BLOCK:
  case TS_STMT_REPEAT:
  case TS_STMT_PRETRAIN:
  case TS_STMT_RETURN:
    ts_diags_error (c->diags, s->at, "'%s' cannot be used in this version",
                    ts_stmt_keyword (s->kind));
    break;
  case TS_STMT_ENTRY:
    break; /* stands in sections only */
  }
  if (once && *once) {
    ts_diags_error (c->diags, s->at, "a second '%s'", once == model_stmt ? "model" : "train");
    ts_diags_note_at (c->diags, (*once)->at, "the first one is here");
  } else if (once) {
    *once = s;
  }
}

static void
count_parameters (TsChecker *c)
{
  TsGraph *graph = c->model->graph;

  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++) {
    const TsNode *node = ts_graph_get_node (graph, i);
    if (!ts_node_is_trainable (node))
      continue;
    c->model->n_parameters += (guint64) ts_shape_elems (&node->out[0]->shape);
    if (c->model->n_parameters > PARAMETERS_MAX) {
      ts_diags_error (c->diags, (TsSpan){0, 1},
                      "the model has more than %" G_GUINT64_FORMAT " parameters", PARAMETERS_MAX);
      return;
    }
  }
}

void
ts_check_file (TsChecker *c, const TsAst *ast)
{
  const TsStmt *model_stmt = NULL, *train_stmt = NULL;

  for (guint i = 0; i < ast->n_body && !ts_diags_is_full (c->diags); i++)
    check_stmt (c, ast->body[i], &model_stmt, &train_stmt);
  ts_graph_set_place (c->model->graph, 0, 0);
  count_parameters (c);
}
