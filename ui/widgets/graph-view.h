/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/graph-model.h"

G_BEGIN_DECLS

/* A graph as a layered diagram: scopes are boxes that open in place, connections are as wide as what
 * flows through them, with shapes beside them.  Drag pans, the wheel zooms at the pointer, a click
 * selects, a double click (or Return) opens and closes a scope.
 *
 * Signal "selected": another node or scope is selected, or none. */
#define TS_TYPE_GRAPH_VIEW (ts_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (TsGraphView, ts_graph_view, TS, GRAPH_VIEW, GtkWidget)

GtkWidget *ts_graph_view_new (void);

/* Takes @model (may be NULL).  What was open stays open where the names are the same. */
void ts_graph_view_take_model (TsGraphView *view, TsGraphModel *model);
const TsGraphModel *ts_graph_view_get_model (TsGraphView *view);

/* The whole drawing in sight, never larger than life. */
void ts_graph_view_fit (TsGraphView *view);
/* @factor: 1.25 is nearer; around the middle. */
void ts_graph_view_zoom (TsGraphView *view, double factor);
void ts_graph_view_open_all (TsGraphView *view, gboolean open);
void ts_graph_view_toggle_scope (TsGraphView *view, int scope);

/* -1: none. */
int ts_graph_view_get_selected_node (TsGraphView *view);
int ts_graph_view_get_selected_scope (TsGraphView *view);
void ts_graph_view_select (TsGraphView *view, int node, int scope);

/* What is at a place of the widget: at most one of the two, -1 the other. */
void ts_graph_view_pick (TsGraphView *view, double x, double y, int *node, int *scope);

/* Where a node is drawn, in px of the widget; FALSE when it is inside a closed scope. */
gboolean ts_graph_view_get_node_area (TsGraphView *view, int node, graphene_rect_t *area);

G_END_DECLS
