/* SPDX-License-Identifier: MIT */
/* Losses where the generic test does not look: values out of range, rows that do not count, limits. */
#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/session.h"

typedef struct {
  TsGraph *graph;
  TsValue *x[3], *grad;
  TsTensor *data[3];
  guint n;
  TsNode *node;
  TsTensor *loss, *dx;
  char *error; /* of the run, or NULL */
} Case;

static void
add (Case *c, TsDtype dtype, const TsShape *shape, const double *values)
{
  static const char *const names[] = {"a", "b", "c"};

  c->x[c->n] = ts_graph_placeholder (c->graph, names[c->n], dtype, shape, NULL);
  c->data[c->n] = ts_tensor_new (dtype, shape);
  for (gint64 i = 0; i < ts_tensor_elems (c->data[c->n]); i++)
    ts_tensor_set (c->data[c->n], i, values[i]);
  c->n++;
}

/* The op's first output and the gradient of its sum with respect to input 0. */
static void
compute (Case *c, const char *op, const char *text)
{
  TsParams p;
  TsValue *sum;
  TsTensor *out[2] = {NULL};
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, ts_op_lookup (op)->params);
  g_assert_true (ts_params_parse_all (&p, text, &error));
  c->node = ts_graph_add (c->graph, op, NULL, c->x, c->n, &p, &error);
  g_assert_no_error (error);
  sum = ts_graph_add (c->graph, "reduce_sum", NULL, &c->node->out[0], 1, NULL, NULL)->out[0];
  g_assert_true (ts_graph_gradients (c->graph, sum, c->x, 1, &c->grad, NULL));
  TsSession *s = ts_session_new (c->graph, 1, 1);
  ts_session_init_variables (s);
  TsValue *fetches[] = {c->node->out[0], c->grad};
  if (ts_session_run (s, c->x, c->data, c->n, fetches, 2, NULL, 0, TRUE, out, &error)) {
    c->loss = out[0];
    c->dx = out[1];
  } else {
    c->error = g_strdup (error->message);
  }
  ts_session_free (s);
}

static void
case_clear (Case *c)
{
  for (guint i = 0; i < c->n; i++)
    ts_tensor_unref (c->data[i]);
  g_clear_pointer (&c->loss, ts_tensor_unref);
  g_clear_pointer (&c->dx, ts_tensor_unref);
  g_free (c->error);
  ts_graph_unref (c->graph);
}

static Case
ctc (const double labels[4], const double lengths[2])
{
  Case c = {.graph = ts_graph_new ()};
  double x[2 * 3 * 4];

  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    x[i] = sin (i);
  add (&c, TS_F64, &TS_SHAPE (2, 3, 4), x);
  add (&c, TS_I32, &TS_SHAPE (2, 2), labels);
  add (&c, TS_I32, &TS_SHAPE (2), lengths);
  compute (&c, "ctc_loss", NULL);
  return c;
}

static void
test_ctc_faults (void)
{
  static const struct {
    double labels[4], lengths[2];
    const char *want;
  } faults[] = {
      {{1, 2, 3, 4}, {3, 3}, "label 4 in row 1 is outside [0, 4)"},
      {{1, 0, 3, -1}, {3, 3}, "label 0 in row 0"},
      {{1, 2, 3, -1}, {3, 4}, "length 4 of row 1 is outside [0, 3]"},
      {{1, 2, 3, -1}, {-1, 3}, "length -1 of row 0"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    Case c = ctc (faults[i].labels, faults[i].lengths);
    g_assert_nonnull (c.error);
    g_assert_nonnull (strstr (c.error, faults[i].want));
    case_clear (&c);
  }
}

/* Two equal labels need a blank between them: three times, not two. */
static void
test_ctc_too_short (void)
{
  Case c = ctc ((double[]){2, 2, -1, -1}, (double[]){2, 3});

  g_assert_null (c.error);
  g_assert_true (isinf (ts_tensor_get (c.loss, 0)));
  for (gint64 i = 0; i < 12; i++)
    g_assert_cmpfloat (ts_tensor_get (c.dx, i), ==, 0);
  double blank = 0; /* no label: the path of blanks */
  for (guint t = 0; t < 3; t++) {
    double all = 0;
    for (guint k = 0; k < 4; k++)
      all += exp (sin (12 + 4 * t + k));
    blank += log (all) - sin (12 + 4 * t);
  }
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (c.loss, 1), blank, 1e-12);
  case_clear (&c);
}

/* What is ignored may hold anything. */
static void
test_ignored (void)
{
  Case c = {.graph = ts_graph_new ()};

  add (&c, TS_F64, &TS_SHAPE (2, 3), (double[]){NAN, 1, 2, 0, 0, 0});
  add (&c, TS_I32, &TS_SHAPE (2), (double[]){-1, 1});
  compute (&c, "softmax_xent", "ignore_index=-1");
  g_assert_null (c.error);
  g_assert_cmpfloat (ts_tensor_get (c.loss, 0), ==, 0);
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (c.loss, 1), log (3), 1e-12);
  for (gint64 i = 0; i < 3; i++)
    g_assert_cmpfloat (ts_tensor_get (c.dx, i), ==, 0);
  case_clear (&c);
}

/* -1 is no class unless it is said to be ignored. */
static void
test_not_ignored (void)
{
  Case c = {.graph = ts_graph_new ()};

  add (&c, TS_F64, &TS_SHAPE (2, 3), (double[]){0, 1, 2, 0, 0, 0});
  add (&c, TS_I32, &TS_SHAPE (2), (double[]){2, -1});
  compute (&c, "softmax_xent", NULL);
  g_assert_nonnull (c.error);
  g_assert_nonnull (strstr (c.error, "label -1 in row 1"));
  case_clear (&c);
}

static void
expect_pair (const char *op, const char *params, double x, double t, double loss, double slope)
{
  Case c = {.graph = ts_graph_new ()};

  add (&c, TS_F32, &TS_SHAPE (1), &x);
  add (&c, TS_F32, &TS_SHAPE (1), &t);
  compute (&c, op, params);
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (c.loss, 0), loss, 1e-6 * MAX (1, fabs (loss)));
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (c.dx, 0), slope, 1e-6 * MAX (1, fabs (slope)));
  case_clear (&c);
}

/* Far out, where the naive formulas overflow or lose everything, and at kinks. */
static void
test_limits (void)
{
  expect_pair ("sigmoid_xent", NULL, 1000, 0, 1000, 1);
  expect_pair ("sigmoid_xent", NULL, -1000, 1, 1000, -1);
  expect_pair ("sigmoid_xent", NULL, 1000, 1, 0, 0);
  expect_pair ("log_cosh", NULL, 1000, 0, 1000 - log (2), 1);
  expect_pair ("log_cosh", NULL, 0, 0, 0, 0);
  expect_pair ("mae", NULL, 2, 2, 0, 0);
  expect_pair ("hinge", NULL, 1, 1, 0, 0);
  expect_pair ("huber", "delta=0.5", 10, 0, 4.875, 0.5);
  expect_pair ("kl_divergence", NULL, 0.5, 0, 0, 0);
  expect_pair ("poisson", NULL, 2, 0, 2, 1);
  expect_pair ("focal", "gamma=0, alpha=-1", 1, 1, log1p (exp (-1)), -1 / (1 + exp (1)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/losses/ctc-faults", test_ctc_faults);
  g_test_add_func ("/losses/ctc-too-short", test_ctc_too_short);
  g_test_add_func ("/losses/ignored", test_ignored);
  g_test_add_func ("/losses/not-ignored", test_not_ignored);
  g_test_add_func ("/losses/limits", test_limits);
  return g_test_run ();
}
