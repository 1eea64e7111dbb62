/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The layered layout of a nested graph: one small Sugiyama per open scope, ordered from the outside
 * in, sized from the inside out.  Data flow downwards.  Knows sizes and connections only; no text,
 * no drawing.  Pure: the same input gives the same bytes, on any thread.
 *
 * Sources: Sugiyama, Tagawa, Toda 1981 (the method); Gansner, Koutsofios, North, Vo 1993 (network
 * simplex for the layers); pool adjacent violators for the x coordinates. */

typedef struct {
  float w, h; /* px */
  int scope;  /* the scope it lies in; 0 is the root */
} TsDiagramNode;

typedef struct {
  int from, to;     /* nodes */
  gboolean control; /* an order without data: drawn and weighed less */
} TsDiagramEdge;

typedef struct {
  int parent;    /* less than the own index; scope 0 is the root and its own parent */
  gboolean open; /* its contents are shown; the root always */
  float w, h;    /* px, when closed */
} TsDiagramScope;

/* Top left corner and size, px. */
typedef struct {
  float x, y, w, h;
  gboolean visible; /* FALSE: inside a closed scope */
} TsDiagramBox;

typedef struct {
  float x, y;
} TsDiagramPoint;

/* A connection of two items of one level.  Points have rising y; between two of equal x the line is
 * straight, else a cubic whose controls lie at the middle y (vertical tangents). */
typedef struct {
  int level;         /* the scope in which it lies */
  gboolean control;  /* all its edges are control edges */
  gboolean reversed; /* the data flow upwards along it */
  gboolean arrow;    /* it ends at a node or a closed scope (not at the border of an open one) */
  guint first_point, n_points; /* in points */
  guint first_edge, n_edges;   /* in bundled: the edges that run along it */
} TsDiagramRoute;

typedef struct {
  TsDiagramBox *nodes;  /* by node */
  TsDiagramBox *scopes; /* by scope; the root's is the whole drawing */
  GArray *routes;       /* of TsDiagramRoute */
  GArray *points;       /* of TsDiagramPoint */
  GArray *bundled;      /* of int: edge indices */
  float width, height;
} TsDiagram;

/* Errors are the caller's: indices must be in range. */
TsDiagram *ts_diagram_new (const TsDiagramNode *nodes, guint n_nodes, const TsDiagramEdge *edges,
                           guint n_edges, const TsDiagramScope *scopes, guint n_scopes);
void ts_diagram_free (TsDiagram *diagram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsDiagram, ts_diagram_free)

/* Room inside an open scope: above its contents (for its title), and around them. */
#define TS_DIAGRAM_HEADER  26.0f
#define TS_DIAGRAM_PADDING 14.0f

G_END_DECLS
