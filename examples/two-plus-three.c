/* SPDX-License-Identifier: MIT */
/* A graph is a plan: building it computes nothing.  A session runs the part that a fetch needs. */
#include <engine/graph/session.h>

int
main (void)
{
  g_autoptr (TsGraph) graph = ts_graph_new ();
  TsShape scalar = TS_SCALAR;
  TsValue *two = ts_graph_constant (graph, "two", TS_F32, &scalar, 2);
  TsValue *three = ts_graph_constant (graph, "three", TS_F32, &scalar, 3);
  g_autoptr (GError) error = NULL;
  TsNode *sum = ts_graph_add (graph, "add", NULL, (TsValue *[]){two, three}, 2, NULL, &error);

  if (!sum) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  g_print ("%s = %s (%s, %s): no value yet\n", sum->name, sum->op->formula, sum->in[0]->node->name,
           sum->in[1]->node->name);

  g_autoptr (TsSession) session = ts_session_new (graph, 1, 1);
  TsTensor *five = NULL;
  ts_session_init_variables (session);
  if (!ts_session_run (session, NULL, NULL, 0, sum->out, 1, NULL, 0, FALSE, &five, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  g_print ("%g\n", ts_tensor_get (five, 0));
  ts_tensor_unref (five);
  return 0;
}
