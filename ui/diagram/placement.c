/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ui/diagram/diagram-private.h"

#define SWEEPS 8

/* What a segment wants: the straighter the heavier. */
#define WEIGHT_SPINE 32.0
#define WEIGHT_LINE  8.0 /* dummy to dummy */
#define WEIGHT_ITEMS 4.0
#define WEIGHT_END   2.0 /* item to dummy */
#define CONTROL      0.3

static gboolean
is_item (const TsLevel *level, int v)
{
  return v < (int) level->items->len;
}

/* u -> v is spine when u is v's deepest predecessor and v the longest continuation of u: the path
 * that the eye follows.  At most one on each side of a vertex. */
static void
find_spine (TsLevel *level)
{
  int n = (int) level->items->len;
  g_autofree int *from = g_new0 (int, n + 1), *to = g_new0 (int, n + 1);
  g_autofree int *best_in = g_new (int, n + 1), *best_out = g_new (int, n + 1);

  for (int i = 0; i < n; i++)
    best_in[i] = best_out[i] = -1;
  for (int layer = 0; layer < level->n_layers; layer++)
    for (guint i = 0; i < level->edges->len; i++) {
      const TsLevelEdge *e = ts_level_edge (level, i);
      if (!e->control && !e->reversed && ts_level_layer (level, e->up) == layer)
        from[e->lo] = MAX (from[e->lo], from[e->up] + 1);
    }
  for (int layer = level->n_layers; layer-- > 0;)
    for (guint i = 0; i < level->edges->len; i++) {
      const TsLevelEdge *e = ts_level_edge (level, i);
      if (!e->control && !e->reversed && ts_level_layer (level, e->up) == layer)
        to[e->up] = MAX (to[e->up], to[e->lo] + 1);
    }
  for (guint i = 0; i < level->edges->len; i++) {
    const TsLevelEdge *e = ts_level_edge (level, i);
    if (e->control || e->reversed)
      continue;
    if (best_in[e->lo] < 0 || from[e->up] > from[ts_level_edge (level, (guint) best_in[e->lo])->up])
      best_in[e->lo] = (int) i;
    if (best_out[e->up] < 0 || to[e->lo] > to[ts_level_edge (level, (guint) best_out[e->up])->lo])
      best_out[e->up] = (int) i;
  }
  for (guint i = 0; i < level->edges->len; i++) {
    TsLevelEdge *e = ts_level_edge (level, i);
    e->spine = best_in[e->lo] == (int) i && best_out[e->up] == (int) i;
  }
}

static void
weigh_segments (TsLevel *level)
{
  for (guint i = 0; i < level->segments->len; i++) {
    TsSegment *s = ts_level_segment (level, (int) i);
    const TsLevelEdge *e = ts_level_edge (level, (guint) s->edge);
    int dummies = !is_item (level, s->upper) + !is_item (level, s->lower);
    s->weight = e->spine       ? WEIGHT_SPINE
                : dummies == 2 ? WEIGHT_LINE
                : dummies == 1 ? WEIGHT_END
                               : WEIGHT_ITEMS;
    if (e->control)
      s->weight *= CONTROL;
  }
}

static double
width_of (const TsLevel *level, int v)
{
  return is_item (level, v) ? ts_level_item (level, v)->w : 0;
}

static double
distance (const TsLevel *level, int a, int b)
{
  gboolean items = is_item (level, a) && is_item (level, b);

  return (width_of (level, a) + width_of (level, b)) / 2 + (items ? GAP_ITEM : GAP_DUMMY);
}

/* Where segment @s meets @v, from the middle of v: the port of an open scope, else the middle. */
static double
port_offset (const TsLevel *level, TsLevel *const *levels, const TsSegment *s, int v)
{
  const TsLevelEdge *e = ts_level_edge (level, (guint) s->edge);

  if (!is_item (level, v) || ts_level_item (level, v)->kind != ITEM_SCOPE)
    return 0;
  const TsLevel *inner = levels[ts_level_item (level, v)->id];
  int port = v == e->up ? e->port_up : e->port_lo;
  if (!inner || port < 0)
    return 0;
  return inner->x[port] - inner->width / 2;
}

typedef struct {
  double sum, weight; /* of (wish - cumulated distance) */
  int count;
} Block;

typedef struct {
  double at, weight;
} Wish;

static int
by_place (gconstpointer a, gconstpointer b)
{
  double x = ((const Wish *) a)->at, y = ((const Wish *) b)->at;

  return x < y ? -1 : x > y;
}

/* The weighted median of the neighbours on one side; the present place where there are none. */
static double
wish_of (const TsLevel *level, TsLevel *const *levels, int v, gboolean upper, double *weight)
{
  const int *first = upper ? level->up_first : level->down_first;
  const int *list = upper ? level->up_list : level->down_list;
  int n = first[v + 1] - first[v];
  g_autofree Wish *wishes = g_new (Wish, n + 1);
  double total = 0, half = 0;

  *weight = 1e-3;
  if (n == 0)
    return level->x[v];
  for (int k = 0; k < n; k++) {
    const TsSegment *s = ts_level_segment (level, list[first[v] + k]);
    int other = upper ? s->upper : s->lower;
    wishes[k].at =
        level->x[other] + port_offset (level, levels, s, other) - port_offset (level, levels, s, v);
    wishes[k].weight = s->weight;
    total += s->weight;
  }
  qsort (wishes, (gsize) n, sizeof (Wish), by_place);
  *weight = total * total;
  for (int k = 0; k < n; k++) {
    half += wishes[k].weight;
    if (half > total / 2)
      return wishes[k].at;
    if (half == total / 2 && k + 1 < n) /* a tie: stay between the two, as near as can be */
      return CLAMP (level->x[v], wishes[k].at, wishes[k + 1].at);
  }
  return wishes[n - 1].at;
}

/* The nearest places (least squares) that keep the order and the distances: subtract the cumulated
 * distances, then pool adjacent violators. */
static void
place_row (TsLevel *level, TsLevel *const *levels, int layer, gboolean upper)
{
  GArray *row = level->rows->pdata[layer];
  g_autofree Block *blocks = g_new (Block, row->len + 1);
  g_autofree double *shift = g_new0 (double, row->len + 1);
  int n = 0;

  for (guint i = 0; i < row->len; i++) {
    int v = g_array_index (row, int, i);
    double weight, wish = wish_of (level, levels, v, upper, &weight);
    if (i > 0)
      shift[i] = shift[i - 1] + distance (level, g_array_index (row, int, i - 1), v);
    blocks[n++] = (Block){(wish - shift[i]) * weight, weight, 1};
    while (n > 1 &&
           blocks[n - 2].sum / blocks[n - 2].weight > blocks[n - 1].sum / blocks[n - 1].weight) {
      blocks[n - 2].sum += blocks[n - 1].sum;
      blocks[n - 2].weight += blocks[n - 1].weight;
      blocks[n - 2].count += blocks[n - 1].count;
      n--;
    }
  }
  for (int b = 0, i = 0; b < n; b++)
    for (int k = 0; k < blocks[b].count; k++, i++)
      level->x[g_array_index (row, int, i)] = blocks[b].sum / blocks[b].weight + shift[i];
}

/* What a placement costs: bent weight, and width. */
static double
cost_of (const TsLevel *level, TsLevel *const *levels)
{
  double cost = 0, left = INFINITY, right = -INFINITY;

  for (guint i = 0; i < level->segments->len; i++) {
    const TsSegment *s = ts_level_segment (level, (int) i);
    cost += s->weight * fabs (level->x[s->upper] + port_offset (level, levels, s, s->upper) -
                              level->x[s->lower] - port_offset (level, levels, s, s->lower));
  }
  for (int v = 0; v < level->n_vertices; v++) {
    left = MIN (left, level->x[v] - width_of (level, v) / 2);
    right = MAX (right, level->x[v] + width_of (level, v) / 2);
  }
  return cost + (2 + 0.1 * level->n_vertices) * (right - left);
}

static void
place_x (TsLevel *level, TsLevel *const *levels)
{
  gsize bytes = (gsize) level->n_vertices * sizeof (double);
  g_autofree double *best = g_malloc0 (bytes + 1);
  double least = INFINITY, left = INFINITY, right = -INFINITY;

  for (int layer = 0; layer < level->n_layers; layer++) { /* the start: side by side, centred */
    GArray *row = level->rows->pdata[layer];
    double at = 0;
    for (guint i = 0; i < row->len; i++) {
      int v = g_array_index (row, int, i);
      at += i ? distance (level, g_array_index (row, int, i - 1), v) : 0;
      level->x[v] = at;
    }
    for (guint i = 0; i < row->len; i++)
      level->x[g_array_index (row, int, i)] -= at / 2;
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    gboolean down = sweep % 2 == 0;
    for (int i = 0; i < level->n_layers; i++)
      place_row (level, levels, down ? i : level->n_layers - 1 - i, down);
    double cost = cost_of (level, levels);
    if (cost < least) {
      least = cost;
      memcpy (best, level->x, bytes);
    }
  }
  if (level->n_vertices)
    memcpy (level->x, best, bytes);
  for (int v = 0; v < level->n_vertices; v++) {
    left = MIN (left, level->x[v] - width_of (level, v) / 2);
    right = MAX (right, level->x[v] + width_of (level, v) / 2);
  }
  if (left > right)
    left = right = 0;
  for (int v = 0; v < level->n_vertices; v++)
    level->x[v] -= left;
  level->width = right - left;
}

/* Layers below each other; where lines go far sideways the gap grows, so that they stay readable.
 */
static void
place_y (TsLevel *level)
{
  double y = 0;

  level->row_y = g_new0 (double, level->n_layers + 1);
  level->row_h = g_new0 (double, level->n_layers + 1);
  for (int layer = 0; layer < level->n_layers; layer++) {
    GArray *row = level->rows->pdata[layer];
    double reach = 0;
    for (guint i = 0; i < row->len; i++) {
      int v = g_array_index (row, int, i);
      if (is_item (level, v))
        level->row_h[layer] = MAX (level->row_h[layer], ts_level_item (level, v)->h);
      for (int k = level->up_first[v]; k < level->up_first[v + 1]; k++)
        reach = MAX (reach, fabs (level->x[v] -
                                  level->x[ts_level_segment (level, level->up_list[k])->upper]));
    }
    if (layer > 0)
      y += GAP_LAYER + MIN (60, 0.05 * reach);
    level->row_y[layer] = y + level->row_h[layer] / 2;
    y += level->row_h[layer];
  }
  level->height = y;
}

void
ts_level_place (TsLevel *level, TsLevel *const *levels)
{
  level->x = g_new0 (double, level->n_vertices + 1);
  find_spine (level);
  weigh_segments (level);
  place_x (level, levels);
  place_y (level);
}
