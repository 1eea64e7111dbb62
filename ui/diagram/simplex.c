/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/diagram/diagram-private.h"

/* Network simplex (Gansner et al. 1993, section 2.4): a spanning tree of tight edges; a tree edge
 * with a negative cut value is replaced by the non-tree edge of least slack that crosses the same
 * cut. */

typedef struct {
  int n, m;
  TsRankEdge *edges;
  int *rank;
  int *first, *list;         /* edges at a vertex */
  int *low, *limit, *parent; /* postorder of the tree; parent edge */
} Simplex;

static int
slack (const Simplex *s, int e)
{
  return s->rank[s->edges[e].head] - s->rank[s->edges[e].tail] - 1;
}

static int
far_end (const Simplex *s, int e, int v)
{
  return s->edges[e].tail == v ? s->edges[e].head : s->edges[e].tail;
}

/* Grows a tree of tight edges from vertex 0; shifts it until it holds all vertices. */
static gboolean
tight_tree (Simplex *s)
{
  g_autofree int *members = g_new (int, s->n);
  g_autofree gboolean *in = g_new0 (gboolean, s->n);
  int count = 1, looked = 0;

  members[0] = 0;
  in[0] = TRUE;
  for (;;) {
    for (; looked < count; looked++) {
      int v = members[looked];
      for (int k = s->first[v]; k < s->first[v + 1]; k++) {
        int e = s->list[k], w = far_end (s, e, v);
        if (in[w] || slack (s, e) != 0)
          continue;
        in[w] = TRUE;
        s->edges[e].tree = TRUE;
        members[count++] = w;
      }
    }
    if (count == s->n)
      return TRUE;
    int best = -1;
    for (int e = 0; e < s->m; e++)
      if (in[s->edges[e].tail] != in[s->edges[e].head] &&
          (best < 0 || slack (s, e) < slack (s, best)))
        best = e;
    if (best < 0)
      return FALSE; /* not connected */
    int shift = in[s->edges[best].head] ? -slack (s, best) : slack (s, best);
    for (int i = 0; i < count; i++)
      s->rank[members[i]] += shift;
    looked = 0;
  }
}

/* Postorder numbers: w lies in v's subtree iff low[v] <= limit[w] <= limit[v]. */
static void
number_tree (Simplex *s)
{
  g_autofree int *stack = g_new (int, s->n), *at = g_new (int, s->n);
  int depth = 0, next = 0;

  stack[0] = 0;
  at[0] = s->first[0];
  s->parent[0] = -1;
  s->low[0] = 0;
  while (depth >= 0) {
    int v = stack[depth];
    if (at[depth] == s->first[v + 1]) {
      s->limit[v] = next++;
      depth--;
      continue;
    }
    int e = s->list[at[depth]++];
    if (!s->edges[e].tree || e == s->parent[v])
      continue;
    int w = far_end (s, e, v);
    stack[++depth] = w;
    at[depth] = s->first[w];
    s->parent[w] = e;
    s->low[w] = next;
  }
}

/* The cut value of a tree edge is the sum of (out - in) over the subtree below it, by its
 * direction. */
static void
cut_values (Simplex *s)
{
  g_autofree int *order = g_new (int, s->n), *balance = g_new0 (int, s->n);

  for (int v = 0; v < s->n; v++)
    order[s->limit[v]] = v;
  for (int e = 0; e < s->m; e++) {
    balance[s->edges[e].tail] += s->edges[e].weight;
    balance[s->edges[e].head] -= s->edges[e].weight;
  }
  for (int i = 0; i < s->n; i++) {
    int v = order[i], e = s->parent[v];
    if (e < 0)
      continue;
    s->edges[e].cut = (s->edges[e].tail == v ? 1 : -1) * balance[v];
    balance[far_end (s, e, v)] += balance[v];
  }
}

static gboolean
below (const Simplex *s, int v, int w)
{
  return s->low[v] <= s->limit[w] && s->limit[w] <= s->limit[v];
}

/* One exchange; FALSE when the ranks are best. */
static gboolean
pivot (Simplex *s, int *start)
{
  int leave = -1, enter = -1;

  for (int k = 0; k < s->m && leave < 0; k++) {
    int e = (*start + k) % s->m;
    if (s->edges[e].tree && s->edges[e].cut < 0)
      leave = e;
  }
  if (leave < 0)
    return FALSE;
  *start = (leave + 1) % s->m;
  /* v: the end of the leaving edge whose subtree hangs on it */
  int tail = s->edges[leave].tail, head = s->edges[leave].head;
  gboolean tail_below = s->parent[tail] == leave;
  int v = tail_below ? tail : head;
  for (int e = 0; e < s->m; e++) {
    gboolean a = below (s, v, s->edges[e].tail), b = below (s, v, s->edges[e].head);
    /* against the direction of the leaving edge */
    if (s->edges[e].tree || a == b || (tail_below ? !b : !a))
      continue;
    if (enter < 0 || slack (s, e) < slack (s, enter))
      enter = e;
  }
  if (enter < 0)
    return FALSE;
  int shift = tail_below ? -slack (s, enter) : slack (s, enter);
  for (int w = 0; w < s->n; w++)
    if (below (s, v, w))
      s->rank[w] += shift;
  s->edges[leave].tree = FALSE;
  s->edges[enter].tree = TRUE;
  number_tree (s);
  cut_values (s);
  return TRUE;
}

void
ts_network_simplex (int n, TsRankEdge *edges, int m, int *ranks)
{
  Simplex s = {.n = n, .m = m, .edges = edges, .rank = ranks};

  if (n < 3 || m < 2)
    return;
  s.first = g_new0 (int, n + 2);
  s.list = g_new0 (int, 2 * m);
  s.low = g_new0 (int, n);
  s.limit = g_new0 (int, n);
  s.parent = g_new0 (int, n);
  for (int e = 0; e < m; e++) {
    edges[e].tree = FALSE;
    s.first[edges[e].tail + 1]++;
    s.first[edges[e].head + 1]++;
  }
  for (int v = 0; v < n; v++)
    s.first[v + 1] += s.first[v];
  g_autofree int *fill = g_memdup2 (s.first, (gsize) (n + 1) * sizeof (int));
  for (int e = 0; e < m; e++) {
    s.list[fill[edges[e].tail]++] = e;
    s.list[fill[edges[e].head]++] = e;
  }
  if (tight_tree (&s)) {
    int start = 0, limit = n < 400 ? 4 * n : n;
    number_tree (&s);
    cut_values (&s);
    while (limit-- > 0 && pivot (&s, &start))
      ;
  }
  g_free (s.first);
  g_free (s.list);
  g_free (s.low);
  g_free (s.limit);
  g_free (s.parent);
}
