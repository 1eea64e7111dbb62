/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/diagram/diagram.h"
#include "ui/widgets/graph-view.h"

G_BEGIN_DECLS

struct _TsGraphView {
  GtkWidget parent;
  TsGraphModel *model;
  TsDiagram *diagram;
  gboolean *open;                                 /* by scope */
  GHashTable *opened;                             /* names of open scopes, kept over models */
  PangoLayout **labels, **shapes, **scope_labels; /* by node, node, scope */
  double zoom, left, top; /* px of the widget = (diagram + left, top) · zoom */
  gboolean fitted;        /* stays fitted when the size changes */
  int node, scope;        /* selected */
  double drag_left, drag_top;
  double pointer_x, pointer_y;
};

/* --- graph-view-draw.c --- */

/* One line, ellipsized in the middle once it has a width (new). */
PangoLayout *ts_graph_view_make_text (GtkWidget *widget, const char *text, int px, gboolean bold);
int ts_graph_view_text_width (PangoLayout *layout);
void ts_graph_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

G_END_DECLS
