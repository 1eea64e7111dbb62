/* SPDX-License-Identifier: MIT */
/* Runs that are allowed but rare: each was wrong once. */
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/eager.h"
#include "engine/graph/partial.h"
#include "engine/graph/session.h"
#include "engine/graph/variables.h"

static const TsShape scalar = {0};

static TsTensor *
tensor (TsShape shape, double first)
{
  TsTensor *t = ts_tensor_new (TS_F32, &shape);

  for (gint64 i = 0; i < ts_tensor_elems (t); i++)
    ts_tensor_set (t, i, first + (double) i);
  return t;
}

static TsNode *
node (TsGraph *g, const char *op, TsValue *a, TsValue *b)
{
  TsValue *in[] = {a, b};
  g_autoptr (GError) error = NULL;
  TsNode *n = ts_graph_add (g, op, NULL, in, b ? 2 : 1, NULL, &error);

  g_assert_no_error (error);
  return n;
}

static double
fetch (TsSession *s, TsValue *feed, TsTensor *data, TsValue *what, gint64 i)
{
  g_autoptr (GError) error = NULL;
  TsTensor *out = NULL;

  ts_session_run (s, &feed, &data, feed ? 1 : 0, &what, 1, NULL, 0, TRUE, &out, &error);
  g_assert_no_error (error);
  double x = ts_tensor_get (out, i);
  ts_tensor_unref (out);
  return x;
}

/* A variable that is fed has the fed value in this run, for the copies derived from it too, and its own in
 * the next. */
static void
test_feed_variable (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (1, 2), NULL);
  TsValue *w = ts_graph_variable (g, "w", TS_F32, &TS_SHAPE (2, 2), "zeros", 0, TRUE, NULL);
  TsValue *sum = node (g, "reduce_sum", node (g, "dense", x, w)->out[0], NULL)->out[0];
  TsValue *turned = node (g, "dense", x, ts_graph_derive (g, "transpose", w))->out[0];
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  g_autoptr (TsTensor) rows = tensor (TS_SHAPE (1, 2), 1), given = tensor (TS_SHAPE (2, 2), 1);
  TsValue *feeds[] = {x, w}, *fetches[] = {sum, turned};
  TsTensor *data[] = {rows, given}, *out[2] = {NULL};

  ts_session_init_variables (s);
  g_assert_true (ts_session_run (s, feeds, data, 2, fetches, 2, NULL, 0, TRUE, out, NULL));
  g_assert_cmpfloat (ts_tensor_get (out[0], 0), ==, 1 + 2 + 2 * 3 + 2 * 4);
  g_assert_cmpfloat (ts_tensor_get (out[1], 1), ==, 3 + 2 * 4); /* by the transposed kernel */
  ts_tensor_unref (out[0]);
  ts_tensor_unref (out[1]);
  g_assert_cmpfloat (fetch (s, x, rows, sum, 0), ==, 0);
}

static void
test_eager_keeps_nodes (void)
{
  g_autoptr (TsEager) e = ts_eager_new (1);
  g_autoptr (TsTensor) image = tensor (TS_SHAPE (1, 4, 4, 1), -6);
  TsEagerValue *x = ts_eager_tensor (e, image);
  TsEagerValue *y = ts_eager_apply (e, "relu", NULL, &x, 1, NULL, NULL);
  g_autoptr (GError) error = NULL;
  TsTensor *grad = NULL;

  y = ts_eager_apply (e, "maxpool", NULL, &y, 1, "size=2", &error);
  g_assert_no_error (error);
  g_assert_cmpint (ts_tensor_elems (ts_eager_value_get (y)), ==, 4);
  g_assert_cmpfloat (ts_tensor_get (ts_eager_value_get (y), 3), ==, 9);
  y = ts_eager_apply (e, "reduce_sum", NULL, &y, 1, NULL, NULL);
  g_assert_true (ts_eager_gradients (e, y, &x, 1, &grad, NULL));
  ts_tensor_unref (grad);
  ts_eager_set_step (e, 5);
  y = ts_eager_apply (e, "tanh", NULL, &y, 1, NULL, NULL);
  g_assert_false (ts_eager_gradients (e, y, &x, 1, &grad, &error));
  g_assert_nonnull (strstr (error->message, "several steps"));
}

/* What runs for order's sake runs once, however many pieces wait for it. */
static void
test_pieces_run_once (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *v = ts_graph_variable (g, "v", TS_F32, &scalar, "zeros", 0, FALSE, NULL);
  TsValue *one = ts_graph_constant (g, "one", TS_F32, &scalar, 1);
  TsNode *add = node (g, "assign_add", v, one);
  ts_graph_push_control (g, &add, 1);
  TsValue *fetches[] = {node (g, "neg", one, NULL)->out[0], node (g, "tanh", one, NULL)->out[0]};
  ts_graph_pop_control (g);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  g_autoptr (TsPartialRun) run = ts_partial_run_new (s, NULL, 0, fetches, 2, TRUE, NULL);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (ts_partial_run_step (run, NULL, NULL, 0, &fetches[i], 1, &out, NULL));
    ts_tensor_unref (out);
    g_assert_cmpfloat (*(const float *) ts_session_get_variable (s, v), ==, 1);
  }
}

/* A variable whose name was taken is still found by the name that was asked for. */
static void
test_taken_name (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *v[2];

  ts_graph_push_variable_scope (g, "a", TS_REUSE_AUTO);
  ts_graph_constant (g, "w", TS_F32, &scalar, 1);
  for (guint i = 0; i < 2; i++)
    v[i] = ts_graph_get_variable (g, "w", TS_F32, &scalar, "zeros", 0, TRUE, NULL);
  ts_graph_pop_variable_scope (g);
  g_assert_true (v[0] && v[0] == v[1]);
}

static void
keep_line (gpointer data, const TsNode *n, const char *text)
{
  g_ptr_array_add (data, g_strdup (text));
}

/* An order that is asked of a view holds for who reads it. */
static void
test_order_through_view (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 2), NULL);
  TsValue *mean = node (g, "reduce_mean", node (g, "tanh", x, NULL)->out[0], NULL)->out[0];
  TsValue *first = ts_graph_print (g, mean, "first ", -1, 1, NULL);
  ts_graph_push_control (g, &first->node, 1);
  TsValue *view = node (g, "identity", x, NULL)->out[0];
  ts_graph_pop_control (g);
  TsValue *second = ts_graph_print (g, view, "second ", -1, 1, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  g_autoptr (TsTensor) data = tensor (TS_SHAPE (9, 2), 0);

  ts_session_init_variables (s);
  ts_session_set_printer (s, keep_line, lines);
  fetch (s, x, data, second, 0);
  g_assert_cmpuint (lines->len, ==, 2);
  g_assert_true (g_str_has_prefix (lines->pdata[0], "first"));
}

static void
test_empty_batch (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 3), NULL);
  TsValue *sum = node (g, "reduce_sum", x, NULL)->out[0];
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  g_autoptr (TsTensor) full = tensor (TS_SHAPE (64, 3), 1), none = tensor (TS_SHAPE (0, 3), 0);
  TsPlanMemory *memory = ts_plan_memory_new (2);

  ts_session_use_memory (s, memory);
  ts_session_init_variables (s);
  g_assert_cmpfloat (fetch (s, x, full, sum, 0), ==, 192 * 193 / 2);
  g_assert_cmpfloat (fetch (s, x, none, sum, 0), ==, 0);
  ts_plan_memory_unref (memory);
}

static void
test_grown_graph (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *one = ts_graph_constant (g, "one", TS_F32, &scalar, 1);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  g_autoptr (GError) error = NULL;
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  TsValue *late = node (g, "neg", one, NULL)->out[0];
  g_assert_false (ts_session_run (s, NULL, NULL, 0, &late, 1, NULL, 0, TRUE, &out, &error));
  g_assert_nonnull (strstr (error->message, "grown"));
}

/* What does not fit is refused when the graph is built. */
static void
test_too_large (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  gint64 many = (gint64) 1 << 40;

  g_assert_null (
      ts_graph_variable (g, "w", TS_F32, &TS_SHAPE (many, many), "zeros", 0, TRUE, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/odd-runs/feed-variable", test_feed_variable);
  g_test_add_func ("/odd-runs/eager-keeps-nodes", test_eager_keeps_nodes);
  g_test_add_func ("/odd-runs/pieces-run-once", test_pieces_run_once);
  g_test_add_func ("/odd-runs/taken-name", test_taken_name);
  g_test_add_func ("/odd-runs/order-through-view", test_order_through_view);
  g_test_add_func ("/odd-runs/empty-batch", test_empty_batch);
  g_test_add_func ("/odd-runs/grown-graph", test_grown_graph);
  g_test_add_func ("/odd-runs/too-large", test_too_large);
  return g_test_run ();
}
