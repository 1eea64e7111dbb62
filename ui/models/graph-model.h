/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A run's computation graph as people read it, from the JSON that the run keeps
 * (engine/graph/graph-dump.h): variables are part of the op that uses them, scopes with one op are
 * that op, and by default only what lies on the way from the inputs to the losses is there.
 * Immutable; any thread. */

typedef enum { TS_GRAPH_INPUT, TS_GRAPH_OP, TS_GRAPH_STATE } TsGraphKind;

typedef struct {
  char *name;  /* full: "dense/relu" */
  char *label; /* short: "relu" */
  char *op;
  char *shape;   /* of the first output: "28×28×32", "scalar" */
  char *details; /* lines "key: value": what the inspector shows below name and op */
  TsGraphKind kind;
  guint64 n_parameters; /* numbers in its variables */
  int scope;
  int line; /* in the model's text, from 1; 0: not from there */
} TsGraphNode;

typedef struct {
  int from, to;
  char *shape;  /* of the value that flows */
  double elems; /* of one row */
  gboolean control;
} TsGraphEdge;

typedef struct {
  char *name;    /* full */
  char *label;   /* its last part */
  int parent;    /* less than the own index; scope 0 is the root */
  guint n_nodes; /* inside, at any depth */
  guint64 n_parameters;
} TsGraphScope;

typedef struct {
  GArray *nodes, *edges, *scopes;
} TsGraphModel;

/* @all: the backward pass and the optimizer, too.  Errors: those of json-glib, and
 * G_FILE_ERROR_INVAL when @json is no such graph. */
TsGraphModel *ts_graph_model_new (const char *json, gboolean all, GError **error);
void ts_graph_model_free (TsGraphModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsGraphModel, ts_graph_model_free)

static inline const TsGraphNode *
ts_graph_model_node (const TsGraphModel *m, guint i)
{
  return &g_array_index (m->nodes, TsGraphNode, i);
}

static inline const TsGraphEdge *
ts_graph_model_edge (const TsGraphModel *m, guint i)
{
  return &g_array_index (m->edges, TsGraphEdge, i);
}

static inline const TsGraphScope *
ts_graph_model_scope (const TsGraphModel *m, guint i)
{
  return &g_array_index (m->scopes, TsGraphScope, i);
}

G_END_DECLS
