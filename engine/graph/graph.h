/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* The computation graph: nodes in the order they were made, which is a topological order.  Building
 * it infers shapes and types and runs no kernel.  Nodes and values belong to the graph and live as
 * long.  Not thread-safe while it is being built; a finished graph may be read from any thread. */
typedef struct TsGraph TsGraph;

TsGraph *ts_graph_new (void);
TsGraph *ts_graph_ref (TsGraph *graph);
void ts_graph_unref (TsGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsGraph, ts_graph_unref)

/* Applies @op (its name) to @in.  @name is made unique below the current scope: "dense", "dense_1";
 * NULL takes the op's.  @params NULL: all defaults.  Errors: NAME (no such op), PARAM, SHAPE, DTYPE;
 * the graph is then unchanged.  Max-pool of relu becomes relu of max-pool, which has the same bits: the
 * node that comes back is then the relu. */
TsNode *ts_graph_add (TsGraph *graph, const char *op, const char *name, TsValue *const *in,
                      guint n_in, const TsParams *params, GError **error);

/* FALSE: from now on every node is made as it is asked for (TRUE at first). */
void ts_graph_set_rewrites (TsGraph *graph, gboolean rewrites);

/* Names of nodes made from now on start with "SCOPE/"; the scope itself is made unique, too. */
void ts_graph_push_scope (TsGraph *graph, const char *scope);
void ts_graph_pop_scope (TsGraph *graph);
/* The scope that nodes would now get, without the last slash; "" at the top. */
const char *ts_graph_get_scope (TsGraph *graph);

/* @node runs after @before in every run that needs @node. */
void ts_graph_add_control (TsGraph *graph, TsNode *node, TsNode *before);

/* Nodes made from now on, sources apart, run after @before (n of them) too.  Nodes that exist already are
 * not affected, even when they are used inside: returning one orders nothing. */
void ts_graph_push_control (TsGraph *graph, TsNode *const *before, guint n);
void ts_graph_pop_control (TsGraph *graph);

/* @node changes variables and is run by every training step (never by an evaluation): moving averages.
 * ts_minimize makes its step wait for those that there are by then. */
void ts_graph_add_update (TsGraph *graph, TsNode *node);
guint ts_graph_get_n_updates (const TsGraph *graph);
TsNode *ts_graph_get_update (const TsGraph *graph, guint i);

/* Where in the model text the nodes made from now on come from (0, 0: nowhere). */
void ts_graph_set_place (TsGraph *graph, int line, int column);

/* Short forms.  A placeholder's first axis may be TS_ANY, the batch. */
TsValue *ts_graph_placeholder (TsGraph *graph, const char *name, TsDtype dtype,
                               const TsShape *shape, GError **error);
/* @init: a word of engine/ops/initializer.h with its @scale. */
TsValue *ts_graph_variable (TsGraph *graph, const char *name, TsDtype dtype, const TsShape *shape,
                            const char *init, double scale, gboolean trainable, GError **error);
TsValue *ts_graph_constant (TsGraph *graph, const char *name, TsDtype dtype, const TsShape *shape,
                            double value);
/* The same with elements of its own: @data (copied) holds as many as @shape says. */
TsValue *ts_graph_constant_data (TsGraph *graph, const char *name, TsDtype dtype,
                                 const TsShape *shape, const void *data);

/* A copy of @value by the one-input @op (made once per value and op).  Of a variable it is state:
 * every plan that changes the variable makes it anew. */
TsValue *ts_graph_derive (TsGraph *graph, const char *op, TsValue *value);

guint ts_graph_get_n_nodes (const TsGraph *graph);
TsNode *ts_graph_get_node (const TsGraph *graph, guint id);
guint ts_graph_get_n_values (const TsGraph *graph);
TsValue *ts_graph_get_value (const TsGraph *graph, guint id);
TsNode *ts_graph_lookup (const TsGraph *graph, const char *name);

/* Is @node a variable, a constant, a state copy? */
gboolean ts_node_is_variable (const TsNode *node);
gboolean ts_node_is_constant (const TsNode *node);
gboolean ts_node_is_derived (const TsNode *node);
gboolean ts_node_is_trainable (const TsNode *node);
gboolean ts_node_is_slot (const TsNode *node);

G_END_DECLS
