/* SPDX-License-Identifier: MIT */
#include "ui/diagram/diagram.h"

#include <string.h>

#include "ui/diagram/diagram-private.h"

typedef struct {
  const TsDiagramNode *nodes;
  const TsDiagramEdge *edges;
  const TsDiagramScope *scopes;
  guint n_nodes, n_edges, n_scopes;
  gboolean *shown;     /* by scope: all around it are open */
  int *node_item;      /* by node: its item in its level, -1: hidden */
  int *scope_item;     /* by scope: its item in its parent's level */
  TsLevel **levels;    /* by scope: of open, shown ones */
  GHashTable **merged; /* by scope: (a, b) -> edge + 1 */
} Work;

static TsLevel *
level_new (int scope)
{
  TsLevel *l = g_new0 (TsLevel, 1);

  l->scope = scope;
  l->items = g_array_new (FALSE, TRUE, sizeof (TsItem));
  l->edges = g_array_new (FALSE, TRUE, sizeof (TsLevelEdge));
  l->layer = g_array_new (FALSE, TRUE, sizeof (int));
  l->segments = g_array_new (FALSE, TRUE, sizeof (TsSegment));
  l->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return l;
}

static void
level_free (TsLevel *l)
{
  for (guint i = 0; i < l->edges->len; i++) {
    g_array_unref (ts_level_edge (l, i)->edges);
    g_array_unref (ts_level_edge (l, i)->chain);
  }
  g_array_unref (l->items);
  g_array_unref (l->edges);
  g_array_unref (l->layer);
  g_array_unref (l->segments);
  g_ptr_array_unref (l->rows);
  g_free (l->pos);
  g_free (l->up_first);
  g_free (l->up_list);
  g_free (l->down_first);
  g_free (l->down_list);
  g_free (l->x);
  g_free (l->row_y);
  g_free (l->row_h);
  g_free (l);
}

static int
add_item (TsLevel *level, TsItem item)
{
  g_array_append_val (level->items, item);
  return (int) level->items->len - 1;
}

static gboolean
is_open (const Work *w, int scope)
{
  return scope == 0 || w->scopes[scope].open;
}

static void
make_items (Work *w)
{
  for (guint s = 0; s < w->n_scopes; s++) {
    int parent = w->scopes[s].parent;
    w->shown[s] = s == 0 || (w->shown[parent] && is_open (w, parent));
    if (w->shown[s] && is_open (w, (int) s))
      w->levels[s] = level_new ((int) s);
  }
  for (guint s = 1; s < w->n_scopes; s++)
    if (w->shown[s])
      w->scope_item[s] = add_item (
          w->levels[w->scopes[s].parent],
          (TsItem){ITEM_SCOPE, (int) s, (double) w->scopes[s].w, (double) w->scopes[s].h, 0});
  for (guint i = 0; i < w->n_nodes; i++) {
    TsLevel *level = w->levels[w->nodes[i].scope];
    w->node_item[i] = level ? add_item (level, (TsItem){ITEM_NODE, (int) i, (double) w->nodes[i].w,
                                                        (double) w->nodes[i].h, 0})
                            : -1;
  }
}

/* The item of @level that holds @node, which lies somewhere inside it. */
static int
item_in (const Work *w, int level, int node)
{
  int scope = w->nodes[node].scope;

  if (scope == level)
    return w->node_item[node];
  while (w->scopes[scope].parent != level)
    scope = w->scopes[scope].parent;
  return w->scope_item[scope];
}

static gboolean
contains (const Work *w, int outer, int scope)
{
  while (scope > outer)
    scope = w->scopes[scope].parent;
  return scope == outer;
}

static TsLevelEdge *
find_edge (Work *w, TsLevel *level, int a, int b, gboolean control)
{
  GHashTable **table = &w->merged[level->scope];
  gint64 key = (gint64) a << 32 | (guint32) b;

  if (!*table)
    *table = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (*table, &key));
  if (!found) {
    TsLevelEdge e = {.a = a, .b = b, .control = control, .port_up = -1, .port_lo = -1};
    e.edges = g_array_new (FALSE, FALSE, sizeof (int));
    e.chain = g_array_new (FALSE, FALSE, sizeof (int));
    g_array_append_val (level->edges, e);
    found = level->edges->len;
    g_hash_table_insert (*table, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (found));
  }
  return ts_level_edge (level, found - 1);
}

static void
tie (Work *w, TsLevel *level, int a, int b, int leaf)
{
  TsLevelEdge *e = find_edge (w, level, a, b, TRUE);

  e->control &= w->edges[leaf].control;
  g_array_append_val (e->edges, leaf);
}

/* Each edge goes to the innermost level that holds both ends; hidden ones nowhere. */
static void
spread_edges (Work *w)
{
  for (guint i = 0; i < w->n_edges; i++) {
    int from = w->edges[i].from, to = w->edges[i].to, level = w->nodes[from].scope;
    while (!w->levels[level] || !contains (w, level, w->nodes[to].scope))
      level = w->scopes[level].parent;
    int a = item_in (w, level, from), b = item_in (w, level, to);
    if (a != b)
      tie (w, w->levels[level], a, b, (int) i);
  }
}

/* An edge that ends at an open scope goes on inside it from a port on its border. */
static int
enter (Work *w, TsLevel *parent, guint edge, int item, gboolean lower)
{
  TsLevelEdge *e = ts_level_edge (parent, edge);
  TsLevel *inner = w->levels[ts_level_item (parent, item)->id];
  gboolean source = item == e->a;
  int neighbour = lower ? (e->chain->len ? g_array_index (e->chain, int, e->chain->len - 1) : e->up)
                        : (e->chain->len ? g_array_index (e->chain, int, 0) : e->lo);
  int port = add_item (inner, (TsItem){lower ? ITEM_TOP_PORT : ITEM_BOTTOM_PORT, (int) edge, 0, 0,
                                       parent->pos[neighbour] + 1e-6 * (double) edge});

  for (guint k = 0; k < e->edges->len; k++) {
    int leaf = g_array_index (e->edges, int, k);
    int inside = item_in (w, inner->scope, source ? w->edges[leaf].from : w->edges[leaf].to);
    if (source)
      tie (w, inner, inside, port, leaf);
    else
      tie (w, inner, port, inside, leaf);
  }
  return port;
}

static gboolean
is_open_scope (const Work *w, const TsLevel *level, int item)
{
  const TsItem *it = ts_level_item (level, item);

  return it->kind == ITEM_SCOPE && w->levels[it->id];
}

static void
order_level (Work *w, TsLevel *level)
{
  ts_level_break_cycles (level);
  ts_level_find_layers (level);
  ts_level_find_order (level);
  for (guint i = 0; i < level->edges->len; i++) {
    int up = ts_level_edge (level, i)->up, lo = ts_level_edge (level, i)->lo;
    if (is_open_scope (w, level, up))
      ts_level_edge (level, i)->port_up = enter (w, level, i, up, FALSE);
    if (is_open_scope (w, level, lo))
      ts_level_edge (level, i)->port_lo = enter (w, level, i, lo, TRUE);
  }
}

static double
inset_top (const TsLevel *level)
{
  return level->scope ? (double) TS_DIAGRAM_HEADER : (double) TS_DIAGRAM_PADDING;
}

static void
size_scope (Work *w, TsLevel *level)
{
  ts_level_place (level, w->levels);
  if (level->scope == 0)
    return;
  TsItem *item =
      ts_level_item (w->levels[w->scopes[level->scope].parent], w->scope_item[level->scope]);
  /* at least as wide as closed, for its title; what is inside stands in the middle */
  double width =
      MAX (level->width + 2 * (double) TS_DIAGRAM_PADDING, (double) w->scopes[level->scope].w);
  for (int v = 0; v < level->n_vertices; v++)
    level->x[v] += (width - level->width) / 2;
  level->width = width;
  item->w = level->width;
  item->h = level->height + inset_top (level) + (double) TS_DIAGRAM_PADDING;
}

static void
locate (Work *w, TsDiagram *d, TsLevel *level)
{
  for (guint i = 0; i < level->items->len; i++) {
    const TsItem *it = ts_level_item (level, (int) i);
    TsDiagramBox box = {
        (float) (level->left + level->x[i] - it->w / 2),
        (float) (level->top + level->row_y[ts_level_layer (level, (int) i)] - it->h / 2),
        (float) it->w, (float) it->h, TRUE};
    if (it->kind == ITEM_NODE)
      d->nodes[it->id] = box;
    if (it->kind != ITEM_SCOPE)
      continue;
    d->scopes[it->id] = box;
    TsLevel *inner = w->levels[it->id];
    if (inner) {
      inner->left = (double) box.x;
      inner->top = (double) box.y + inset_top (inner);
    }
  }
}

static void
add_point (TsDiagram *d, double x, double y)
{
  TsDiagramPoint p = {(float) x, (float) y};

  g_array_append_val (d->points, p);
}

/* Where an edge leaves its upper item or enters its lower one. */
static void
end_point (Work *w, TsLevel *level, TsDiagram *d, int item, int port, gboolean bottom, double *x,
           double *y)
{
  const TsItem *it = ts_level_item (level, item);
  double middle = level->top + level->row_y[ts_level_layer (level, item)];

  *x = level->left + level->x[item];
  *y = middle + (bottom ? it->h / 2 : -it->h / 2);
  if (ts_item_is_port (it)) { /* on the border of the scope that this level fills */
    const TsDiagramBox *box = &d->scopes[level->scope];
    *y = it->kind == ITEM_TOP_PORT ? (double) box->y : (double) (box->y + box->h);
  } else if (port >= 0) {
    *x += w->levels[it->id]->x[port] - w->levels[it->id]->width / 2;
  }
}

static void
route (Work *w, TsDiagram *d, TsLevel *level)
{
  for (guint i = 0; i < level->edges->len; i++) {
    const TsLevelEdge *e = ts_level_edge (level, i);
    int end = e->reversed ? e->up : e->lo;
    TsDiagramRoute r = {.level = level->scope,
                        .control = e->control,
                        .reversed = e->reversed,
                        .arrow = !ts_item_is_port (ts_level_item (level, end)) &&
                                 !is_open_scope (w, level, end),
                        .first_point = d->points->len,
                        .first_edge = d->bundled->len,
                        .n_edges = e->edges->len};
    double x, y, above, below;
    int layer = ts_level_layer (level, e->up), last = ts_level_layer (level, e->lo);

    g_array_append_vals (d->bundled, e->edges->data, e->edges->len);
    end_point (w, level, d, e->up, e->port_up, TRUE, &x, &y);
    add_point (d, x, y);
    below = level->top + level->row_y[layer] + level->row_h[layer] / 2;
    if (below > y) /* straight to the edge of its layer, past whatever is taller there */
      add_point (d, x, below);
    for (guint k = 0; k < e->chain->len; k++) {
      int v = g_array_index (e->chain, int, k), l = ts_level_layer (level, v);
      double half = level->row_h[l] / 2, cx = level->left + level->x[v],
             cy = level->top + level->row_y[l];
      add_point (d, cx, cy - half);
      if (half > 0)
        add_point (d, cx, cy + half);
    }
    end_point (w, level, d, e->lo, e->port_lo, FALSE, &x, &y);
    above = level->top + level->row_y[last] - level->row_h[last] / 2;
    if (above < y)
      add_point (d, x, above);
    add_point (d, x, y);
    r.n_points = d->points->len - r.first_point;
    g_array_append_val (d->routes, r);
  }
}

TsDiagram *
ts_diagram_new (const TsDiagramNode *nodes, guint n_nodes, const TsDiagramEdge *edges,
                guint n_edges, const TsDiagramScope *scopes, guint n_scopes)
{
  Work w = {nodes, edges, scopes, n_nodes, n_edges, n_scopes};
  TsDiagram *d = g_new0 (TsDiagram, 1);

  g_return_val_if_fail (n_scopes > 0, d);
  w.shown = g_new0 (gboolean, n_scopes);
  w.node_item = g_new0 (int, n_nodes + 1);
  w.scope_item = g_new0 (int, n_scopes);
  w.levels = g_new0 (TsLevel *, n_scopes);
  w.merged = g_new0 (GHashTable *, n_scopes);
  d->nodes = g_new0 (TsDiagramBox, n_nodes + 1);
  d->scopes = g_new0 (TsDiagramBox, n_scopes);
  d->routes = g_array_new (FALSE, FALSE, sizeof (TsDiagramRoute));
  d->points = g_array_new (FALSE, FALSE, sizeof (TsDiagramPoint));
  d->bundled = g_array_new (FALSE, FALSE, sizeof (int));
  make_items (&w);
  spread_edges (&w);
  for (guint s = 0; s < n_scopes;
       s++) /* parents first: they say where their children's ports stand */
    if (w.levels[s])
      order_level (&w, w.levels[s]);
  for (guint s = n_scopes; s-- > 0;) /* children first: they say how large they are */
    if (w.levels[s])
      size_scope (&w, w.levels[s]);
  w.levels[0]->left = w.levels[0]->top = (double) TS_DIAGRAM_PADDING;
  d->width = (float) (w.levels[0]->width + 2 * (double) TS_DIAGRAM_PADDING);
  d->height = (float) (w.levels[0]->height + 2 * (double) TS_DIAGRAM_PADDING);
  d->scopes[0] = (TsDiagramBox){0, 0, d->width, d->height, TRUE};
  for (guint s = 0; s < n_scopes; s++)
    if (w.levels[s])
      locate (&w, d, w.levels[s]);
  for (guint s = 0; s < n_scopes; s++)
    if (w.levels[s])
      route (&w, d, w.levels[s]);
  for (guint s = 0; s < n_scopes; s++) {
    g_clear_pointer (&w.levels[s], level_free);
    g_clear_pointer (&w.merged[s], g_hash_table_unref);
  }
  g_free (w.shown);
  g_free (w.node_item);
  g_free (w.scope_item);
  g_free (w.levels);
  g_free (w.merged);
  return d;
}

void
ts_diagram_free (TsDiagram *d)
{
  g_free (d->nodes);
  g_free (d->scopes);
  if (d->routes)
    g_array_unref (d->routes);
  if (d->points)
    g_array_unref (d->points);
  if (d->bundled)
    g_array_unref (d->bundled);
  g_free (d);
}
