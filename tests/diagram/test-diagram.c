/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ui/diagram/diagram-private.h"

typedef struct {
  GArray *nodes, *edges, *scopes;
} Input;

static guint32
draw (guint32 *state, guint32 below)
{
  *state = *state * 1664525u + 1013904223u;
  return (guint32) (((guint64) (*state >> 8) * below) >> 24);
}

static Input
input_new (void)
{
  Input in = {g_array_new (FALSE, TRUE, sizeof (TsDiagramNode)),
              g_array_new (FALSE, TRUE, sizeof (TsDiagramEdge)),
              g_array_new (FALSE, TRUE, sizeof (TsDiagramScope))};
  TsDiagramScope root = {0, TRUE, 0, 0};

  g_array_append_val (in.scopes, root);
  return in;
}

static void
input_clear (Input *in)
{
  g_array_unref (in->nodes);
  g_array_unref (in->edges);
  g_array_unref (in->scopes);
}

static TsDiagram *
layout (const Input *in)
{
  return ts_diagram_new ((const TsDiagramNode *) in->nodes->data, in->nodes->len,
                         (const TsDiagramEdge *) in->edges->data, in->edges->len,
                         (const TsDiagramScope *) in->scopes->data, in->scopes->len);
}

static void
add_node (Input *in, float w, float h, int scope)
{
  TsDiagramNode n = {w, h, scope};

  g_array_append_val (in->nodes, n);
}

static void
add_edge (Input *in, int from, int to, gboolean control)
{
  TsDiagramEdge e = {from, to, control};

  g_array_append_val (in->edges, e);
}

/* An acyclic graph of @n nodes in nested scopes, some of them closed. */
static Input
random_input (guint32 seed, guint n, guint n_scopes, guint percent_open)
{
  Input in = input_new ();
  guint32 s = seed;

  for (guint i = 1; i < n_scopes; i++) {
    TsDiagramScope scope = {(int) draw (&s, MIN (i, 6)), draw (&s, 100) < percent_open, 90, 34};
    g_array_append_val (in.scopes, scope);
  }
  for (guint i = 0; i < n; i++)
    add_node (&in, 40 + (float) draw (&s, 80), 20 + (float) draw (&s, 30),
              (int) draw (&s, n_scopes));
  for (guint i = 1; i < n; i++)
    for (guint k = 0; k <= draw (&s, 2); k++)
      add_edge (&in, (int) draw (&s, i), (int) i, draw (&s, 10) == 0);
  return in;
}

static gboolean
overlap (const TsDiagramBox *a, const TsDiagramBox *b)
{
  float e = 0.01f;

  return a->x + a->w > b->x + e && b->x + b->w > a->x + e && a->y + a->h > b->y + e &&
         b->y + b->h > a->y + e;
}

static gboolean
inside (const TsDiagramBox *a, const TsDiagramBox *b)
{
  float e = 0.05f;

  return a->x >= b->x - e && a->y >= b->y - e && a->x + a->w <= b->x + b->w + e &&
         a->y + a->h <= b->y + b->h + e;
}

static gboolean
on_border (const TsDiagramBox *b, const TsDiagramPoint *p)
{
  float e = 0.05f;

  return p->x >= b->x - e && p->x <= b->x + b->w + e &&
         (fabsf (p->y - b->y) < e || fabsf (p->y - b->y - b->h) < e);
}

static gboolean
scope_shown (const Input *in, int scope)
{
  while (scope) {
    const TsDiagramScope *s = &g_array_index (in->scopes, TsDiagramScope, scope);
    scope = s->parent;
    if (scope && !g_array_index (in->scopes, TsDiagramScope, scope).open)
      return FALSE;
  }
  return TRUE;
}

/* 1. Siblings never overlap; every child lies inside its scope. */
static void
check_boxes (const Input *in, const TsDiagram *d)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TsDiagramBox));
  g_autoptr (GArray) parents = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < in->nodes->len; i++) {
    int scope = g_array_index (in->nodes, TsDiagramNode, i).scope;
    gboolean visible = scope_shown (in, scope) &&
                       (scope == 0 || g_array_index (in->scopes, TsDiagramScope, scope).open);
    g_assert_cmpint (d->nodes[i].visible, ==, visible);
    if (visible) {
      g_array_append_val (boxes, d->nodes[i]);
      g_array_append_val (parents, scope);
    }
  }
  for (guint i = 1; i < in->scopes->len; i++) {
    g_assert_cmpint (d->scopes[i].visible, ==, scope_shown (in, (int) i));
    if (d->scopes[i].visible) {
      g_array_append_val (boxes, d->scopes[i]);
      g_array_append_val (parents, g_array_index (in->scopes, TsDiagramScope, i).parent);
    }
  }
  for (guint i = 0; i < boxes->len; i++) {
    const TsDiagramBox *a = &g_array_index (boxes, TsDiagramBox, i);
    int parent = g_array_index (parents, int, i);
    g_assert_true (isfinite (a->x) && isfinite (a->y));
    g_assert_true (inside (a, &d->scopes[parent]));
    for (guint j = 0; j < i; j++)
      if (g_array_index (parents, int, j) == parent)
        g_assert_false (overlap (a, &g_array_index (boxes, TsDiagramBox, j)));
  }
}

/* 2. A route's y never falls; 3. it starts and ends on borders; consecutive routes of an edge meet;
 * 4. every edge whose ends show as different boxes is drawn from one to the other. */
static void
check_routes (const Input *in, const TsDiagram *d)
{
  g_autofree int *drawn = g_new0 (int, in->edges->len + 1);

  for (guint i = 0; i < d->routes->len; i++) {
    const TsDiagramRoute *r = &g_array_index (d->routes, TsDiagramRoute, i);
    const TsDiagramPoint *p = &g_array_index (d->points, TsDiagramPoint, r->first_point);
    g_assert_cmpuint (r->n_points, >=, 2);
    for (guint k = 1; k < r->n_points; k++)
      g_assert_cmpfloat (p[k].y, >=, p[k - 1].y - 0.01f);
    for (guint k = 0; k < r->n_edges; k++)
      drawn[g_array_index (d->bundled, int, r->first_edge + k)]++;
  }
  for (guint i = 0; i < in->edges->len; i++) {
    const TsDiagramEdge *e = &g_array_index (in->edges, TsDiagramEdge, i);
    const TsDiagramBox *from = &d->nodes[e->from], *to = &d->nodes[e->to];
    if (!from->visible || !to->visible)
      continue;
    gboolean starts = FALSE, ends = FALSE;
    for (guint q = 0; q < d->routes->len; q++) {
      const TsDiagramRoute *r = &g_array_index (d->routes, TsDiagramRoute, q);
      const TsDiagramPoint *p = &g_array_index (d->points, TsDiagramPoint, r->first_point);
      for (guint k = 0; k < r->n_edges; k++)
        if (g_array_index (d->bundled, int, r->first_edge + k) == (int) i) {
          starts |= on_border (from, &p[0]) || on_border (from, &p[r->n_points - 1]);
          ends |= on_border (to, &p[0]) || on_border (to, &p[r->n_points - 1]);
        }
    }
    g_assert_cmpint (drawn[i], >, 0);
    g_assert_true (starts && ends);
  }
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 120; seed++) {
    Input in = random_input (seed, 4 + seed % 60, 1 + seed % 9, seed % 4 ? 70 : 100);
    g_autoptr (TsDiagram) d = layout (&in), again = layout (&in);

    check_boxes (&in, d);
    check_routes (&in, d);
    /* the same input gives the same bytes */
    g_assert_cmpmem (d->nodes, in.nodes->len * sizeof (TsDiagramBox), again->nodes,
                     in.nodes->len * sizeof (TsDiagramBox));
    g_assert_cmpmem (d->points->data, d->points->len * sizeof (TsDiagramPoint), again->points->data,
                     again->points->len * sizeof (TsDiagramPoint));
    input_clear (&in);
  }
}

/* Without scopes an acyclic graph has no reversed edge and all data flow down. */
static void
test_flat (void)
{
  for (guint32 seed = 1; seed <= 30; seed++) {
    Input in = random_input (seed * 77, 40, 1, 100);
    g_autoptr (TsDiagram) d = layout (&in);

    for (guint i = 0; i < d->routes->len; i++)
      g_assert_false (g_array_index (d->routes, TsDiagramRoute, i).reversed);
    for (guint i = 0; i < in.edges->len; i++) {
      const TsDiagramEdge *e = &g_array_index (in.edges, TsDiagramEdge, i);
      g_assert_cmpfloat (d->nodes[e->from].y + d->nodes[e->from].h, <=, d->nodes[e->to].y);
    }
    input_clear (&in);
  }
}

/* A chain is a straight line; a diamond is symmetric; a side input does not float to the top. */
static void
test_small (void)
{
  Input in = input_new ();

  for (int i = 0; i < 5; i++)
    add_node (&in, 60 + 10 * (float) i, 24, 0);
  for (int i = 0; i < 4; i++)
    add_edge (&in, i, i + 1, FALSE);
  add_node (&in, 30, 20, 0); /* feeds the fourth */
  add_edge (&in, 5, 3, FALSE);
  g_autoptr (TsDiagram) d = layout (&in);
  for (int i = 1; i < 5; i++)
    g_assert_cmpfloat_with_epsilon (d->nodes[i].x + d->nodes[i].w / 2,
                                    d->nodes[0].x + d->nodes[0].w / 2, 0.01f);
  g_assert_cmpfloat (d->nodes[5].y, >, d->nodes[1].y);
  g_assert_cmpfloat (d->nodes[5].y, <, d->nodes[3].y);
  input_clear (&in);

  in = input_new ();
  for (int i = 0; i < 4; i++)
    add_node (&in, 50, 20, 0);
  add_edge (&in, 0, 1, FALSE);
  add_edge (&in, 0, 2, FALSE);
  add_edge (&in, 1, 3, FALSE);
  add_edge (&in, 2, 3, FALSE);
  g_autoptr (TsDiagram) diamond = layout (&in);
  g_assert_cmpfloat_with_epsilon (diamond->nodes[1].y, diamond->nodes[2].y, 0.01f);
  g_assert_cmpfloat_with_epsilon (diamond->nodes[0].x, diamond->nodes[3].x, 5.0f);
  input_clear (&in);
}

/* A cycle through two scopes: one edge goes up, nothing breaks. */
static void
test_cycle (void)
{
  Input in = input_new ();
  TsDiagramScope a = {0, TRUE, 80, 30}, b = {0, TRUE, 80, 30};

  g_array_append_val (in.scopes, a);
  g_array_append_val (in.scopes, b);
  add_node (&in, 40, 20, 1);
  add_node (&in, 40, 20, 2);
  add_node (&in, 40, 20, 1);
  add_edge (&in, 0, 1, FALSE);
  add_edge (&in, 1, 2, FALSE);
  add_edge (&in, 2, 2, FALSE); /* a loop is nothing to draw */
  g_autoptr (TsDiagram) d = layout (&in);
  guint reversed = 0;
  for (guint i = 0; i < d->routes->len; i++) {
    const TsDiagramRoute *r = &g_array_index (d->routes, TsDiagramRoute, i);
    reversed += r->level == 0 && r->reversed;
  }
  g_assert_cmpuint (reversed, ==, 1);
  check_boxes (&in, d);
  input_clear (&in);
}

/* Opening a scope keeps the layers and the order of everything outside it. */
static void
test_stable (void)
{
  for (guint32 seed = 1; seed <= 40; seed++) {
    Input in = random_input (seed * 31, 50, 7, 0);
    g_autoptr (TsDiagram) closed = layout (&in);
    guint which = 1 + seed % 6;
    if (!closed->scopes[which].visible) {
      input_clear (&in);
      continue;
    }
    int parent = g_array_index (in.scopes, TsDiagramScope, which).parent;
    g_array_index (in.scopes, TsDiagramScope, which).open = TRUE;
    g_autoptr (TsDiagram) open = layout (&in);
    for (guint i = 0; i < in.nodes->len; i++)
      for (guint j = 0; j < i; j++) {
        int si = g_array_index (in.nodes, TsDiagramNode, i).scope,
            sj = g_array_index (in.nodes, TsDiagramNode, j).scope;
        if (si != parent || sj != parent || !closed->nodes[i].visible)
          continue;
        float a = closed->nodes[i].y + closed->nodes[i].h / 2 - closed->nodes[j].y -
                  closed->nodes[j].h / 2;
        float b = open->nodes[i].y + open->nodes[i].h / 2 - open->nodes[j].y - open->nodes[j].h / 2;
        g_assert_true ((fabsf (a) < 0.1f) == (fabsf (b) < 0.1f)); /* same layer stays same layer */
        if (fabsf (a) < 0.1f)
          g_assert_cmpint (closed->nodes[i].x < closed->nodes[j].x, ==,
                           open->nodes[i].x < open->nodes[j].x);
      }
    g_array_index (in.scopes, TsDiagramScope, which).open = FALSE;
    g_autoptr (TsDiagram) back = layout (&in);
    g_assert_cmpmem (closed->nodes, in.nodes->len * sizeof (TsDiagramBox), back->nodes,
                     in.nodes->len * sizeof (TsDiagramBox));
    input_clear (&in);
  }
}

/* Ranks of the network simplex are feasible and at least as short as the longest-path start; on
 * small graphs they are the best there are. */
static void
test_simplex (void)
{
  for (guint32 seed = 1; seed <= 300; seed++) {
    guint32 s = seed;
    int n = 4 + (int) draw (&s, 3), m = 0, ranks[8], best = G_MAXINT, trial[8];
    TsRankEdge edges[40];

    for (int i = 1; i < n; i++)
      edges[m++] = (TsRankEdge){(int) draw (&s, (guint32) i), i, 1 + (int) draw (&s, 4), 0, FALSE};
    for (int k = 0; k < 4; k++) {
      int a = (int) draw (&s, (guint32) n), b = (int) draw (&s, (guint32) n);
      if (a < b)
        edges[m++] = (TsRankEdge){a, b, 1 + (int) draw (&s, 4), 0, FALSE};
    }
    for (int i = 0; i < n; i++)
      ranks[i] = i;
    ts_network_simplex (n, edges, m, ranks);
    int length = 0;
    for (int e = 0; e < m; e++) {
      g_assert_cmpint (ranks[edges[e].head], >, ranks[edges[e].tail]);
      length += edges[e].weight * (ranks[edges[e].head] - ranks[edges[e].tail]);
    }
    int total = 1;
    for (int i = 0; i < n; i++)
      total *= n;
    for (int code = 0; code < total; code++) {
      int rest = code, sum = 0;
      for (int i = 0; i < n; i++, rest /= n)
        trial[i] = rest % n;
      for (int e = 0; e < m && sum < G_MAXINT / 2; e++) {
        int span = trial[edges[e].head] - trial[edges[e].tail];
        sum = span < 1 ? G_MAXINT / 2 : sum + edges[e].weight * span;
      }
      best = MIN (best, sum);
    }
    g_assert_cmpint (length, ==, best);
  }
}

static void
test_large (void)
{
  Input in = random_input (99, 3000, 60, 60);
  g_autoptr (TsDiagram) d = layout (&in);

  check_boxes (&in, d);
  g_assert_cmpfloat (d->width, >, 0);
  input_clear (&in);

  /* nothing at all */
  in = input_new ();
  g_autoptr (TsDiagram) empty = layout (&in);
  g_assert_cmpfloat (empty->width, >, 0);
  input_clear (&in);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/simplex", test_simplex);
  g_test_add_func ("/diagram/small", test_small);
  g_test_add_func ("/diagram/flat", test_flat);
  g_test_add_func ("/diagram/cycle", test_cycle);
  g_test_add_func ("/diagram/random", test_random);
  g_test_add_func ("/diagram/stable", test_stable);
  g_test_add_func ("/diagram/large", test_large);
  return g_test_run ();
}
