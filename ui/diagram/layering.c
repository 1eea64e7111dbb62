/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/diagram/diagram-private.h"

/* Layers by network simplex: all top ports are one vertex above everything, all bottom ports one
 * below, tied to every item without weight so that the graph is connected. */

#define WEIGHT_DATA    4
#define WEIGHT_PORT    2
#define WEIGHT_CONTROL 1

/* The start: the longest path from above.  Kahn's order needs no recursion. */
static void
longest_path (int n, const TsRankEdge *edges, int m, int *rank)
{
  g_autofree int *waiting = g_new0 (int, n), *queue = g_new (int, n), *first = g_new0 (int, n + 2);
  g_autofree int *list = g_new (int, m + 1);
  int head = 0, tail = 0;

  for (int e = 0; e < m; e++) {
    waiting[edges[e].head]++;
    first[edges[e].tail + 1]++;
  }
  for (int v = 0; v < n; v++)
    first[v + 1] += first[v];
  g_autofree int *fill = g_memdup2 (first, (gsize) (n + 1) * sizeof (int));
  for (int e = 0; e < m; e++)
    list[fill[edges[e].tail]++] = e;
  for (int v = 0; v < n; v++) {
    rank[v] = 0;
    if (!waiting[v])
      queue[tail++] = v;
  }
  while (head < tail) {
    int v = queue[head++];
    for (int k = first[v]; k < first[v + 1]; k++) {
      int w = edges[list[k]].head;
      rank[w] = MAX (rank[w], rank[v] + 1);
      if (--waiting[w] == 0)
        queue[tail++] = w;
    }
  }
}

void
ts_level_find_layers (TsLevel *level)
{
  int n = (int) level->items->len, count = 0, m = 0;
  g_autofree int *vertex = g_new (int, n + 1);
  gboolean tops = FALSE, bottoms = FALSE;

  for (int i = 0; i < n; i++) {
    TsItemKind kind = ts_level_item (level, i)->kind;
    tops |= kind == ITEM_TOP_PORT;
    bottoms |= kind == ITEM_BOTTOM_PORT;
    if (kind == ITEM_NODE || kind == ITEM_SCOPE)
      vertex[i] = count++;
  }
  int top = count++, bottom = count++;
  for (int i = 0; i < n; i++)
    if (ts_item_is_port (ts_level_item (level, i)))
      vertex[i] = ts_level_item (level, i)->kind == ITEM_TOP_PORT ? top : bottom;

  g_autofree TsRankEdge *edges = g_new0 (TsRankEdge, level->edges->len + 2 * (guint) n + 2);
  g_autofree int *rank = g_new0 (int, count + 1);
  for (guint i = 0; i < level->edges->len; i++) {
    const TsLevelEdge *e = ts_level_edge (level, i);
    gboolean port = ts_item_is_port (ts_level_item (level, e->a)) ||
                    ts_item_is_port (ts_level_item (level, e->b));
    int weight = e->control ? WEIGHT_CONTROL : port ? WEIGHT_PORT : WEIGHT_DATA;
    edges[m++] = (TsRankEdge){vertex[e->up], vertex[e->lo], weight, 0, FALSE};
  }
  for (int i = 0; i < n; i++)
    if (!ts_item_is_port (ts_level_item (level, i))) {
      edges[m++] = (TsRankEdge){top, vertex[i], 0, 0, FALSE};
      edges[m++] = (TsRankEdge){vertex[i], bottom, 0, 0, FALSE};
    }
  longest_path (count, edges, m, rank);
  ts_network_simplex (count, edges, m, rank);

  int low = G_MAXINT, high = G_MININT;
  for (int i = 0; i < n; i++)
    if (!ts_item_is_port (ts_level_item (level, i))) {
      low = MIN (low, rank[vertex[i]]);
      high = MAX (high, rank[vertex[i]]);
    }
  if (low > high)
    low = high = 0;
  for (int i = 0; i < n; i++) {
    TsItemKind kind = ts_level_item (level, i)->kind;
    int layer = kind == ITEM_TOP_PORT      ? 0
                : kind == ITEM_BOTTOM_PORT ? high - low + 1 + tops
                                           : rank[vertex[i]] - low + tops;
    g_array_append_val (level->layer, layer);
  }
  level->n_layers = high - low + 1 + tops + bottoms;
}
