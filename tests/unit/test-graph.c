/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/graph-dump.h"
#include "engine/graph/session.h"
#include "engine/nn/layer.h"
#include "engine/optim/optimizer.h"

static TsTensor *
tensor (TsDtype dtype, TsShape shape, const double *values)
{
  TsTensor *t = ts_tensor_new (dtype, &shape);

  for (gint64 i = 0; i < ts_tensor_elems (t); i++)
    ts_tensor_set (t, i, values[i]);
  return t;
}

static TsValue *
op (TsGraph *g, const char *name, TsValue *a, TsValue *b)
{
  TsValue *in[] = {a, b};
  g_autoptr (GError) error = NULL;
  TsNode *node = ts_graph_add (g, name, NULL, in, b ? 2 : 1, NULL, &error);

  g_assert_no_error (error);
  return node->out[0];
}

static double
fetch (TsSession *s, TsValue *v)
{
  TsTensor *out = NULL;
  g_autoptr (GError) error = NULL;

  ts_session_run (s, NULL, NULL, 0, &v, 1, NULL, 0, FALSE, &out, &error);
  g_assert_no_error (error);
  double value = ts_tensor_get (out, 0);
  ts_tensor_unref (out);
  return value;
}

/* The first lesson: the graph only says what to do; the session does it. */
static void
test_two_plus_three (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsShape scalar = TS_SCALAR;
  TsValue *two = ts_graph_constant (g, "two", TS_F32, &scalar, 2);
  TsValue *three = ts_graph_constant (g, "three", TS_F32, &scalar, 3);
  TsValue *sum = op (g, "add", two, three);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);

  g_assert_cmpfloat (fetch (s, sum), ==, 5); /* no variables: nothing to initialise */
  g_assert_cmpstr (sum->node->name, ==, "add");
}

static void
test_names (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsShape scalar = TS_SCALAR;

  g_assert_cmpstr (ts_graph_constant (g, "a", TS_F32, &scalar, 1)->node->name, ==, "a");
  g_assert_cmpstr (ts_graph_constant (g, "a", TS_F32, &scalar, 1)->node->name, ==, "a_1");
  ts_graph_push_scope (g, "layer");
  g_assert_cmpstr (ts_graph_constant (g, "a", TS_F32, &scalar, 1)->node->name, ==, "layer/a");
  ts_graph_pop_scope (g);
  ts_graph_push_scope (g, "layer");
  g_assert_cmpstr (ts_graph_get_scope (g), ==, "layer_1");
  TsNode *node = ts_graph_constant (g, "a", TS_F32, &scalar, 1)->node;
  g_assert_cmpstr (node->name, ==, "layer_1/a");
  ts_graph_pop_scope (g);
  g_assert_true (ts_graph_lookup (g, "layer_1/a") == node);
  g_assert_null (ts_graph_lookup (g, "layer_2/a"));

  g_autoptr (GError) error = NULL;
  g_assert_null (ts_graph_add (g, "dens", NULL, NULL, 0, NULL, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME);
}

static void
expect_run_error (TsSession *s, TsValue *feed, TsTensor *data, TsValue *fetch_value,
                  const char *want)
{
  TsTensor *out = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (ts_session_run (s, &feed, &data, feed ? 1 : 0, &fetch_value, 1, NULL, 0, FALSE,
                                  &out, &error));
  g_assert_cmpstr (error->message, ==, want);
}

static void
test_feeds (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (2), NULL);
  TsValue *y = ts_graph_placeholder (g, "y", TS_F32, &TS_SHAPE (TS_ANY, 3), NULL);
  TsValue *r = op (g, "relu", x, NULL), *sum = op (g, "reduce_sum", r, NULL);
  TsValue *rows = op (g, "reduce_mean", y, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  g_autoptr (TsTensor) three = tensor (TS_F32, TS_SHAPE (3), (double[]){1, 2, 3});
  g_autoptr (TsTensor) two = tensor (TS_F32, TS_SHAPE (2), (double[]){-1, 4});
  g_autoptr (TsTensor) flags = tensor (TS_BOOL, TS_SHAPE (2), (double[]){0, 1});
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  expect_run_error (
      s, NULL, NULL, sum,
      "You must feed a value for placeholder tensor 'x' with dtype f32 and shape (2,)");
  expect_run_error (
      s, NULL, NULL, rows,
      "You must feed a value for placeholder tensor 'y' with dtype f32 and shape (?, 3)");
  expect_run_error (s, x, three, sum,
                    "Cannot feed value of shape (3,) for Tensor 'x', which has shape (2,)");
  expect_run_error (s, x, flags, sum,
                    "Cannot feed value of type bool for Tensor 'x', which has type f32");

  /* what is not needed need not be fed */
  g_assert_true (ts_session_run (s, &x, &two, 1, &sum, 1, NULL, 0, FALSE, &out, NULL));
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 4);
  ts_tensor_unref (out);
  /* any value may be fed: here relu's result, so x is not needed */
  g_assert_true (ts_session_run (s, &r, &two, 1, &sum, 1, NULL, 0, FALSE, &out, NULL));
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 3);
  ts_tensor_unref (out);
}

static void
test_batches_agree (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 2), NULL);
  TsValue *y = ts_graph_placeholder (g, "y", TS_F32, &TS_SHAPE (TS_ANY, 2), NULL);
  TsValue *sum = op (g, "add", x, y), *feeds[] = {x, y};
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  TsTensor *a = tensor (TS_F32, TS_SHAPE (1, 2), (double[]){1, 2});
  TsTensor *b = tensor (TS_F32, TS_SHAPE (2, 2), (double[]){1, 2, 3, 4});
  TsTensor *data[] = {a, b}, *out = NULL;
  g_autoptr (GError) error = NULL;

  ts_session_init_variables (s);
  g_assert_false (ts_session_run (s, feeds, data, 2, &sum, 1, NULL, 0, FALSE, &out, &error));
  g_assert_cmpstr (error->message, ==, "the batch is 1 rows for 'x' but 2 rows for 'y'");
  data[0] = b;
  g_assert_true (ts_session_run (s, feeds, data, 2, &sum, 1, NULL, 0, FALSE, &out, NULL));
  g_assert_cmpint (out->shape.dim[0], ==, 2);
  g_assert_cmpfloat (ts_tensor_get (out, 3), ==, 8);
  ts_tensor_unref (out);
  ts_tensor_unref (a);
  ts_tensor_unref (b);
}

/* ---- networks */

typedef struct {
  TsGraph *graph;
  TsValue *x, *t, *y, *loss;
  TsMinimize minimize;
} Net;

static TsValue *
layer (TsGraph *g, TsValue *x, const char *text, int units, TsLayer **keep)
{
  const TsLayerClass *k = ts_layer_lookup ("dense");
  TsParams p;
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, k->params);
  ts_params_set_number (&p, "units", units, NULL);
  ts_params_set_text (&p, "act", text, NULL);
  TsLayer *l = ts_layer_new (k, NULL, &p);
  TsValue *y = ts_layer_apply (l, g, &x, 1, &error);
  g_assert_no_error (error);
  if (keep)
    *keep = l;
  else
    ts_layer_free (l);
  return y;
}

static void
net_init (Net *n, const char *optimizer)
{
  TsGraph *g = n->graph = ts_graph_new ();
  TsParams p;
  g_autoptr (GError) error = NULL;

  n->x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 40), NULL);
  n->t = ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL);
  TsValue *h = layer (g, n->x, "relu", 330, NULL);
  ts_params_init (&p, ts_op_lookup ("dropout")->params);
  ts_params_set_number (&p, "rate", 0.25, NULL);
  h = ts_graph_add (g, "dropout", NULL, &h, 1, &p, NULL)->out[0];
  n->y = layer (g, layer (g, h, "tanh", 150, NULL), "linear", 10, NULL);
  n->loss = op (g, "reduce_mean", op (g, "softmax_xent", n->y, n->t), NULL);
  const TsOptimizerClass *o = ts_optimizer_lookup (optimizer);
  ts_params_init (&p, o->params);
  ts_minimize (g, n->loss, o, &p, &n->minimize, &error);
  g_assert_no_error (error);
}

static void
net_clear (Net *n)
{
  ts_minimize_clear (&n->minimize);
  ts_graph_unref (n->graph);
}

static guint64
hash_state (TsSession *s)
{
  TsGraph *g = ts_session_get_graph (s);
  guint64 h = 0xcbf29ce484222325u;

  for (guint i = 0; i < ts_graph_get_n_nodes (g); i++) {
    TsNode *node = ts_graph_get_node (g, i);
    if (node->n_out != 1 || node->out[0]->kind != TS_VALUE_STATE)
      continue;
    const guchar *p = ts_session_get_variable (s, node->out[0]);
    for (gsize k = 0; k < ts_value_row_bytes (node->out[0]); k++)
      h = (h ^ p[k]) * 0x100000001b3u;
  }
  return h;
}

#define ROWS 83 /* a short last slot, several runs */

static void
sample_batch (float *x, gint32 *t)
{
  for (guint i = 0; i < ROWS; i++) {
    t[i] = (gint32) (i % 10);
    for (guint k = 0; k < 40; k++)
      x[i * 40 + k] = ts_rng_normal ((TsRng){9, 1}, i * 40 + k) + (k / 4 == i % 10 ? 2 : 0);
  }
}

/* @everything: every value of the graph is fetched. */
static guint64
train (const char *optimizer, guint threads, gboolean everything, double *loss, TsPlanStats *stats)
{
  Net n;
  net_init (&n, optimizer);
  g_autoptr (TsSession) s = ts_session_new (n.graph, 5, threads);
  g_autoptr (GPtrArray) fetches = g_ptr_array_new ();
  static float x[ROWS * 40];
  static gint32 t[ROWS];
  TsValue *feeds[] = {n.x, n.t};
  TsFeedSource sources[] = {{TS_F32, x, NULL, 1}, {TS_I32, t, NULL, 1}};
  g_autoptr (GError) error = NULL;

  sample_batch (x, t);
  ts_session_init_variables (s);
  g_ptr_array_add (fetches, n.loss);
  for (guint i = 0; everything && i < ts_graph_get_n_values (n.graph); i++)
    g_ptr_array_add (fetches, ts_graph_get_value (n.graph, i));
  TsProgram *p = ts_program_new (s, feeds, 2, (TsValue **) fetches->pdata, fetches->len,
                                 &n.minimize.step, 1, ROWS, TRUE, &error);
  g_assert_no_error (error);
  for (guint step = 1; step <= 60; step++) {
    ts_session_set_step (s, step);
    g_assert_true (ts_program_run (p, sources, NULL));
  }
  *loss = ts_program_get_number (p, n.loss, 0);
  if (stats)
    ts_plan_get_stats (ts_program_get_plan (p), stats);
  guint64 h = hash_state (s);
  ts_program_free (p);
  g_clear_pointer (&s, ts_session_free);
  net_clear (&n);
  return h;
}

static void
test_same_bits (void)
{
  double loss, other;

  for (guint o = 0; ts_optim_table[o]; o++) {
    const char *name = ts_optim_table[o]->name;
    guint64 want = train (name, 1, FALSE, &loss, NULL);
    for (guint threads = 2; threads <= 4; threads++) {
      g_assert_cmphex (train (name, threads, FALSE, &other, NULL), ==, want);
      g_assert_cmpfloat (loss, ==, other);
    }
    g_assert_cmphex (train (name, 2, TRUE, &other, NULL), ==, want);
    g_assert_cmphex (train (name, 1, TRUE, &other, NULL), ==, want);
    g_assert_cmpfloat (loss, <, strcmp (name, "adam") == 0 ? 0.2 : 2.4);
  }
}

/* Two phases are all that a step needs, and keeping everything takes much more memory. */
static void
test_plan (void)
{
  TsPlanStats lean, full;
  double loss;

  train ("adam", 1, FALSE, &loss, &lean);
  train ("adam", 1, TRUE, &loss, &full);
  g_assert_cmpuint (lean.n_phases, ==, 2);
  g_assert_cmpuint (full.n_phases, ==, 2);
  g_assert_cmpuint (lean.arena_bytes + lean.scratch_bytes, <, full.arena_bytes * 7 / 10);
  g_assert_cmpfloat_with_epsilon (lean.flops, full.flops, 100); /* of 30 million */
  /* products of 3 layers, forward and for both gradients (none into the input) */
  double products = 2.0 * ROWS * (40 * 330 * 2 + (330 * 150 + 150 * 10) * 3);
  g_assert_cmpfloat (lean.flops, >, products);
  g_assert_cmpfloat (lean.flops, <, products * 1.05);
}

/* A layer object used twice shares its variables; their gradient is the sum over both uses. */
static void
test_sharing (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 4), NULL);
  TsLayer *shared = NULL;
  TsValue *h = layer (g, x, "tanh", 4, &shared);
  g_autoptr (GError) error = NULL;
  TsValue *y = ts_layer_apply (shared, g, &h, 1, &error);
  g_assert_no_error (error);
  TsValue *loss = op (g, "reduce_sum", y, NULL);
  TsValue *w = ts_graph_lookup (g, "dense/kernel")->out[0], *grad = NULL;

  g_assert_null (ts_graph_lookup (g, "dense_1/kernel"));
  g_assert_true (ts_graph_gradients (g, loss, &w, 1, &grad, NULL));
  g_autoptr (TsSession) s = ts_session_new (g, 2, 1);
  g_autoptr (TsTensor) data = tensor (TS_F32, TS_SHAPE (1, 4), (double[]){1, -0.5, 0.25, 2});
  TsValue *fetches[] = {grad, loss};
  TsTensor *out[2];
  ts_session_init_variables (s);
  g_assert_true (ts_session_run (s, &x, &data, 1, fetches, 2, NULL, 0, FALSE, out, NULL));
  for (guint i = 0; i < 16; i++) {
    float values[16];
    double up, down;
    memcpy (values, ts_session_get_variable (s, w), sizeof values);
    float keep = values[i];
    TsTensor *one = NULL;
    values[i] = keep + 1e-2f;
    ts_session_set_variable (s, w, values);
    ts_session_run (s, &x, &data, 1, &loss, 1, NULL, 0, FALSE, &one, NULL);
    up = ts_tensor_get (one, 0);
    ts_tensor_unref (one);
    values[i] = keep - 1e-2f;
    ts_session_set_variable (s, w, values);
    ts_session_run (s, &x, &data, 1, &loss, 1, NULL, 0, FALSE, &one, NULL);
    down = ts_tensor_get (one, 0);
    ts_tensor_unref (one);
    values[i] = keep;
    ts_session_set_variable (s, w, values);
    g_assert_cmpfloat_with_epsilon (ts_tensor_get (out[0], i), (up - down) / 2e-2, 2e-3);
  }
  ts_tensor_unref (out[0]);
  ts_tensor_unref (out[1]);

  TsValue *wide = ts_graph_placeholder (g, "wide", TS_F32, &TS_SHAPE (TS_ANY, 5), NULL);
  g_assert_null (ts_layer_apply (shared, g, &wide, 1, &error));
  g_assert_nonnull (strstr (error->message, "is shared but its input changed"));
  ts_layer_free (shared);
}

/* A derived copy (here the transposed kernel) follows its variable when that is set from outside. */
static void
test_derived (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_variable (g, "x", TS_F32, &TS_SHAPE (1, 2), "ones", 0, TRUE, NULL);
  TsValue *w = ts_graph_variable (g, "w", TS_F32, &TS_SHAPE (2, 2), "zeros", 0, TRUE, NULL);
  TsValue *y = op (g, "dense", x, ts_graph_derive (g, "transpose", w));
  TsTensor *out = NULL;

  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  ts_session_init_variables (s);
  ts_session_set_variable (s, w, (float[]){1, 2, 3, 4});
  g_assert_true (ts_session_run (s, NULL, NULL, 0, &y, 1, NULL, 0, FALSE, &out, NULL));
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 3);
  g_assert_cmpfloat (ts_tensor_get (out, 1), ==, 7);
  ts_tensor_unref (out);
}

static void
test_gradient_errors (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 2), NULL), *grad;
  TsValue *w = ts_graph_variable (g, "w", TS_F32, &TS_SHAPE (2), "ones", 0, TRUE, NULL);
  TsValue *loss = op (g, "reduce_sum", x, NULL), *rows = op (g, "bias_add", x, w);
  TsValue *stopped = op (g, "reduce_sum", op (g, "stop_gradient", rows, NULL), NULL);
  g_autoptr (GError) error = NULL;
  TsMinimize m;
  TsParams p;

  ts_params_init (&p, ts_optimizer_lookup ("sgd")->params);
  g_assert_false (ts_minimize (g, loss, ts_optimizer_lookup ("sgd"), &p, &m, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NO_GRADIENT);
  g_assert_true (g_str_has_prefix (error->message, "No gradients provided for any variable"));
  g_clear_error (&error);
  g_assert_false (ts_graph_gradients (g, rows, &w, 1, &grad, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (ts_graph_gradients (g, stopped, &w, 1, &grad, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NO_GRADIENT);
}

static void
test_fault (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *y = ts_graph_placeholder (g, "y", TS_F32, &TS_SHAPE (TS_ANY, 3), NULL);
  TsValue *t = ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL);
  ts_graph_set_place (g, 7, 15);
  TsValue *loss = op (g, "softmax_xent", y, t), *feeds[] = {y, t};
  double zeros[12] = {0};
  g_autoptr (TsTensor) scores = tensor (TS_F32, TS_SHAPE (4, 3), zeros);
  g_autoptr (TsTensor) labels = tensor (TS_I32, TS_SHAPE (4), (double[]){0, 2, 3, -1});
  TsTensor *data[] = {scores, labels}, *out = NULL;
  g_autoptr (GError) error = NULL;

  for (guint threads = 1; threads <= 3; threads += 2) {
    g_autoptr (TsSession) s = ts_session_new (g, 1, threads);
    ts_session_init_variables (s);
    g_assert_false (ts_session_run (s, feeds, data, 2, &loss, 1, NULL, 0, FALSE, &out, &error));
    g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==,
                     "7:15: softmax_xent 'softmax_xent': label 3 in row 2 is outside [0, 3)");
    g_clear_error (&error);
  }
}

static void
test_json (void)
{
  Net n;
  net_init (&n, "sgd");
  TsValue *w = ts_graph_variable (n.graph, "w", TS_F32, &TS_SHAPE (2, 3), "ones", 0, TRUE, NULL);
  ts_graph_derive (n.graph, "transpose", w);
  g_autofree char *json = ts_graph_dup_json (n.graph);

  g_assert_nonnull (strstr (json,
                            "{\"name\":\"x\",\"op\":\"placeholder\",\"kind\":\"placeholder\","
                            "\"inputs\":[],\"outputs\":[{\"dtype\":\"f32\",\"shape\":[null,40]}]"));
  g_assert_nonnull (strstr (json, "\"inputs\":[\"x:0\",\"dense/kernel:0\",\"dense/bias:0\"]"));
  g_assert_nonnull (strstr (json, "\"kind\":\"derived\""));
  net_clear (&n);
}

/* Max-pool of relu is built as relu of max-pool; values and gradients have the same bits as without. */
static void
test_swap (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 6, 6, 2), NULL);
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("maxpool")->params);
  g_assert_true (ts_params_parse_all (&p, "size=2", NULL));
  TsValue *relu = op (g, "relu", x, NULL);
  TsNode *node = ts_graph_add (g, "maxpool", NULL, &relu, 1, &p, NULL);
  g_assert_cmpstr (node->op->name, ==, "relu");
  /* kept apart by an op that may not change places */
  TsValue *apart = op (g, "identity", relu, NULL);
  TsNode *plain = ts_graph_add (g, "maxpool", NULL, &apart, 1, &p, NULL);
  g_assert_cmpstr (plain->op->name, ==, "maxpool");
  TsValue *ys[] = {node->out[0], plain->out[0]}, *fetches[4];
  for (guint i = 0; i < 2; i++) {
    TsValue *loss = op (g, "reduce_sum", op (g, "mul", ys[i], ys[i]), NULL);
    fetches[2 * i] = ys[i];
    g_assert_true (ts_graph_gradients (g, loss, &x, 1, &fetches[2 * i + 1], NULL));
  }
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  g_autoptr (TsTensor) data = ts_tensor_new (TS_F32, &TS_SHAPE (40, 6, 6, 2));
  TsTensor *out[4];
  TsRng rng = {1, 2};
  for (gint64 i = 0; i < ts_tensor_elems (data); i++) /* many ties, half of them below 0 */
    ts_tensor_set (data, i, floor (8 * (double) ts_rng_uniform (rng, (guint64) i)) - 4);
  ts_session_init_variables (s);
  g_assert_true (ts_session_run (s, &x, &data, 1, fetches, 4, NULL, 0, TRUE, out, NULL));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpmem (out[i]->data, out[i]->bytes, out[2 + i]->data, out[2 + i]->bytes);
  for (guint i = 0; i < 4; i++)
    ts_tensor_unref (out[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/two-plus-three", test_two_plus_three);
  g_test_add_func ("/graph/names", test_names);
  g_test_add_func ("/graph/feeds", test_feeds);
  g_test_add_func ("/graph/batches-agree", test_batches_agree);
  g_test_add_func ("/graph/same-bits", test_same_bits);
  g_test_add_func ("/graph/plan", test_plan);
  g_test_add_func ("/graph/sharing", test_sharing);
  g_test_add_func ("/graph/derived", test_derived);
  g_test_add_func ("/graph/gradient-errors", test_gradient_errors);
  g_test_add_func ("/graph/fault", test_fault);
  g_test_add_func ("/graph/swap", test_swap);
  g_test_add_func ("/graph/json", test_json);
  return g_test_run ();
}
