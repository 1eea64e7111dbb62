/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/graph/session.h"
#include "engine/model/lint.h"

#define HEAD "model m\ninput x float[28, 28, 1]\ninput v float[16]\ninput t int\n"

static TsModel *
build (const char *text, char **problems)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsSource) source = ts_source_new ("m.model", text, strlen (text), &error);
  g_assert_no_error (error);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  TsModel *model = ts_model_new (source, diags);

  *problems = ts_diags_dup_text (diags);
  g_assert_cmpint (model == NULL, ==, ts_diags_get_n_errors (diags) > 0);
  return model;
}

static void
test_model (void)
{
  g_autofree char *problems = NULL;
  g_autoptr (TsModel) m = build ("model net \"A net\"\n"
                                 "input x float[784]\n"
                                 "input t int\n"
                                 "layer shared = dense(32, relu, bias=false)\n"
                                 "h = x -> dense(32) -> shared\n"
                                 "h = h -> shared -> dropout(rate=0.25)\n"
                                 "y = (h * 0.5 + h) -> dense(10)\n"
                                 "loss xent = softmax_xent(y, t)\n"
                                 "metric accuracy = accuracy(y, t)\n"
                                 "output p = y -> softmax\n"
                                 "train {\n"
                                 "  data csv(\"a b.csv\", header=true)\n"
                                 "  optimizer adam(lr=1e-3)\n"
                                 "  batch 12\n"
                                 "  epochs 3\n"
                                 "  steps 40\n"
                                 "  seed 9\n"
                                 "}\n",
                                 &problems);

  g_assert_cmpstr (problems, ==, "");
  g_assert_cmpstr (m->name, ==, "net");
  g_assert_cmpstr (m->title, ==, "A net");
  g_assert_cmpuint (m->n_parameters, ==, 784 * 32 + 32 + 32 * 32 + 32 * 10 + 10);
  g_assert_true (m->n_inputs == 2 && m->n_losses == 1 && m->n_metrics == 1 && m->n_outputs == 1);
  g_assert_cmpuint (m->losses[0].value->shape.rank, ==, 0);
  g_assert_cmpstr (m->outputs[0].name, ==, "p");
  g_assert_true (m->batch == 12 && m->epochs == 3 && m->steps == 40 && m->seed == 9);
  g_assert_cmpstr (m->data.name, ==, "csv");
  g_assert_true (m->data.n == 2 && !m->data.args[0].key && m->data.args[0].quoted);
  g_assert_cmpstr (m->data.args[0].text, ==, "a b.csv");
  g_assert_cmpstr (m->data.args[1].key, ==, "header");
  g_assert_cmpstr (m->optimizer.args[0].text, ==, "0.001");
  /* the shared layer has one kernel; nodes know their place in the text */
  g_assert_nonnull (ts_graph_lookup (m->graph, "shared/kernel"));
  g_assert_null (ts_graph_lookup (m->graph, "shared_1/kernel"));
  TsNode *node = ts_graph_lookup (m->graph, "softmax_xent");
  g_assert_true (node->line == 8 && node->column == 13);
  g_assert_true (ts_model_lookup_input (m, "t")->value->dtype == TS_I32);
  g_assert_null (ts_model_lookup_input (m, "z"));
}

static void
test_images (void)
{
  g_autofree char *problems = NULL;
  g_autoptr (TsModel) m =
      build (HEAD "y = x -> conv2d(8, 3, relu) -> maxpool(2) -> conv2d(4, 5, stride=2, pad=valid)\n"
                  "     -> flatten() -> dense(10)\n"
                  "loss l = softmax_xent(y, t)\n",
             &problems);

  g_assert_cmpstr (problems, ==, "");
  g_assert_cmpuint (m->n_parameters, ==, 9 * 8 + 8 + 25 * 8 * 4 + 4 + 5 * 5 * 4 * 10 + 10);
  g_assert_cmpint (m->outputs[0].value->shape.dim[1], ==, 10);
}

/* The text of each problem, with its place and caret. */
/* Operators between tensors and numbers; a number takes the type of the tensor. */
static void
test_arithmetic (void)
{
  static const double a[] = {1, -2, 0.5}, b[] = {4, 0.25, -3};
  g_autofree char *problems = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsModel) m = build ("input a float[3]\n"
                                 "input b float[3]\n"
                                 "input k int[3]\n"
                                 "output c = -a * b / (a + 4) - b / 2 + 3 * a - -1\n"
                                 "output d = 1 - 6 / (b + a * -(2 - 3) - (5 - 1) / 8)\n"
                                 "output dot = (a -> reshape([1, 3])) @ (b -> reshape([3, 1]))\n"
                                 "output n = 7 - k * 2\n"
                                 "output r = k + range(3)\n"
                                 "output p = a -> reshape([1, 1, 3])\n"
                                 "             -> pad([0, 0, 0, 0, 0, 0, 1, 0], value=9)\n",
                                 &problems);
  TsValue *inputs[3], *outputs[6];
  TsTensor *data[3], *out[6];

  g_assert_cmpstr (problems, ==, "");
  for (guint i = 0; i < 3; i++) {
    inputs[i] = m->inputs[i].value;
    data[i] = ts_tensor_new (inputs[i]->dtype, &TS_SHAPE (2, 3)); /* the second row is zeros */
    for (gint64 j = 0; j < 3; j++)
      ts_tensor_set (data[i], j, i == 0 ? a[j] : i == 1 ? b[j] : (double) j);
  }
  for (guint i = 0; i < 6; i++)
    outputs[i] = m->outputs[i].value;
  g_autoptr (TsSession) s = ts_session_new (m->graph, 1, 1);
  ts_session_init_variables (s);
  ts_session_run (s, inputs, data, 3, outputs, 6, NULL, 0, FALSE, out, &error);
  g_assert_no_error (error);
  for (gint64 j = 0; j < 3; j++) {
    double c = -a[j] * b[j] / (a[j] + 4) - b[j] / 2 + 3 * a[j] + 1;
    double d = 1 - 6 / (b[j] + a[j] - 0.5);
    g_assert_cmpfloat_with_epsilon (ts_tensor_get (out[0], j), c, 1e-5);
    g_assert_cmpfloat_with_epsilon (ts_tensor_get (out[1], j), d, 1e-5);
    g_assert_cmpfloat (ts_tensor_get (out[3], j), ==, 7 - 2 * (double) j);
    g_assert_cmpfloat (ts_tensor_get (out[4], j), ==, 2 * (double) j);
    g_assert_cmpfloat (ts_tensor_get (out[5], j + 1), ==, a[j]);
  }
  g_assert_cmpfloat (ts_tensor_get (out[2], 0), ==, 4 - 0.5 - 1.5);
  g_assert_cmpfloat (ts_tensor_get (out[5], 0), ==, 9);
  g_assert_true (outputs[3]->dtype == TS_I32);
  for (guint i = 0; i < 6; i++)
    ts_tensor_unref (out[i]);
  for (guint i = 0; i < 3; i++)
    ts_tensor_unref (data[i]);
}

/* Attention over a sequence, written out with heads. */
static void
test_attention (void)
{
  g_autofree char *problems = NULL;
  g_autoptr (TsModel) m =
      build ("input x float[6, 8]\n"
             "q = x -> dense(8) -> reshape([6, 2, 8 / 2]) -> transpose([1, 0, 2])\n"
             "k = x -> dense(8) -> reshape([6, 2, 4]) -> transpose([1, 2, 0])\n"
             "v = x -> dense(8) -> reshape([6, 2, 4]) -> transpose([1, 0, 2])\n"
             "p = (q @ k * 0.5) -> softmax\n"
             "a = (p @ v) -> transpose([1, 0, 2]) -> reshape([6, 8]) -> dense(8)\n"
             "y = (x + a) -> ln(1e-12)\n"
             "output h = y -> lstm(5, bidirectional=true)\n",
             &problems);

  g_assert_cmpstr (problems, ==, "");
  g_assert_true (ts_shape_equal (&m->outputs[0].value->shape, &TS_SHAPE (TS_ANY, 10)));
}

static void
expect (const char *text, const char *want)
{
  g_autofree char *whole = g_strconcat (HEAD, text, NULL), *problems = NULL;
  TsModel *model = build (whole, &problems);

  g_assert_null (model);
  g_assert_cmpstr (problems, ==, want);
}

static void
test_problems (void)
{
  expect ("y = v -> dens(128, relu)\n", "m.model:5:10: error: unknown operation 'dens'\n"
                                        "    5 | y = v -> dens(128, relu)\n"
                                        "      |          ^~~~\n"
                                        "      = note: did you mean 'dense'?\n");
  expect ("y = v -> dropout(rat=0.2)\n", "m.model:5:10: error: dropout has no argument 'rat'\n"
                                         "    5 | y = v -> dropout(rat=0.2)\n"
                                         "      |          ^~~~~~~\n"
                                         "      = note: usage: dropout(x, rate)\n"
                                         "      = note: did you mean 'rate'?\n");
  expect ("y = v -> dropout(1)\n", "m.model:5:18: error: dropout: rate 1 is not in [0, 1)\n"
                                   "    5 | y = v -> dropout(1)\n"
                                   "      |                  ^\n");
  expect ("y = v -> dense(10, rely)\n", "m.model:5:20: error: dense: act must be a word of "
                                        "linear|elu|gelu|hard_sigmoid|hard_swish|leaky_relu|"
                                        "log_softmax|mish|relu|relu6|selu|sigmoid|silu|softmax|"
                                        "softplus|softsign|tanh, not 'rely'\n"
                                        "    5 | y = v -> dense(10, rely)\n"
                                        "      |                    ^~~~\n");
  expect ("y = x -> dense(10)\n", "m.model:5:10: error: dense needs a vector or a sequence of "
                                  "vectors but its input is [28, 28, 1]\n"
                                  "    5 | y = x -> dense(10)\n"
                                  "      |          ^~~~~\n"
                                  "      = note: put flatten() before it\n");
  expect (
      "y = v -> conv2d(8, 3)\n",
      "m.model:5:10: error: conv2d needs an image [height, width, channels] but its input is [16]\n"
      "    5 | y = v -> conv2d(8, 3)\n"
      "      |          ^~~~~~\n");
  expect ("y = v -> dense(10)\nloss l = softmax_xent(y, v)\n",
          "m.model:6:10: error: softmax_xent needs integer labels but 'v' is float\n"
          "    6 | loss l = softmax_xent(y, v)\n"
          "      |          ^~~~~~~~~~~~\n");
  expect ("y = v + (x -> flatten())\n", "m.model:5:7: error: add cannot broadcast [16] with [784]: "
                                        "axis 0 has 16 on the left and 784 on the right\n"
                                        "    5 | y = v + (x -> flatten())\n"
                                        "      |       ^\n");
  expect ("y = v @ 2\n", "m.model:5:7: error: '@' cannot be applied to these two\n"
                         "    5 | y = v @ 2\n"
                         "      |       ^\n");
  expect ("y = t * 0.5\n", "m.model:5:7: error: '*' cannot be applied to 0.5 and a tensor of i32\n"
                           "    5 | y = t * 0.5\n"
                           "      |       ^\n");
  expect ("y = -rely\n", "m.model:5:6: error: 'rely' is not defined\n"
                         "    5 | y = -rely\n"
                         "      |      ^~~~\n");
  expect ("y = -[1]\n", "m.model:5:5: error: '-' needs a number or a tensor on its right\n"
                        "    5 | y = -[1]\n"
                        "      |     ^\n");
  expect ("y = v -> reshape([4, 5])\n",
          "m.model:5:10: error: cannot reshape [16] (16 elements) to [4, 5] (20 elements)\n"
          "    5 | y = v -> reshape([4, 5])\n"
          "      |          ^~~~~~~\n");
  expect ("layer l = dense(8)\na = v -> l\nb = (a -> dense(9)) -> l\n",
          "m.model:7:24: error: layer 'l' is shared but its input changed: its kernel is (16, 8), "
          "this use needs (9, 8)\n"
          "    7 | b = (a -> dense(9)) -> l\n"
          "      |                        ^\n");
  expect ("input v float[3]\n", "m.model:5:7: error: 'v' is already defined\n"
                                "    5 | input v float[3]\n"
                                "      |       ^\n"
                                "m.model:3:7: note: 'v' was defined here\n"
                                "    3 | input v float[16]\n"
                                "      |       ^\n");
  expect ("repeat 3 {\n  y = v -> dense(3)\n}\n",
          "m.model:5:1: error: 'repeat' cannot be used in this version\n"
          "    5 | repeat 3 {\n"
          "      | ^~~~~~\n");
}

static void
test_arguments (void)
{
  expect ("y = reduce_mean(greater(v, 100))\n",
          "m.model:5:28: error: greater needs a tensor here; a number cannot stand for one\n"
          "    5 | y = reduce_mean(greater(v, 100))\n"
          "      |                            ^~~\n"
          "      = note: fill(value=100) is a tensor of that number\n"
          "      = note: usage: greater(a, b)\n");
  expect ("y = greater(v, v, 3)\n", "m.model:5:19: error: greater takes no more arguments\n"
                                    "    5 | y = greater(v, v, 3)\n"
                                    "      |                   ^\n"
                                    "      = note: usage: greater(a, b)\n");
  expect ("y = x -> conv2d(2, 3, pads=[0, 0, 9007199254740991, 0])\n",
          "m.model:5:35: error: a list holds whole numbers from -1000000000000000 to "
          "1000000000000000\n"
          "    5 | y = x -> conv2d(2, 3, pads=[0, 0, 9007199254740991, 0])\n"
          "      |                                   ^~~~~~~~~~~~~~~~\n");
}

/* What is counted over a whole set stands alone; a name for it is still it. */
static void
test_whole_set (void)
{
  g_autofree char *problems = NULL;
  g_autoptr (TsModel) m = build (HEAD "y = v -> dense(3)\n"
                                      "p = precision(y, t)\n"
                                      "metric a = p\n"
                                      "metric b = rmse(y, y)\n",
                                 &problems);

  g_assert_cmpstr (problems, ==, "");
  expect (
      "y = v -> dense(3)\nmetric b = 1 - precision(y, t)\n",
      "m.model:6:14: error: 'precision' is taken over all rows of a split and cannot be part of "
      "an expression; write it as a metric of its own\n"
      "    6 | metric b = 1 - precision(y, t)\n"
      "      |              ^\n");
  expect ("metric b = 2 * rmse(v, v)\n",
          "m.model:5:14: error: 'rmse' is taken over all rows of a split and cannot be part of "
          "an expression; write it as a metric of its own\n"
          "    5 | metric b = 2 * rmse(v, v)\n"
          "      |              ^\n");
  expect ("metric b = -rmse(v, v)\nmetric c = print(rmse(v, v), \"r\")\n",
          "m.model:5:12: error: 'rmse' is taken over all rows of a split and cannot be part of "
          "an expression; write it as a metric of its own\n"
          "    5 | metric b = -rmse(v, v)\n"
          "      |            ^\n"
          "m.model:6:12: error: 'rmse' is taken over all rows of a split and cannot be part of "
          "an expression; write it as a metric of its own\n"
          "    6 | metric c = print(rmse(v, v), \"r\")\n"
          "      |            ^~~~~\n");
}

static void
test_setting_problems (void)
{
  expect ("train {\n  epoch 3\n}\n", "m.model:6:3: error: unknown setting 'epoch'\n"
                                     "    6 |   epoch 3\n"
                                     "      |   ^~~~~\n"
                                     "      = note: did you mean 'epochs'?\n");
  expect ("train {\n  batch 0\n}\n",
          "m.model:6:9: error: batch needs a whole number from 1 to 1048576\n"
          "    6 |   batch 0\n"
          "      |         ^\n");
  expect ("train {\n  ema 1\n}\n", "m.model:6:7: error: ema needs a number from 0 to below 1\n"
                                   "    6 |   ema 1\n"
                                   "      |       ^\n");
  expect ("train {\n  terminate_on_nan maybe\n}\n",
          "m.model:6:20: error: terminate_on_nan needs true or false\n"
          "    6 |   terminate_on_nan maybe\n"
          "      |                    ^~~~~\n");
  expect ("train {\n  clip 3\n}\n",
          "m.model:6:3: error: clip needs one name, such as clip global_norm(1)\n"
          "    6 |   clip 3\n"
          "      |   ^~~~\n");
  expect (
      "train {\n  schedule piecewise(values=[1, x])\n}\n",
      "m.model:6:29: error: a number, a word, a text in quotes or a list of numbers belongs here\n"
      "    6 |   schedule piecewise(values=[1, x])\n"
      "      |                             ^\n");
}

/* One slip, one error: what depends on it stays silent; independent slips are all told. */
static void
test_all_at_once (void)
{
  g_autofree char *problems = NULL;
  TsModel *m = build (HEAD "a = v -> dens(4) -> dense(3) -> relu\n"
                           "b = a -> dropout(0.5)\n"
                           "c = nothing -> dense(2)\n"
                           "loss l = softmax_xent(b, t)\n"
                           "metric k = accuracy(b, u)\n"
                           "train {\n"
                           "  sed 1\n"
                           "}\n",
                      &problems);

  g_assert_null (m);
  g_auto (GStrv) lines = g_strsplit (problems, "\n", -1);
  guint errors = 0;
  for (guint i = 0; lines[i]; i++)
    errors += strstr (lines[i], ": error: ") != NULL;
  g_assert_cmpuint (errors, ==, 4);
  g_assert_nonnull (strstr (problems, "m.model:7:5: error: 'nothing' is not defined"));
  g_assert_nonnull (strstr (problems, "m.model:9:24: error: 'u' is not defined"));
}

/* A stranger's file: large sizes are refused by arithmetic, not by running out of memory. */
static void
test_limits (void)
{
  g_autofree char *problems = NULL;

  g_assert_null (build ("input x float[2000000000, 2000000000]\n", &problems));
  g_assert_nonnull (strstr (problems, "this input is too large"));
  g_clear_pointer (&problems, g_free);
  g_assert_null (build ("input x float[2000000]\ny = x -> dense(16000000)\n", &problems));
  g_assert_nonnull (strstr (problems, "more than 4294967296 parameters"));
}

/* Any mutation of a sound model is built or refused; nothing else happens. */
static void
test_mutations (void)
{
  static const char sound[] =
      HEAD "layer l = dense(8, relu)\n"
           "y = x -> conv2d(4, 3) -> maxpool(2) -> flatten() -> dense(16) -> l -> dense(10)\n"
           "loss xent = softmax_xent(y * 2 - y, t)\nmetric a = accuracy(y, t)\n"
           "train {\n  data iris(scale=none)\n  optimizer sgd(lr=-1)\n  batch 3\n}\n";
  static const char alphabet[] = "abxyt0159.,()[]{}->=*\n\" #_";
  TsRng rng = {1, 77};
  guint64 cursor = 0;

  for (guint round = 0; round < 4000; round++) {
    g_autofree char *text = g_strdup (sound), *problems = NULL;
    for (guint k = 0; k <= round % 4; k++)
      text[ts_rng_below (rng, &cursor, sizeof sound - 1)] =
          alphabet[ts_rng_below (rng, &cursor, sizeof alphabet - 1)];
    TsModel *m = build (text, &problems);
    if (m)
      ts_model_unref (m);
  }
}

/* What is allowed but hardly meant, each at its place and once. */
static void
test_lint (void)
{
  static const char text[] = "input x float[8]\n"
                             "input t int\n"
                             "unused = x -> dense(3)\n"
                             "h = x -> print(\"x\")\n"
                             "y = x -> dense(4) -> softmax\n"
                             "loss xent = softmax_xent(y, t)\n"
                             "metric a = accuracy(x -> dense(4), t)\n";
  g_autoptr (TsSource) source = ts_source_new ("m.model", text, strlen (text), NULL);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, diags);

  g_assert_nonnull (model);
  ts_model_lint (model, diags);
  g_autofree char *problems = ts_diags_dup_text (diags);
  static const char *const want[] = {
      "m.model:3:15: warning: the variable 'dense/kernel' is never used",
      "m.model:4:10: warning: 'print/print' says nothing",
      "m.model:6:13: warning: softmax_xent takes logits, but 'softmax' gives probabilities",
      "m.model:7:26: warning: the loss does not depend on the variable 'dense_2/kernel'"};
  for (guint i = 0; i < G_N_ELEMENTS (want); i++)
    if (!strstr (problems, want[i]))
      g_error ("'%s' is not in\n%s", want[i], problems);
  g_assert_cmpuint (ts_diags_get_n (diags), ==, G_N_ELEMENTS (want));
  g_assert_cmpuint (ts_diags_get_n_errors (diags), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/model", test_model);
  g_test_add_func ("/model/images", test_images);
  g_test_add_func ("/model/arithmetic", test_arithmetic);
  g_test_add_func ("/model/attention", test_attention);
  g_test_add_func ("/model/problems", test_problems);
  g_test_add_func ("/model/arguments", test_arguments);
  g_test_add_func ("/model/whole-set", test_whole_set);
  g_test_add_func ("/model/setting-problems", test_setting_problems);
  g_test_add_func ("/model/all-at-once", test_all_at_once);
  g_test_add_func ("/model/limits", test_limits);
  g_test_add_func ("/model/mutations", test_mutations);
  g_test_add_func ("/model/lint", test_lint);
  return g_test_run ();
}
