/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/graph/session.h"
#include "engine/optim/contrastive.h"

enum { VISIBLE = 9, HIDDEN = 5, ROWS = 12 };

typedef struct {
  TsGraph *graph;
  TsValue *x;
  TsRbm rbm;
  TsContrastive cd;
} Machine;

static void
machine_init (Machine *m, guint k, double lr)
{
  const TsOptimizerClass *sgd = ts_optimizer_lookup ("sgd");
  g_autoptr (GError) error = NULL;
  TsGraph *g = m->graph = ts_graph_new ();
  TsParams params;

  m->x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, VISIBLE), NULL);
  m->rbm.kernel = ts_graph_variable (g, "kernel", TS_F32, &TS_SHAPE (VISIBLE, HIDDEN), "normal",
                                     0.5, TRUE, NULL);
  m->rbm.visible =
      ts_graph_variable (g, "visible", TS_F32, &TS_SHAPE (VISIBLE), "normal", 0.3, TRUE, NULL);
  m->rbm.hidden =
      ts_graph_variable (g, "hidden", TS_F32, &TS_SHAPE (HIDDEN), "normal", 0.3, TRUE, NULL);
  ts_params_init (&params, sgd->params);
  ts_params_set_number (&params, "lr", lr, NULL);
  g_assert_true (ts_contrastive_divergence (g, &m->rbm, m->x, k, sgd, &params, &m->cd, &error));
  g_assert_no_error (error);
}

static void
machine_clear (Machine *m)
{
  ts_minimize_clear (&m->cd.minimize);
  ts_graph_unref (m->graph);
}

/* Two kinds of rows: the first half set, or the second. */
static TsTensor *
make_rows (void)
{
  TsTensor *t = ts_tensor_new (TS_F32, &TS_SHAPE (ROWS, VISIBLE));

  for (gint64 i = 0; i < ROWS * VISIBLE; i++)
    ts_tensor_set (t, i, (i / VISIBLE % 2 == 0) == (i % VISIBLE < 4) ? 0.9 : 0.1);
  return t;
}

/* The probability of hidden unit @j given the visible units of a row. */
static double
hidden_of (const float *kernel, const float *bias, const float *v, int j)
{
  double sum = bias[j];

  for (int i = 0; i < VISIBLE; i++)
    sum += (double) v[i] * kernel[i * HIDDEN + j];
  return 1 / (1 + exp (-sum));
}

static double
visible_of (const float *kernel, const float *bias, const float *h, int i)
{
  double sum = bias[i];

  for (int j = 0; j < HIDDEN; j++)
    sum += (double) h[j] * kernel[i * HIDDEN + j];
  return 1 / (1 + exp (-sum));
}

/* One step of SGD moves the three variables by what Hinton's recipe says, written out in doubles. */
static void
test_step (void)
{
  const double lr = 0.25;
  Machine m;
  machine_init (&m, 1, lr);
  g_autoptr (TsTensor) x = make_rows ();
  g_autoptr (TsSession) s = ts_session_new (m.graph, 3, 2);
  TsNode *draw = ts_graph_lookup (m.graph, "contrastive_divergence/bernoulli");
  TsValue *fetches[] = {draw->out[0], m.cd.hidden_probabilities, m.cd.reconstruction, m.cd.error};
  TsTensor *out[4];
  g_autoptr (GError) error = NULL;
  float kernel[VISIBLE * HIDDEN], visible[VISIBLE], hidden[HIDDEN];
  double dk[VISIBLE * HIDDEN] = {0}, dv[VISIBLE] = {0}, dh[HIDDEN] = {0}, miss = 0;
  guint ones = 0;

  ts_session_init_variables (s);
  memcpy (kernel, ts_session_get_variable (s, m.rbm.kernel), sizeof kernel);
  memcpy (visible, ts_session_get_variable (s, m.rbm.visible), sizeof visible);
  memcpy (hidden, ts_session_get_variable (s, m.rbm.hidden), sizeof hidden);
  g_assert_true (
      ts_session_run (s, &m.x, &x, 1, fetches, 4, &m.cd.minimize.step, 1, TRUE, out, &error));
  for (int r = 0; r < ROWS; r++) {
    const float *v0 = (const float *) x->data + r * VISIBLE;
    const float *h0 = (const float *) out[0]->data + r * HIDDEN;
    float v1[VISIBLE];
    for (int i = 0; i < VISIBLE; i++) {
      v1[i] = (float) visible_of (kernel, visible, h0, i);
      g_assert_cmpfloat_with_epsilon (ts_tensor_get (out[2], r * VISIBLE + i), v1[i], 1e-5);
      dv[i] += (double) v0[i] - v1[i];
      miss += pow ((double) v1[i] - v0[i], 2);
    }
    for (int j = 0; j < HIDDEN; j++) {
      double before = hidden_of (kernel, hidden, v0, j), after = hidden_of (kernel, hidden, v1, j);
      g_assert_cmpfloat_with_epsilon (ts_tensor_get (out[1], r * HIDDEN + j), before, 1e-5);
      g_assert_true (h0[j] == 0 || h0[j] == 1);
      ones += h0[j] == 1;
      dh[j] += before - after;
      for (int i = 0; i < VISIBLE; i++)
        dk[i * HIDDEN + j] += v0[i] * before - v1[i] * after;
    }
  }
  g_assert_true (ones > 0 && ones < ROWS * HIDDEN);
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (out[3], 0), miss / (ROWS * VISIBLE), 1e-6);
  const float *now = ts_session_get_variable (s, m.rbm.kernel);
  for (int i = 0; i < VISIBLE * HIDDEN; i++)
    g_assert_cmpfloat_with_epsilon (now[i], kernel[i] + lr * dk[i] / ROWS, 1e-5);
  now = ts_session_get_variable (s, m.rbm.visible);
  for (int i = 0; i < VISIBLE; i++)
    g_assert_cmpfloat_with_epsilon (now[i], visible[i] + lr * dv[i] / ROWS, 1e-5);
  now = ts_session_get_variable (s, m.rbm.hidden);
  for (int i = 0; i < HIDDEN; i++)
    g_assert_cmpfloat_with_epsilon (now[i], hidden[i] + lr * dh[i] / ROWS, 1e-5);
  for (int i = 0; i < 4; i++)
    ts_tensor_unref (out[i]);
  machine_clear (&m);
}

/* Trains and returns the error of the last step; the kernel's bytes go to @kernel. */
static double
train (guint k, guint threads, float kernel[VISIBLE * HIDDEN])
{
  Machine m;
  machine_init (&m, k, 0.5);
  g_autoptr (TsTensor) x = make_rows ();
  g_autoptr (TsSession) s = ts_session_new (m.graph, 3, threads);
  double error = 0;

  ts_session_init_variables (s);
  for (guint step = 1; step <= 300; step++) {
    TsTensor *out;
    ts_session_set_step (s, step);
    g_assert_true (
        ts_session_run (s, &m.x, &x, 1, &m.cd.error, 1, &m.cd.minimize.step, 1, TRUE, &out, NULL));
    error = ts_tensor_get (out, 0);
    ts_tensor_unref (out);
  }
  memcpy (kernel, ts_session_get_variable (s, m.rbm.kernel), VISIBLE * HIDDEN * sizeof (float));
  machine_clear (&m);
  return error;
}

static void
test_learns (void)
{
  float one[VISIBLE * HIDDEN], three[VISIBLE * HIDDEN];

  for (guint k = 1; k <= 3; k += 2) {
    double error = train (k, 1, one);
    g_assert_cmpfloat (error, <, 0.05); /* 0.16 when every unit says 0.5 */
    g_assert_cmpfloat (train (k, 3, three), ==, error);
    g_assert_cmpmem (one, sizeof one, three, sizeof three);
  }
}

static void
test_refused (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, VISIBLE + 1), NULL);
  TsRbm rbm = {
      ts_graph_variable (g, "kernel", TS_F32, &TS_SHAPE (VISIBLE, HIDDEN), "ones", 0, TRUE, NULL),
      ts_graph_variable (g, "visible", TS_F32, &TS_SHAPE (VISIBLE), "ones", 0, TRUE, NULL),
      ts_graph_variable (g, "hidden", TS_F32, &TS_SHAPE (HIDDEN), "ones", 0, TRUE, NULL)};
  const TsOptimizerClass *sgd = ts_optimizer_lookup ("sgd");
  g_autoptr (GError) error = NULL;
  TsContrastive cd;
  TsParams params;

  ts_params_init (&params, sgd->params);
  g_assert_false (ts_contrastive_divergence (g, &rbm, x, 1, sgd, &params, &cd, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contrastive/step", test_step);
  g_test_add_func ("/contrastive/learns", test_learns);
  g_test_add_func ("/contrastive/refused", test_refused);
  return g_test_run ();
}
