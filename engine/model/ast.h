/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/source.h"

G_BEGIN_DECLS

/* The tree of a model file as it was written, before any meaning: plain structs, all owned by their
 * TsAst and freed with it.  Every name, call, argument and operator carries its span.  Made by the
 * parser (parser.h), written back by the printer (printer.h).  A tree is changed by one thread at a
 * time, and read by any number while nobody changes it. */

/* Limits, so that a stranger's file can be opened without care. */
#define TS_AST_MAX_NODES 100000
#define TS_AST_MAX_DEPTH 64 /* brackets and bodies inside each other */
#define TS_AST_MAX_HEIGHT                                                                          \
  1000 /* stages of one chain, terms of one sum: what a walk may recurse                           \
        */

typedef struct {
  const char *text;
  gboolean blank_before; /* an empty line stands before it */
  gboolean own_line;     /* it does not share its line with code */
} TsComment;

typedef struct {
  TsComment *items;
  guint n;
} TsComments;

typedef struct {
  const char *text;
  TsSpan span;
} TsName;

/* --- expressions --- */

typedef enum {
  TS_EXPR_NUMBER,
  TS_EXPR_STRING,
  TS_EXPR_NAME,
  TS_EXPR_CALL,   /* name(args) */
  TS_EXPR_LIST,   /* [args] */
  TS_EXPR_NEGATE, /* -left */
  TS_EXPR_BINARY, /* left op right, op one of + - * / @ */
  TS_EXPR_PIPE,   /* left -> right; right is NAME or CALL */
} TsExprKind;

typedef struct TsExpr TsExpr;

typedef struct {
  TsName name; /* text is NULL for an argument by position */
  TsExpr *value;
} TsArg;

struct TsExpr {
  TsExprKind kind;
  TsSpan span;  /* all of it; brackets around it are left out */
  TsSpan at;    /* where to point: the name of a call, the operator, else as span */
  guint height; /* 1 for a leaf */
  guint node;   /* a number from 0, its own within the file: an index for side tables */

  /* NAME, CALL: the name.  STRING: the text without quotes.  NUMBER: as it was written, or NULL. */
  const char *text;
  double number;     /* finite, not negative */
  gboolean is_whole; /* NUMBER: written without point and exponent, at most 2^53 */
  char op;           /* BINARY */
  TsArg *args;       /* CALL, LIST (whose names are NULL) */
  guint n_args;
  TsExpr *left, *right;

  gboolean breaks;     /* PIPE: a new line starts at the arrow */
  TsComments comments; /* behind it, before the next arrow of the chain it is a stage of */
};

/* --- statements --- */

typedef enum {
  TS_STMT_MODEL,    /* model name "title" */
  TS_STMT_INPUT,    /* input name type[dims] */
  TS_STMT_LAYER,    /* layer name = expr */
  TS_STMT_LOSS,     /* loss name = expr */
  TS_STMT_METRIC,   /* metric name = expr */
  TS_STMT_OUTPUT,   /* output name = expr */
  TS_STMT_ASSIGN,   /* name = expr */
  TS_STMT_BLOCK,    /* block name(params) { body }; the body ends with RETURN */
  TS_STMT_RETURN,   /* return expr */
  TS_STMT_REPEAT,   /* repeat expr { body } */
  TS_STMT_PRETRAIN, /* pretrain name from expr as how */
  TS_STMT_SECTION,  /* data, train, search or export { body of ENTRY }; name is the word */
  TS_STMT_ENTRY,    /* name value value … */
} TsStmtKind;

typedef struct {
  gint64 size; /* -1 for ? */
  TsSpan span;
} TsDim;

typedef struct {
  TsName name;
  TsExpr *value; /* the default, or NULL */
} TsBlockParam;

typedef struct TsStmt TsStmt;
struct TsStmt {
  TsStmtKind kind;
  TsSpan span; /* from the first token to the last */
  TsSpan at;   /* the word that starts it */

  TsName name;  /* what it declares, sets or is called; not for RETURN, REPEAT */
  TsName title; /* MODEL; text may be NULL */
  TsName type;  /* INPUT */
  TsDim *dims;  /* INPUT */
  guint n_dims;
  TsBlockParam *params; /* BLOCK */
  guint n_params;
  TsExpr *expr;    /* the right side; REPEAT: the count; PRETRAIN: what comes in */
  TsExpr *how;     /* PRETRAIN: a call */
  TsExpr **values; /* ENTRY */
  guint n_values;
  TsStmt **body; /* BLOCK, REPEAT, SECTION */
  guint n_body;

  gboolean blank_before; /* an empty line stands before it, or before its comments */
  gboolean gap;          /* an empty line stands between its comments and it */
  TsComments before;     /* on the lines above */
  TsComments opening;    /* behind the { */
  TsComments closing;    /* before the }, below the last statement */
  TsComments after;      /* on its last line */
};

/* --- the file --- */

typedef struct {
  TsSource *source;   /* owned */
  GPtrArray *memory;  /* private: everything below */
  GStringChunk *text; /* private: every text */
  guint n_nodes;      /* expressions and statements made so far */
  TsStmt **body;
  guint n_body;
  TsComments closing; /* below the last statement */
} TsAst;

/* Keeps a reference to @source.  An empty file. */
TsAst *ts_ast_new (TsSource *source);
void ts_ast_free (TsAst *ast);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsAst, ts_ast_free)

/* Zeroed memory that lives as long as @ast. */
gpointer ts_ast_alloc (TsAst *ast, gsize size);

/* Copies the contents of an array the same way and empties it; NULL when it is empty. */
gpointer ts_ast_take_array (TsAst *ast, GArray *array, guint *n);

/* Keeps a copy of @length bytes (-1: up to the NUL). */
const char *ts_ast_keep (TsAst *ast, const char *text, gssize length);

TsExpr *ts_ast_new_expr (TsAst *ast, TsExprKind kind, TsSpan span);
TsStmt *ts_ast_new_stmt (TsAst *ast, TsStmtKind kind, TsSpan span);

/* "model", "input", …; NULL for ASSIGN and ENTRY; a SECTION's word is its name. */
const char *ts_stmt_keyword (TsStmtKind kind);

/* The words that begin a statement, NULL-ended. */
extern const char *const ts_ast_keywords[];

/* Same statements, expressions and comments; spans, line breaks and spelling of numbers aside. */
gboolean ts_ast_equal (const TsAst *a, const TsAst *b);
gboolean ts_expr_equal (const TsExpr *a, const TsExpr *b);

G_END_DECLS
