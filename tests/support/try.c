/* SPDX-License-Identifier: MIT */
#include "tests/support/try.h"

#include <math.h>

#include "engine/graph/autograd.h"

TsValue *
try_input (Try *t, TsDtype dtype, TsShape shape)
{
  g_autofree char *name = g_strdup_printf ("x%u", t->n);

  if (!t->graph)
    t->graph = ts_graph_new ();
  TsValue *v = t->x[t->n] = ts_graph_placeholder (t->graph, name, dtype, &shape, NULL);
  if (shape.rank && shape.dim[0] == TS_ANY)
    shape.dim[0] = TRY_ROWS;
  TsTensor *data = t->data[t->n] = ts_tensor_new (dtype, &shape);
  for (gint64 i = 0; i < ts_tensor_elems (data); i++)
    ts_tensor_set (data, i,
                   ts_dtype_is_float (dtype) ? sin (0.37 * (double) i + t->n)
                                             : (double) (i * 7 % 11) - 5);
  t->n++;
  return v;
}

void
try_set (Try *t, guint i, const double *values)
{
  for (gint64 k = 0; k < ts_tensor_elems (t->data[i]); k++)
    ts_tensor_set (t->data[i], k, values[k]);
}

TsValue *
try_op (Try *t, const char *name, const char *params, TsValue *a, TsValue *b, TsValue *c)
{
  TsValue *in[] = {a, b, c};
  TsParams p;
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, ts_op_lookup (name)->params);
  ts_params_parse_all (&p, params, &error);
  g_assert_no_error (error);
  TsNode *node = ts_graph_add (t->graph, name, NULL, in, c ? 3 : b ? 2 : 1, &p, &error);
  g_assert_no_error (error);
  return node->out[0];
}

TsTensor *
try_fetch (Try *t, TsValue *v, guint threads, GError **error)
{
  g_autoptr (TsSession) s = ts_session_new (t->graph, 1, threads);
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  ts_session_run (s, t->x, t->data, t->n, &v, 1, NULL, 0, TRUE, &out, error);
  return out;
}

void
try_clear (Try *t)
{
  for (guint i = 0; i < t->n; i++)
    ts_tensor_unref (t->data[i]);
  ts_graph_unref (t->graph);
}

TsTensor *
try_gradient (Try *t, TsValue *y, guint i, guint threads)
{
  g_autoptr (GError) error = NULL;
  TsValue *loss = try_op (t, "reduce_sum", NULL, y, NULL, NULL), *grad = NULL;

  ts_graph_gradients (t->graph, loss, &t->x[i], 1, &grad, &error);
  g_assert_no_error (error);
  TsTensor *out = try_fetch (t, grad, threads, &error);
  g_assert_no_error (error);
  return out;
}

void
try_expect (const TsTensor *got, const double *want, gint64 n)
{
  g_assert_cmpint (ts_tensor_elems (got), ==, n);
  for (gint64 i = 0; i < n; i++)
    if (!(isnan (want[i]) && isnan (ts_tensor_get (got, i))))
      g_assert_cmpfloat (ts_tensor_get (got, i), ==, want[i]);
}
