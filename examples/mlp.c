/* SPDX-License-Identifier: MIT */
/* A perceptron with one hidden layer learns exclusive or; the model itself is twelve lines. */
#include <engine/graph/session.h>
#include <engine/nn/apply.h>
#include <engine/optim/optimizer.h>

typedef struct {
  TsValue *x, *t, *loss;
  TsMinimize minimize;
} Model;

static gboolean
build (TsGraph *graph, Model *m, GError **error)
{
  m->x = ts_graph_placeholder (graph, "x", TS_F32, &TS_SHAPE (TS_ANY, 2), error);
  m->t = ts_graph_placeholder (graph, "t", TS_I32, &TS_SHAPE (TS_ANY), error);
  TsValue *h = ts_apply (graph, m->x, "dense", "units=8, act=tanh", error);
  TsValue *y = ts_apply (graph, h, "dense", "units=2", error);
  TsValue *each = ts_apply2 (graph, y, m->t, "softmax_xent", NULL, error);
  m->loss = ts_apply (graph, each, "reduce_mean", NULL, error);
  return ts_minimize_by_name (graph, m->loss, "adam", "lr=0.05", &m->minimize, error);
}

int
main (void)
{
  static const float rows[] = {0, 0, 0, 1, 1, 0, 1, 1};
  static const gint32 classes[] = {0, 1, 1, 0};
  g_autoptr (TsGraph) graph = ts_graph_new ();
  g_autoptr (TsTensor) x = ts_tensor_new_copy (TS_F32, &TS_SHAPE (4, 2), rows);
  g_autoptr (TsTensor) t = ts_tensor_new_copy (TS_I32, &TS_SHAPE (4), classes);
  g_autoptr (GError) error = NULL;
  Model m;

  if (!build (graph, &m, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  g_autoptr (TsSession) session = ts_session_new (graph, 1, 1);
  ts_session_init_variables (session);
  for (guint step = 1; step <= 200; step++) {
    TsValue *feeds[] = {m.x, m.t};
    TsTensor *data[] = {x, t}, *loss = NULL;
    ts_session_set_step (session, step);
    if (!ts_session_run (session, feeds, data, 2, &m.loss, 1, &m.minimize.step, 1, TRUE, &loss,
                         &error)) {
      g_printerr ("%s\n", error->message);
      return 1;
    }
    if (step == 1 || step % 50 == 0)
      g_print ("step %3u  loss %.4f\n", step, ts_tensor_get (loss, 0));
    ts_tensor_unref (loss);
  }
  ts_minimize_clear (&m.minimize);
  return 0;
}
