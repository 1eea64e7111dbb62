/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/ast.h"
#include "engine/model/model.h"
#include "engine/nn/layer.h"

G_BEGIN_DECLS

/* Gives a tree its meaning: names are looked up, shapes inferred by building the real graph.  A value
 * that could not be made is unknown (BAD): whatever depends on it stays silent, so one slip gives one
 * error. */

typedef enum {
  TS_MEANING_BAD,
  TS_MEANING_TENSOR,
  TS_MEANING_NUMBER,
  TS_MEANING_TEXT,
  TS_MEANING_LIST
} TsMeaningKind;

typedef struct {
  TsMeaningKind kind;
  TsValue *tensor;
  double number;
  const char *text; /* a word or a string, of the tree */
  gboolean quoted;
  gint64 list[TS_PARAM_LIST_MAX];
  guint n_list;
} TsMeaning;

typedef enum { TS_SYMBOL_TENSOR, TS_SYMBOL_INPUT, TS_SYMBOL_LAYER, TS_SYMBOL_GOAL } TsSymbolKind;

typedef struct {
  TsSymbolKind kind;
  TsMeaning value; /* not for layers */
  TsLayer *layer;  /* NULL: its declaration was wrong */
  TsSpan span;
} TsSymbol;

typedef struct {
  TsModel *model;
  TsDiags *diags;
  GHashTable *symbols; /* name -> TsSymbol */
  GPtrArray *layers;   /* owned */
} TsChecker;

/* checker-expr.c */
TsMeaning ts_check_expr (TsChecker *checker, const TsExpr *expr);
/* The layer that `layer NAME = call` declares; NULL after an error. */
TsLayer *ts_check_layer (TsChecker *checker, const char *name, const TsExpr *expr);
/* Reports @error at @span; its lines after the first become notes. */
void ts_check_report (TsChecker *checker, TsSpan span, const GError *error);

/* checker.c */
void ts_check_file (TsChecker *checker, const TsAst *ast);

G_END_DECLS
