/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* Variables shared by name, as TensorFlow 1 has them.  Whoever can should use a layer object twice
 * instead (engine/nn/layer.h): then the sharing is in the program and not in a string. */

typedef enum {
  TS_REUSE_NO,   /* asking for a variable twice is an error */
  TS_REUSE_YES,  /* asking for one that does not exist is an error */
  TS_REUSE_AUTO, /* made at first, shared afterwards */
} TsReuse;

/* Variables asked for from now on are called "NAME/…", below the scope that is open; the name is taken as
 * it is, so opening it again finds them.  Nodes get a scope of the same name, made unique.  Reuse that
 * was switched on outside holds inside. */
void ts_graph_push_variable_scope (TsGraph *graph, const char *name, TsReuse reuse);
void ts_graph_pop_variable_scope (TsGraph *graph);

/* The variable @name of the open scope, made or shared as the scope's reuse says.  Errors: NAME (exists
 * already, does not exist), SHAPE and DTYPE (shared, but of another shape or type), PARAM. */
TsValue *ts_graph_get_variable (TsGraph *graph, const char *name, TsDtype dtype,
                                const TsShape *shape, const char *init, double scale,
                                gboolean trainable, GError **error);

/* @value itself, and at every run that needs the result a line "MESSAGE[v0 v1 v2...]" to the session's
 * printer: @first_n times (-1: always), @summarize elements (-1: as many as fit).  The gradient passes
 * unchanged.  A line comes only when a fetch depends on the returned value. */
TsValue *ts_graph_print (TsGraph *graph, TsValue *value, const char *message, gint64 first_n,
                         gint64 summarize, GError **error);

G_END_DECLS
