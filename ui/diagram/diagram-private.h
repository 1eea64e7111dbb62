/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/diagram/diagram.h"

G_BEGIN_DECLS

#define GAP_ITEM  22.0 /* between items of a layer, px */
#define GAP_DUMMY 10.0 /* when one of them is a passing line */
#define GAP_LAYER 30.0

typedef enum { ITEM_NODE, ITEM_SCOPE, ITEM_TOP_PORT, ITEM_BOTTOM_PORT } TsItemKind;

typedef struct {
  TsItemKind kind;
  int id; /* node or scope; of a port: the parent's edge it belongs to */
  double w, h;
  double place; /* ports: where its edge stands in the parent's layer */
} TsItem;

/* One connection of a level: all leaf edges between the same two items. */
typedef struct {
  int a, b; /* items in the direction of the data */
  gboolean control, reversed;
  int up, lo;           /* the same two from above to below */
  GArray *edges;        /* of int: leaf edges */
  GArray *chain;        /* of int: vertices it passes between up and lo */
  int port_up, port_lo; /* items of the child levels when an end is an open scope, else -1 */
  gboolean spine;       /* wants to be straight */
} TsLevelEdge;

typedef struct {
  int upper, lower; /* vertices */
  double weight;
  int edge;
} TsSegment;

/* Vertices are the items, then the dummies of long edges. */
typedef struct {
  int scope;
  GArray *items; /* of TsItem */
  GArray *edges; /* of TsLevelEdge */
  int n_vertices, n_layers;
  GArray *layer;   /* of int, by vertex */
  GPtrArray *rows; /* by layer: GArray of int, vertices from left to right */
  GArray *segments;
  int *pos; /* by vertex: place in its row */
  int *up_first, *up_list, *down_first,
      *down_list;        /* segments of a vertex: first[v] … first[v + 1] */
  double *x;             /* by vertex: its middle */
  double *row_y, *row_h; /* middle and height of each layer */
  double width, height;
  double left, top; /* of the level's content in the whole drawing */
} TsLevel;

static inline TsItem *
ts_level_item (const TsLevel *level, int i)
{
  return &g_array_index (level->items, TsItem, i);
}

static inline TsLevelEdge *
ts_level_edge (const TsLevel *level, guint i)
{
  return &g_array_index (level->edges, TsLevelEdge, i);
}

static inline int
ts_level_layer (const TsLevel *level, int vertex)
{
  return g_array_index (level->layer, int, vertex);
}

static inline TsSegment *
ts_level_segment (const TsLevel *level, int i)
{
  return &g_array_index (level->segments, TsSegment, i);
}

static inline gboolean
ts_item_is_port (const TsItem *item)
{
  return item->kind == ITEM_TOP_PORT || item->kind == ITEM_BOTTOM_PORT;
}

/* cycles.c: turns edges around until the level has no cycle; sets up and lo. */
void ts_level_break_cycles (TsLevel *level);
/* layering.c */
void ts_level_find_layers (TsLevel *level);
/* Ranks that make the weighted sum of edge lengths smallest; every edge spans at least one. @ranks:
 * a feasible start, overwritten.  The graph is connected. */
typedef struct {
  int tail, head, weight;
  int cut;       /* private */
  gboolean tree; /* private */
} TsRankEdge;
void ts_network_simplex (int n, TsRankEdge *edges, int m, int *ranks);
/* ordering.c: dummies, rows, fewest crossings. */
void ts_level_find_order (TsLevel *level);
/* The number of crossings of the whole level. */
gint64 ts_level_count_crossings (const TsLevel *level);
/* placement.c: x, y, width, height; sizes of open child scopes are known. */
void ts_level_place (TsLevel *level, TsLevel *const *levels);

G_END_DECLS
