/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/variables.h"

G_BEGIN_DECLS

typedef struct {
  const char *prefix; /* in the graph's names */
  TsReuse reuse;
} TsVariableScope;

struct TsGraph {
  gint refs;
  GStringChunk *names;          /* of nodes and scopes */
  GPtrArray *nodes, *values;    /* values are borrowed from their nodes */
  GHashTable *by_name;          /* name -> TsNode, or a scope -> itself */
  GHashTable *counts;           /* stem -> how many names it gave */
  GPtrArray *updates;           /* nodes that every training step runs */
  GHashTable *derived;          /* "OP VALUE-ID" -> TsValue */
  GPtrArray *scopes;            /* full scopes, "" at the bottom */
  GArray *variable_scopes;      /* of TsVariableScope */
  GHashTable *shared_variables; /* name -> TsValue */
  GPtrArray *controls;          /* what nodes made now run after */
  GArray *control_marks;        /* of guint: length of controls before each push */
  gboolean plain;               /* nodes are made as they are asked for */
  gboolean absolute;            /* the next name is a full one */
  int line, column;
};

static inline const TsVariableScope *
ts_graph_variable_scope (const TsGraph *g)
{
  guint n = g->variable_scopes->len;

  return n ? &g_array_index (g->variable_scopes, TsVariableScope, n - 1) : NULL;
}

G_END_DECLS
