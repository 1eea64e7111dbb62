/* SPDX-License-Identifier: MIT */
/* A step that has been done before: it allocates nothing, and its bits depend on nothing but its inputs.  One
 * small net has a layer of every kind. */
#include <string.h>

#include "engine/graph/session.h"
#include "engine/nn/apply.h"
#include "engine/optim/optimizer.h"

#define ROWS 40

/* ---- allocations, counted where the C library is glibc and no sanitizer has its own */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1
extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
static volatile gint allocations;
void *malloc (size_t n);
void *calloc (size_t n, size_t size);
void *realloc (void *p, size_t n);

void *
malloc (size_t n)
{
  __atomic_add_fetch (&allocations, 1, __ATOMIC_RELAXED);
  return __libc_malloc (n);
}

void *
calloc (size_t n, size_t size)
{
  __atomic_add_fetch (&allocations, 1, __ATOMIC_RELAXED);
  return __libc_calloc (n, size);
}

void *
realloc (void *p, size_t n)
{
  __atomic_add_fetch (&allocations, 1, __ATOMIC_RELAXED);
  return __libc_realloc (p, n);
}
#endif

typedef struct {
  TsGraph *graph;
  TsValue *x, *t, *loss;
  TsMinimize minimize;
} Net;

/* An image through convolutions, its lines as a sequence through recurrence and attention. */
static void
net_init (Net *n)
{
  static const struct {
    const char *name, *params;
  } chain[] = {{"conv2d", "filters=6, kernel=3, bias=false"},
               {"bn", NULL},
               {"relu", NULL},
               {"maxpool", "size=2"},
               {"sepconv2d", "filters=8, kernel=3"},
               {"gelu", NULL},
               {"avgpool", "size=2"},
               {"reshape", "shape=[4, 16]"},
               {"lstm", "units=8, seq=true"},
               {"ln", NULL},
               {"mha", "heads=2"},
               {"dropout", "rate=0.2"},
               {"gru", "units=6"},
               {"dense", "units=5"}};
  g_autoptr (GError) error = NULL;

  n->graph = ts_graph_new ();
  n->x = ts_graph_placeholder (n->graph, "x", TS_F32, &TS_SHAPE (TS_ANY, 16, 8, 2), &error);
  n->t = ts_graph_placeholder (n->graph, "t", TS_I32, &TS_SHAPE (TS_ANY), &error);
  TsValue *y = n->x;
  for (guint i = 0; i < G_N_ELEMENTS (chain); i++) {
    y = ts_apply (n->graph, y, chain[i].name, chain[i].params, &error);
    g_assert_no_error (error);
  }
  TsValue *each = ts_apply2 (n->graph, y, n->t, "softmax_xent", NULL, &error);
  n->loss = ts_apply (n->graph, each, "reduce_mean", NULL, &error);
  ts_minimize_by_name (n->graph, n->loss, "adam", "lr=0.01", &n->minimize, &error);
  g_assert_no_error (error);
}

static void
net_clear (Net *n)
{
  ts_minimize_clear (&n->minimize);
  ts_graph_unref (n->graph);
}

static void
fill (float *x, gint32 *t)
{
  TsRng rng = {3, 4};

  for (guint i = 0; i < ROWS * 256; i++)
    x[i] = ts_rng_uniform (rng, i) - 0.5f;
  for (guint i = 0; i < ROWS; i++)
    t[i] = (gint32) (i * 3 % 5);
}

/* @n steps; the bytes of all variables afterwards. */
static GBytes *
train (const Net *n, guint threads, gboolean everything, guint steps, gint *allocated)
{
  static float x[ROWS * 256];
  static gint32 t[ROWS];
  guint n_values = ts_graph_get_n_values (n->graph), n_fetches = 0;
  g_autofree TsValue **fetches = g_new (TsValue *, n_values + 1);
  TsValue *feeds[] = {n->x, n->t};
  TsFeedSource sources[] = {{TS_F32, x, NULL, 1}, {TS_I32, t, NULL, 1}};
  TsSession *s = ts_session_new (n->graph, 5, threads);
  GByteArray *bytes = g_byte_array_new ();

  fill (x, t);
  fetches[n_fetches++] = n->loss;
  for (guint i = 0; everything && i < n_values; i++)
    if (ts_graph_get_value (n->graph, i)->kind != TS_VALUE_STATE)
      fetches[n_fetches++] = ts_graph_get_value (n->graph, i);
  ts_session_init_variables (s);
  TsProgram *p =
      ts_program_new (s, feeds, 2, fetches, n_fetches, &n->minimize.step, 1, ROWS, TRUE, NULL);
  for (guint step = 1; step <= steps; step++) {
#ifdef COUNTS_ALLOCATIONS
    if (step == 4)
      *allocated = __atomic_load_n (&allocations, __ATOMIC_RELAXED);
#endif
    ts_session_set_step (s, step);
    g_assert_true (ts_program_run (p, sources, NULL));
  }
#ifdef COUNTS_ALLOCATIONS
  *allocated = __atomic_load_n (&allocations, __ATOMIC_RELAXED) - *allocated;
#endif
  for (guint i = 0; i < n_values; i++) {
    const TsValue *v = ts_graph_get_value (n->graph, i);
    if (ts_node_is_variable (v->node))
      g_byte_array_append (bytes, ts_session_get_variable (s, v), (guint) ts_value_row_bytes (v));
  }
  ts_program_free (p);
  ts_session_free (s);
  return g_byte_array_free_to_bytes (bytes);
}

static void
test_no_allocations (void)
{
#ifdef COUNTS_ALLOCATIONS
  gint allocated = -1;
  Net n;

  net_init (&n);
  g_autoptr (GBytes) state = train (&n, 2, FALSE, 30, &allocated);
  g_assert_cmpint (allocated, ==, 0);
  g_assert_cmpint (allocations, >, 0);
  net_clear (&n);
#else
  g_test_skip ("allocations are counted with glibc and without sanitizers only");
#endif
}

/* 1, 2, 3, 4 threads, and everything kept instead of scratch: the same bits after 30 steps. */
static void
test_same_bits (void)
{
  gint allocated;
  Net n;

  net_init (&n);
  g_autoptr (GBytes) want = train (&n, 1, FALSE, 30, &allocated);
  for (guint threads = 1; threads <= 4; threads++)
    for (guint everything = 0; everything < 2; everything++) {
      g_autoptr (GBytes) got = train (&n, threads, everything, 30, &allocated);
      if (!g_bytes_equal (want, got))
        g_error ("other bits with %u threads%s", threads, everything ? ", everything fetched" : "");
    }
  g_autoptr (GBytes) fewer = train (&n, 1, FALSE, 29, &allocated);
  g_assert_false (g_bytes_equal (want, fewer));
  net_clear (&n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/warm/no-allocations", test_no_allocations);
  g_test_add_func ("/warm/same-bits", test_same_bits);
  return g_test_run ();
}
