/* SPDX-License-Identifier: MIT */
/* The layers of image models: what only shows over several steps or between training and evaluation. */
#include <math.h>
#include <string.h>

#include "engine/graph/session.h"
#include "engine/nn/layer.h"
#include "engine/optim/optimizer.h"

static TsValue *
apply (TsGraph *g, const char *name, const char *text, TsValue *x)
{
  const TsLayerClass *klass = ts_layer_lookup (name);
  TsParams p;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (klass);
  ts_params_init (&p, klass->params);
  g_assert_true (ts_params_parse_all (&p, text, &error));
  g_autoptr (TsLayer) layer = ts_layer_new (klass, NULL, &p);
  TsValue *y = ts_layer_apply (layer, g, &x, 1, &error);
  g_assert_no_error (error);
  return y;
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

static void
minimize (TsGraph *g, TsValue *loss, const char *optimizer, const char *text, TsMinimize *m)
{
  const TsOptimizerClass *o = ts_optimizer_lookup (optimizer);
  TsParams p;
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, o->params);
  g_assert_true (ts_params_parse_all (&p, text, &error));
  ts_minimize (g, loss, o, &p, m, &error);
  g_assert_no_error (error);
}

/* ---- batch normalisation */

typedef struct {
  TsGraph *graph;
  TsValue *x, *y, *mean, *variance;
  TsMinimize minimize;
  TsSession *session;
  TsTensor *data;
} Norm;

/* Images (3, 2, 2, 2) of torch.json's case batchnorm_nchw_train. */
static void
norm_init (Norm *n, const char *params)
{
  TsGraph *g = n->graph = ts_graph_new ();

  n->x = ts_graph_placeholder (g, "x", TS_F64, &TS_SHAPE (TS_ANY, 2, 2, 2), NULL);
  n->y = apply (g, "bn", params, n->x);
  minimize (g, op (g, "reduce_mean", op (g, "mul", n->y, n->y), NULL), "sgd", "lr=0.5",
            &n->minimize);
  n->mean = ts_graph_lookup (g, "bn/moving_mean")->out[0];
  n->variance = ts_graph_lookup (g, "bn/moving_variance")->out[0];
  n->session = ts_session_new (g, 1, 2);
  ts_session_init_variables (n->session);
  n->data = ts_tensor_new (TS_F64, &TS_SHAPE (3, 2, 2, 2));
  for (gint64 i = 0; i < 24; i++) { /* [n, c, pixel] in the file */
    gint64 image = i / 8, channel = i / 4 % 2, pixel = i % 4;
    ts_tensor_set (n->data, image * 8 + pixel * 2 + channel,
                   (double) (float) sin (0.7 * (double) i + 1));
  }
}

static void
norm_clear (Norm *n)
{
  ts_tensor_unref (n->data);
  ts_session_free (n->session);
  ts_minimize_clear (&n->minimize);
  ts_graph_unref (n->graph);
}

static TsTensor *
norm_run (Norm *n, gboolean training)
{
  TsTensor *y = NULL;
  g_autoptr (GError) error = NULL;

  ts_session_run (n->session, &n->x, &n->data, 1, &n->y, 1, &n->minimize.step, training ? 1 : 0,
                  training, &y, &error);
  g_assert_no_error (error);
  return y;
}

static void
assert_moving (Norm *n, double m0, double m1, double v0, double v1)
{
  const double *m = ts_session_get_variable (n->session, n->mean);
  const double *v = ts_session_get_variable (n->session, n->variance);

  g_assert_cmpfloat_with_epsilon (m[0], m0, 1e-7);
  g_assert_cmpfloat_with_epsilon (m[1], m1, 1e-7);
  g_assert_cmpfloat_with_epsilon (v[0], v0, 1e-7);
  g_assert_cmpfloat_with_epsilon (v[1], v1, 1e-7);
}

/* torch.json, batchnorm_running */
static void
test_moving_torch (void)
{
  Norm n;

  norm_init (&n, "momentum=0.9, eps=1e-5, unbiased=true");
  ts_tensor_unref (norm_run (&n, TRUE));
  assert_moving (&n, 0.05983053334057331, -0.052227696675496794, 0.9185447701336367,
                 0.9263219425425162);
  norm_clear (&n);
}

/* Keras: the biased variance. */
static void
test_moving_biased (void)
{
  Norm n;
  double v0 = 0.9 + (0.9185447701336367 - 0.9) * 11 / 12;
  double v1 = 0.9 + (0.9263219425425162 - 0.9) * 11 / 12;

  norm_init (&n, "momentum=0.9");
  ts_tensor_unref (norm_run (&n, TRUE));
  assert_moving (&n, 0.05983053334057331, -0.052227696675496794, v0, v1);
  norm_clear (&n);
}

static void
test_evaluation (void)
{
  Norm n;
  double m[] = {1, -1}, v[] = {4, 0.25}, gamma[] = {1, 1};

  norm_init (&n, "eps=0");
  ts_session_set_variable (n.session, n.mean, m);
  ts_session_set_variable (n.session, n.variance, v);
  ts_session_set_variable (n.session, ts_graph_lookup (n.graph, "bn/gamma")->out[0], gamma);
  g_autoptr (TsTensor) y = norm_run (&n, FALSE);
  for (gint64 i = 0; i < 24; i++)
    g_assert_cmpfloat_with_epsilon (
        ts_tensor_get (y, i), (ts_tensor_get (n.data, i) - m[i % 2]) / sqrt (v[i % 2]), 1e-12);
  assert_moving (&n, 1, -1, 4, 0.25); /* evaluation changes nothing */

  TsTensor *trained = norm_run (&n, TRUE);
  double sum = 0;
  for (gint64 i = 0; i < 24; i += 2)
    sum += ts_tensor_get (trained, i);
  g_assert_cmpfloat_with_epsilon (sum, 0, 1e-12); /* its own mean */
  ts_tensor_unref (trained);
  norm_clear (&n);
}

static char *
plan_text (Norm *n, gboolean training)
{
  g_autoptr (GError) error = NULL;
  TsProgram *p = ts_program_new (n->session, &n->x, 1, &n->y, 1, &n->minimize.step,
                                 training ? 1 : 0, 3, training, &error);

  g_assert_no_error (error);
  char *text = ts_plan_dup_text (ts_program_get_plan (p));
  ts_program_free (p);
  return text;
}

/* What the other phase needs is not even in the plan. */
static void
test_phase_prunes (void)
{
  Norm n;

  norm_init (&n, NULL);
  g_autofree char *training = plan_text (&n, TRUE), *other = plan_text (&n, FALSE);
  g_assert_nonnull (strstr (training, "moments"));
  g_assert_nonnull (strstr (training, "moving_average"));
  g_assert_null (strstr (other, "moments"));
  g_assert_null (strstr (other, "moving_average"));
  norm_clear (&n);
}

/* ---- a network of all of them */

#define ROWS 37

static guint64
hash_state (TsSession *s, TsGraph *g)
{
  guint64 h = 0xcbf29ce484222325u;

  for (guint i = 0; i < ts_graph_get_n_values (g); i++) {
    const TsValue *v = ts_graph_get_value (g, i);
    if (v->kind != TS_VALUE_STATE)
      continue;
    const guchar *p = ts_session_get_variable (s, v);
    for (gsize k = 0; k < ts_value_row_bytes (v); k++)
      h = (h ^ p[k]) * 0x100000001b3u;
  }
  return h;
}

static TsValue *
network (TsGraph *g, TsValue *x)
{
  TsValue *y = apply (g, "conv2d", "filters=8, kernel=3", x);

  y = op (g, "relu", apply (g, "bn", "momentum=0.9", y), NULL);
  y = apply (g, "sepconv2d", "filters=12, kernel=3, stride=2, act=relu", y);
  y = apply (g, "conv2d", "filters=8, kernel=3, stride=2, groups=4", y);
  y = apply (g, "depthwise_conv2d", "kernel=3, multiplier=2, act=relu", y);
  y = apply (g, "conv2d_transpose", "filters=6, kernel=3, stride=2", y);
  y = apply (g, "ln", NULL, apply (g, "bn", NULL, y));
  y = op (g, "avgpool", op (g, "maxpool", y, NULL), NULL);
  return apply (g, "dense", "units=4", op (g, "global_avgpool", y, NULL));
}

static guint64
train (guint threads, gboolean everything, double *first, double *last)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 12, 12, 3), NULL);
  TsValue *t = ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL);
  TsValue *loss = op (g, "reduce_mean", op (g, "softmax_xent", network (g, x), t), NULL);
  static float pixels[ROWS * 12 * 12 * 3];
  static gint32 labels[ROWS];
  TsMinimize m;
  g_autoptr (GPtrArray) fetches = g_ptr_array_new ();
  TsValue *feeds[] = {x, t};
  TsFeedSource sources[] = {{TS_F32, pixels, NULL, 1}, {TS_I32, labels, NULL, 1}};
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++)
    pixels[i] = ts_rng_normal ((TsRng){4, 2}, i) + (float) (i / (12 * 12 * 3) % 4) * (i % 3 == 0);
  for (guint i = 0; i < ROWS; i++)
    labels[i] = (gint32) i % 4;
  minimize (g, loss, "adam", "lr=0.01", &m);
  TsSession *s = ts_session_new (g, 5, threads);
  ts_session_init_variables (s);
  g_ptr_array_add (fetches, loss);
  for (guint i = 0; everything && i < ts_graph_get_n_values (g); i++)
    g_ptr_array_add (fetches, ts_graph_get_value (g, i));
  TsProgram *p = ts_program_new (s, feeds, 2, (TsValue **) fetches->pdata, fetches->len, &m.step, 1,
                                 ROWS, TRUE, &error);
  g_assert_no_error (error);
  for (guint step = 1; step <= 20; step++) {
    ts_session_set_step (s, step);
    g_assert_true (ts_program_run (p, sources, NULL));
    *(step == 1 ? first : last) = ts_program_get_number (p, loss, 0);
  }
  guint64 h = hash_state (s, g);
  ts_program_free (p);
  ts_session_free (s);
  ts_minimize_clear (&m);
  return h;
}

static void
test_same_bits (void)
{
  double first, last, other;
  guint64 want = train (1, FALSE, &first, &last);

  g_assert_cmpfloat (last, <, 0.7 * first);
  for (guint threads = 2; threads <= 3; threads++) {
    g_assert_cmphex (train (threads, FALSE, &other, &other), ==, want);
    g_assert_cmpfloat (other, ==, last);
  }
  g_assert_cmphex (train (2, TRUE, &other, &other), ==, want);
}

/* ---- shapes and refusals */

static void
assert_shape (const TsValue *y, const char *want)
{
  g_autofree char *text = ts_shape_dup_row_text (&y->shape);

  g_assert_cmpstr (text, ==, want);
}

static void
test_shapes (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 7, 9, 4), NULL);
  TsValue *s = ts_graph_placeholder (g, "s", TS_F32, &TS_SHAPE (TS_ANY, 11, 4), NULL);

  assert_shape (apply (g, "conv2d", "filters=6, kernel=3, stride=2, pads=[1, 1, 0, 0]", x),
                "[4, 4, 6]");
  assert_shape (apply (g, "conv1d", "filters=6, kernel=3, pad=causal, dilation=2", s), "[11, 6]");
  assert_shape (apply (g, "conv1d", "filters=6, kernel=3, stride=2, pad=valid, groups=2", s),
                "[5, 6]");
  assert_shape (apply (g, "conv2d_transpose", "filters=5, kernel=3, stride=2", x), "[14, 18, 5]");
  assert_shape (apply (g, "depthwise_conv2d", "kernel=5, multiplier=3", x), "[7, 9, 12]");
  assert_shape (apply (g, "ln", NULL, s), "[11, 4]");
}

static void
refuse (TsGraph *g, const char *name, const char *text, TsValue *x, const char *want)
{
  const TsLayerClass *klass = ts_layer_lookup (name);
  TsParams p;
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, klass->params);
  g_assert_true (ts_params_parse_all (&p, text, &error));
  g_autoptr (TsLayer) layer = ts_layer_new (klass, NULL, &p);
  g_assert_null (ts_layer_apply (layer, g, &x, 1, &error));
  g_assert_nonnull (strstr (error->message, want));
}

static void
test_refusals (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 7, 9, 4), NULL);
  TsValue *s = ts_graph_placeholder (g, "s", TS_F32, &TS_SHAPE (TS_ANY, 11, 4), NULL);
  TsValue *w = ts_graph_variable (g, "w", TS_F32, &TS_SHAPE (3, 4), "zeros", 0, TRUE, NULL);

  refuse (g, "conv2d", "filters=6, kernel=3", s, "[height, width, channels]");
  refuse (g, "conv1d", "filters=6, kernel=3", x, "[length, channels]");
  refuse (g, "conv2d", "filters=6, kernel=3, groups=3", x, "3 equal groups");
  refuse (g, "conv2d", "filters=6, kernel=3, pads=[1, 1]", x, "four numbers");
  refuse (g, "conv2d", "filters=6, kernel=3, pads=[3, 0, 0, 0]", x, "not 3");
  refuse (g, "conv2d_transpose", "filters=6, kernel=3, stride=2, output=[13, 20]", x,
          "no convolution");
  refuse (g, "conv2d_transpose", "filters=6, kernel=3, pads=[90, 90, 90, 90]", x, "the output [-");
  refuse (g, "bn", NULL, w, "batch of rows");
}

static void
refuse_op (TsGraph *g, const char *name, const char *text, TsValue *a, TsValue *b, const char *want)
{
  TsValue *in[] = {a, b};
  TsParams p;
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, ts_op_lookup (name)->params);
  g_assert_true (ts_params_parse_all (&p, text, &error));
  g_assert_null (ts_graph_add (g, name, NULL, in, b ? 2 : 1, &p, &error));
  g_assert_nonnull (strstr (error->message, name));
  g_assert_nonnull (strstr (error->message, want));
}

static void
test_op_refusals (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 7, 9, 5), NULL);
  TsValue *v = ts_graph_placeholder (g, "v", TS_F32, &TS_SHAPE (TS_ANY, 5), NULL);
  TsValue *k = ts_graph_placeholder (g, "k", TS_F32, &TS_SHAPE (3, 3, 4, 8), NULL);

  TsValue *empty = ts_graph_placeholder (g, "empty", TS_F32, &TS_SHAPE (TS_ANY, 0, 9, 4), NULL);
  TsValue *none = ts_graph_placeholder (g, "none", TS_F32, &TS_SHAPE (TS_ANY, 0), NULL);
  TsValue *no_taps = ts_graph_placeholder (g, "no_taps", TS_F32, &TS_SHAPE (0, 3, 5, 8), NULL);

  refuse_op (g, "maxpool", "window=[0, 2]", x, NULL, "[0, 2]");
  refuse_op (g, "maxpool", "window=[2]", x, NULL, "two numbers");
  refuse_op (g, "maxpool", "window=[16, 16]", x, NULL, "255 pixels");
  refuse_op (g, "avgpool", "strides=[1, 2, 3]", x, NULL, "strides");
  refuse_op (g, "avgpool", "size=8", x, NULL, "8 by 8 does not fit into an image of 7 by 9");
  refuse_op (g, "maxpool", NULL, v, NULL, "[height, width, channels]");
  refuse_op (g, "global_avgpool", NULL, v, NULL, "[length, channels]");
  refuse_op (g, "conv2d", "groups=2", x, k, "in 2 groups");
  refuse_op (g, "depthwise_conv2d", NULL, x, k, "(3, 3, 4, 8)");
  refuse_op (g, "group_norm", "groups=2", x, NULL, "2 equal groups");
  refuse_op (g, "glu", NULL, v, NULL, "cannot be halved");
  refuse_op (g, "resize", "size=[4]", x, NULL, "[4]");
  refuse_op (g, "resize", "size=[0, 4]", x, NULL, "at least 1");
  refuse_op (g, "ctc_loss", NULL, x, v, "integer labels");
  refuse_op (g, "kl_divergence", NULL, none, none, "axis to sum over");
  refuse_op (g, "conv2d", NULL, empty, k, "[0, 9, 4] is empty");
  refuse_op (g, "conv2d", NULL, x, no_taps, "(0, 3, 5, 8) is empty");
  refuse_op (g, "conv2d_transpose", NULL, x, no_taps, "conv2d_transpose");
  refuse_op (g, "depthwise_conv2d", NULL, x, no_taps, "(0, 3, 5, 8) is empty");
  refuse_op (g, "maxpool", NULL, empty, NULL, "is empty");
  refuse_op (g, "global_maxpool", NULL, empty, NULL, "is empty");
  refuse_op (g, "resize", "size=[2, 2]", empty, NULL, "is empty");
}

/* The first of equals takes the gradient; a NaN wins. */
static void
test_global_max (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 4, 2), NULL);
  TsNode *node = op (g, "global_maxpool", x, NULL)->node;
  g_autoptr (TsTensor) data = ts_tensor_new (TS_F32, &TS_SHAPE (1, 4, 2));
  TsValue *fetches[] = {node->out[0], node->out[1]};
  TsTensor *out[2];
  const double values[] = {1, 3, 5, NAN, 5, 9, 2, NAN};
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < 8; i++)
    ts_tensor_set (data, i, values[i]);
  TsSession *s = ts_session_new (g, 1, 1);
  ts_session_init_variables (s);
  g_assert_true (ts_session_run (s, &x, &data, 1, fetches, 2, NULL, 0, FALSE, out, &error));
  g_assert_cmpfloat (ts_tensor_get (out[0], 0), ==, 5);
  g_assert_true (isnan (ts_tensor_get (out[0], 1)));
  g_assert_cmpfloat (ts_tensor_get (out[1], 0), ==, 1);
  g_assert_cmpfloat (ts_tensor_get (out[1], 1), ==, 1);
  ts_tensor_unref (out[0]);
  ts_tensor_unref (out[1]);
  ts_session_free (s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image-layers/moving-torch", test_moving_torch);
  g_test_add_func ("/image-layers/moving-biased", test_moving_biased);
  g_test_add_func ("/image-layers/evaluation", test_evaluation);
  g_test_add_func ("/image-layers/phase-prunes", test_phase_prunes);
  g_test_add_func ("/image-layers/same-bits", test_same_bits);
  g_test_add_func ("/image-layers/shapes", test_shapes);
  g_test_add_func ("/image-layers/refusals", test_refusals);
  g_test_add_func ("/image-layers/op-refusals", test_op_refusals);
  g_test_add_func ("/image-layers/global-max", test_global_max);
  return g_test_run ();
}
