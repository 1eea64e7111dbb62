/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/diagram/diagram-private.h"

#define SWEEPS           24
#define SWEEPS_IDLE      6 /* without gain, then stop */
#define TRANSPOSE_MAX    8
#define TRANSPOSE_DEGREE 40 /* swapping is quadratic in the degree */

static void
add_segment (TsLevel *level, int upper, int lower, int edge)
{
  TsSegment s = {upper, lower, 1, edge};

  g_array_append_val (level->segments, s);
}

/* One dummy per layer that a long edge passes. */
static void
make_proper (TsLevel *level)
{
  for (guint i = 0; i < level->edges->len; i++) {
    TsLevelEdge *e = ts_level_edge (level, i);
    int above = ts_level_layer (level, e->up), below = ts_level_layer (level, e->lo),
        previous = e->up;
    for (int layer = above + 1; layer < below; layer++) {
      int dummy = level->n_vertices++;
      g_array_append_val (level->layer, layer);
      g_array_append_val (e->chain, dummy);
      add_segment (level, previous, dummy, (int) i);
      previous = dummy;
    }
    add_segment (level, previous, e->lo, (int) i);
  }
}

static void
index_segments (TsLevel *level)
{
  int n = level->n_vertices, m = (int) level->segments->len;

  level->up_first = g_new0 (int, n + 2);
  level->down_first = g_new0 (int, n + 2);
  level->up_list = g_new0 (int, m + 1);
  level->down_list = g_new0 (int, m + 1);
  for (int s = 0; s < m; s++) {
    level->down_first[ts_level_segment (level, s)->upper + 1]++;
    level->up_first[ts_level_segment (level, s)->lower + 1]++;
  }
  for (int v = 0; v < n; v++) {
    level->down_first[v + 1] += level->down_first[v];
    level->up_first[v + 1] += level->up_first[v];
  }
  g_autofree int *down = g_memdup2 (level->down_first, (gsize) (n + 1) * sizeof (int));
  g_autofree int *up = g_memdup2 (level->up_first, (gsize) (n + 1) * sizeof (int));
  for (int s = 0; s < m; s++) {
    level->down_list[down[ts_level_segment (level, s)->upper]++] = s;
    level->up_list[up[ts_level_segment (level, s)->lower]++] = s;
  }
}

static GArray *
row_of (const TsLevel *level, int layer)
{
  return level->rows->pdata[layer];
}

static void
renumber (TsLevel *level, int layer)
{
  GArray *row = row_of (level, layer);

  for (guint i = 0; i < row->len; i++)
    level->pos[g_array_index (row, int, i)] = (int) i;
}

/* The start: depth first from the items in their order, each vertex where it is met. */
static void
first_order (TsLevel *level)
{
  g_autofree gboolean *seen = g_new0 (gboolean, level->n_vertices + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (int));

  for (int root = 0; root < level->n_vertices; root++) {
    if (seen[root] || level->up_first[root] < level->up_first[root + 1])
      continue;
    g_array_append_val (stack, root);
    while (stack->len) {
      int v = g_array_index (stack, int, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      if (seen[v])
        continue;
      seen[v] = TRUE;
      g_array_append_val (row_of (level, ts_level_layer (level, v)), v);
      for (int k = level->down_first[v + 1]; k-- > level->down_first[v];)
        g_array_append_val (stack, ts_level_segment (level, level->down_list[k])->lower);
    }
  }
  for (int layer = 0; layer < level->n_layers; layer++)
    renumber (level, layer);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* Crossings between @layer and the next, by a Fenwick tree over the lower row. */
static gint64
crossings_below (const TsLevel *level, int layer, int *tree)
{
  GArray *row = row_of (level, layer);
  int size = (int) row_of (level, layer + 1)->len;
  gint64 crossings = 0, inserted = 0;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (int));

  memset (tree, 0, (gsize) (size + 2) * sizeof (int));
  for (guint i = 0; i < row->len; i++) {
    int v = g_array_index (row, int, i);
    g_array_set_size (ends, 0);
    for (int k = level->down_first[v]; k < level->down_first[v + 1]; k++) {
      int at = level->pos[ts_level_segment (level, level->down_list[k])->lower];
      g_array_append_val (ends, at);
    }
    g_array_sort (ends, compare_ints);
    for (guint k = 0; k < ends->len; k++) { /* earlier ones that end further right */
      gint64 before = 0;
      for (int q = g_array_index (ends, int, k) + 1; q; q &= q - 1)
        before += tree[q];
      crossings += inserted - before;
    }
    for (guint k = 0; k < ends->len; k++, inserted++)
      for (int q = g_array_index (ends, int, k) + 1; q <= size; q += q & -q)
        tree[q]++;
  }
  return crossings;
}

gint64
ts_level_count_crossings (const TsLevel *level)
{
  g_autofree int *tree = g_new (int, level->n_vertices + 2);
  gint64 sum = 0;

  for (int layer = 0; layer + 1 < level->n_layers; layer++)
    sum += crossings_below (level, layer, tree);
  return sum;
}

typedef struct {
  double key;
  int pos, vertex;
} Sorted;

static int
by_key (gconstpointer a, gconstpointer b)
{
  const Sorted *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->pos - y->pos;
}

static gboolean
is_port_row (const TsLevel *level, int layer)
{
  GArray *row = row_of (level, layer);

  return row->len && g_array_index (row, int, 0) < (int) level->items->len &&
         ts_item_is_port (ts_level_item (level, g_array_index (row, int, 0)));
}

/* Sorts a row by the mean place of its neighbours; ports stand where the parent put them. */
static void
sort_row (TsLevel *level, int layer, gboolean by_upper, gboolean flip)
{
  GArray *row = row_of (level, layer);
  g_autofree Sorted *keys = g_new (Sorted, row->len + 1);

  for (guint i = 0; i < row->len; i++) {
    int v = g_array_index (row, int, i);
    const int *first = by_upper ? level->up_first : level->down_first;
    const int *list = by_upper ? level->up_list : level->down_list;
    double sum = 0;
    int n = first[v + 1] - first[v];
    for (int k = first[v]; k < first[v + 1]; k++) {
      const TsSegment *s = ts_level_segment (level, list[k]);
      sum += level->pos[by_upper ? s->upper : s->lower];
    }
    keys[i] = (Sorted){n ? sum / n : (double) i, flip ? (int) (row->len - i) : (int) i, v};
    if (is_port_row (level, layer))
      keys[i].key = ts_level_item (level, v)->place;
  }
  qsort (keys, row->len, sizeof (Sorted), by_key);
  for (guint i = 0; i < row->len; i++)
    g_array_index (row, int, i) = keys[i].vertex;
  renumber (level, layer);
}

/* How many crossings between two neighbours' edges on one side when @a stands left of @b. */
static gint64
pair_crossings (const TsLevel *level, int a, int b, gboolean upper)
{
  const int *first = upper ? level->up_first : level->down_first;
  const int *list = upper ? level->up_list : level->down_list;
  gint64 n = 0;

  for (int i = first[a]; i < first[a + 1]; i++)
    for (int j = first[b]; j < first[b + 1]; j++) {
      const TsSegment *x = ts_level_segment (level, list[i]),
                      *y = ts_level_segment (level, list[j]);
      n += level->pos[upper ? x->upper : x->lower] > level->pos[upper ? y->upper : y->lower];
    }
  return n;
}

static int
degree (const TsLevel *level, int v)
{
  return MAX (level->up_first[v + 1] - level->up_first[v],
              level->down_first[v + 1] - level->down_first[v]);
}

static void
transpose (TsLevel *level)
{
  gboolean better = TRUE;

  for (int round = 0; round < TRANSPOSE_MAX && better; round++) {
    better = FALSE;
    for (int layer = 0; layer < level->n_layers; layer++) {
      GArray *row = row_of (level, layer);
      if (is_port_row (level, layer))
        continue;
      for (guint i = 0; i + 1 < row->len; i++) {
        int a = g_array_index (row, int, i), b = g_array_index (row, int, i + 1);
        if (degree (level, a) > TRANSPOSE_DEGREE || degree (level, b) > TRANSPOSE_DEGREE)
          continue;
        gint64 now = pair_crossings (level, a, b, TRUE) + pair_crossings (level, a, b, FALSE);
        gint64 then = pair_crossings (level, b, a, TRUE) + pair_crossings (level, b, a, FALSE);
        if (then >= now)
          continue;
        g_array_index (row, int, i) = b;
        g_array_index (row, int, i + 1) = a;
        level->pos[a] = (int) i + 1;
        level->pos[b] = (int) i;
        better = TRUE;
      }
    }
  }
}

static void
keep (const TsLevel *level, int *best)
{
  memcpy (best, level->pos, (gsize) level->n_vertices * sizeof (int));
}

static void
restore (TsLevel *level, const int *best)
{
  for (int v = 0; v < level->n_vertices; v++)
    g_array_index (row_of (level, ts_level_layer (level, v)), int, best[v]) = v;
  memcpy (level->pos, best, (gsize) level->n_vertices * sizeof (int));
}

void
ts_level_find_order (TsLevel *level)
{
  level->n_vertices = (int) level->items->len;
  make_proper (level);
  index_segments (level);
  for (int layer = 0; layer < level->n_layers; layer++)
    g_ptr_array_add (level->rows, g_array_new (FALSE, FALSE, sizeof (int)));
  level->pos = g_new0 (int, level->n_vertices + 1);
  first_order (level);
  for (int layer = 0; layer < level->n_layers; layer++)
    if (is_port_row (level, layer))
      sort_row (level, layer, TRUE, FALSE);

  g_autofree int *best = g_new (int, level->n_vertices + 1);
  gint64 fewest = ts_level_count_crossings (level);
  keep (level, best);
  for (int sweep = 0, idle = 0; sweep < SWEEPS && idle < SWEEPS_IDLE && fewest > 0;
       sweep++, idle++) {
    gboolean down = sweep % 2 == 0, flip = sweep % 4 > 1;
    for (int i = 1; i < level->n_layers; i++)
      sort_row (level, down ? i : level->n_layers - 1 - i, down, flip);
    transpose (level);
    gint64 crossings = ts_level_count_crossings (level);
    if (crossings < fewest) {
      fewest = crossings;
      keep (level, best);
      idle = -1;
    }
  }
  restore (level, best);
}
