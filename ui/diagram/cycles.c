/* SPDX-License-Identifier: MIT */
#include "ui/diagram/diagram-private.h"

/* Scopes make cycles even where the graph has none.  Depth first in the order of the items: an edge
 * back to an item whose visit is not over is turned around.  An edge at a port points by the port's
 * side and is never turned. */

typedef struct {
  TsLevel *level;
  int *first, *list; /* edges leaving an item */
  guint8 *state;     /* 0 new, 1 open, 2 done */
} Walk;

static int
other_end (const TsLevelEdge *e)
{
  return e->b;
}

/* Iterative: levels may be thousands of items deep. */
static void
visit (Walk *w, int root)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, 2 * sizeof (int));
  int start[2] = {root, w->first[root]};

  w->state[root] = 1;
  g_array_append_val (stack, start);
  while (stack->len) {
    int *top = (int *) (stack->data + (stack->len - 1) * 2 * sizeof (int));
    if (top[1] == w->first[top[0] + 1]) {
      w->state[top[0]] = 2;
      g_array_set_size (stack, stack->len - 1);
      continue;
    }
    TsLevelEdge *e = ts_level_edge (w->level, (guint) w->list[top[1]++]);
    int next = other_end (e);
    if (w->state[next] == 1) {
      e->reversed = TRUE;
    } else if (w->state[next] == 0) {
      int child[2] = {next, w->first[next]};
      w->state[next] = 1;
      g_array_append_val (stack, child);
    }
  }
}

void
ts_level_break_cycles (TsLevel *level)
{
  int n = (int) level->items->len, m = 0;
  Walk w = {level, g_new0 (int, n + 2), g_new0 (int, level->edges->len + 1),
            g_new0 (guint8, n + 1)};

  for (guint i = 0; i < level->edges->len; i++) {
    TsLevelEdge *e = ts_level_edge (level, i);
    gboolean port = ts_item_is_port (ts_level_item (level, e->a)) ||
                    ts_item_is_port (ts_level_item (level, e->b));
    if (port) /* a top port is above whatever it is tied to */
      e->reversed = ts_level_item (level, e->b)->kind == ITEM_TOP_PORT ||
                    ts_level_item (level, e->a)->kind == ITEM_BOTTOM_PORT;
    else
      w.first[e->a + 1]++;
  }
  for (int i = 0; i < n; i++)
    w.first[i + 1] += w.first[i];
  g_autofree int *fill = g_memdup2 (w.first, (gsize) (n + 1) * sizeof (int));
  for (guint i = 0; i < level->edges->len; i++) {
    TsLevelEdge *e = ts_level_edge (level, i);
    if (!ts_item_is_port (ts_level_item (level, e->a)) &&
        !ts_item_is_port (ts_level_item (level, e->b))) {
      w.list[fill[e->a]++] = (int) i;
      m++;
    }
  }
  for (int i = 0; i < n && m; i++)
    if (w.state[i] == 0)
      visit (&w, i);
  for (guint i = 0; i < level->edges->len; i++) {
    TsLevelEdge *e = ts_level_edge (level, i);
    e->up = e->reversed ? e->b : e->a;
    e->lo = e->reversed ? e->a : e->b;
  }
  g_free (w.first);
  g_free (w.list);
  g_free (w.state);
}
