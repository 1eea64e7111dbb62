/* SPDX-License-Identifier: MIT */
/* What the generic test does not see: values large enough to be cut, ties, faults, infinities. */
#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/session.h"

#define MAX_IN 3

typedef struct {
  TsGraph *graph;
  guint n;
  TsValue *x[MAX_IN];
  TsTensor *data[MAX_IN];
} Inputs;

/* A placeholder of @shape (TS_ANY: 29 rows) with numbers from -1 to 1, or integers from -5 to 5. */
static TsValue *
input (Inputs *t, TsDtype dtype, TsShape shape)
{
  g_autofree char *name = g_strdup_printf ("x%u", t->n);

  if (!t->graph)
    t->graph = ts_graph_new ();
  TsValue *v = t->x[t->n] = ts_graph_placeholder (t->graph, name, dtype, &shape, NULL);
  if (shape.rank && shape.dim[0] == TS_ANY)
    shape.dim[0] = 29;
  TsTensor *data = t->data[t->n] = ts_tensor_new (dtype, &shape);
  for (gint64 i = 0; i < ts_tensor_elems (data); i++)
    ts_tensor_set (data, i,
                   ts_dtype_is_float (dtype) ? sin (0.37 * (double) i + t->n)
                                             : (double) (i * 7 % 11) - 5);
  t->n++;
  return v;
}

static void
set (Inputs *t, guint i, const double *values)
{
  for (gint64 k = 0; k < ts_tensor_elems (t->data[i]); k++)
    ts_tensor_set (t->data[i], k, values[k]);
}

static TsValue *
op (Inputs *t, const char *name, const char *params, TsValue *a, TsValue *b, TsValue *c)
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

static TsTensor *
fetch (Inputs *t, TsValue *v, guint threads, GError **error)
{
  g_autoptr (TsSession) s = ts_session_new (t->graph, 1, threads);
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  ts_session_run (s, t->x, t->data, t->n, &v, 1, NULL, 0, TRUE, &out, error);
  return out;
}

static void
clear (Inputs *t)
{
  for (guint i = 0; i < t->n; i++)
    ts_tensor_unref (t->data[i]);
  ts_graph_unref (t->graph);
}

/* d sum (y) / d input @i */
static TsTensor *
gradient (Inputs *t, TsValue *y, guint i, guint threads)
{
  g_autoptr (GError) error = NULL;
  TsValue *loss = op (t, "reduce_sum", NULL, y, NULL, NULL), *grad = NULL;

  ts_graph_gradients (t->graph, loss, &t->x[i], 1, &grad, &error);
  g_assert_no_error (error);
  TsTensor *out = fetch (t, grad, threads, &error);
  g_assert_no_error (error);
  return out;
}

static void
expect (const TsTensor *got, const double *want, gint64 n)
{
  g_assert_cmpint (ts_tensor_elems (got), ==, n);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (ts_tensor_get (got, i), ==, want[i]);
}

/* A value without batch that is cut into blocks, one operand of them whole. */
static void
test_blocks (void)
{
  Inputs t = {0};
  TsValue *a = input (&t, TS_F64, TS_SHAPE (9000, 7)), *b = input (&t, TS_F64, TS_SHAPE (7));
  TsValue *y = op (&t, "sub", NULL, a, b, NULL);

  for (guint threads = 1; threads <= 3; threads += 2) {
    g_autoptr (TsTensor) got = fetch (&t, y, threads, NULL);
    for (gint64 i = 0; i < ts_tensor_elems (got); i++)
      g_assert_cmpfloat (ts_tensor_get (got, i), ==,
                         ts_tensor_get (t.data[0], i) - ts_tensor_get (t.data[1], i % 7));
  }
  clear (&t);
}

/* Rows so long that a slot is summed in several strips. */
static void
test_long_rows (void)
{
  Inputs t = {0};
  TsValue *a = input (&t, TS_F32, TS_SHAPE (TS_ANY, 200, 300)),
          *b = input (&t, TS_F32, TS_SHAPE (300));
  TsValue *y = op (&t, "mul", NULL, a, b, NULL);
  g_autoptr (TsTensor) one = gradient (&t, y, 1, 1), three = gradient (&t, y, 1, 3);

  g_assert_cmpmem (one->data, one->bytes, three->data, three->bytes);
  for (gint64 j = 0; j < 300; j++) {
    double want = 0;
    for (gint64 i = j; i < ts_tensor_elems (t.data[0]); i += 300)
      want += ts_tensor_get (t.data[0], i);
    g_assert_cmpfloat (fabs (ts_tensor_get (one, j) - want), <, 1e-4);
  }
  clear (&t);
}

/* TensorFlow's rule: the first operand takes all of a tie's gradient. */
static void
test_ties (void)
{
  static const double a[] = {1, 2, 3}, b[] = {1, 3, 2}, da[] = {1, 0, 1}, db[] = {0, 1, 0};
  static const double small_a[] = {1, 1, 0}, small_b[] = {0, 0, 1};

  for (guint k = 0; k < 2; k++) {
    Inputs t = {0};
    TsValue *x = input (&t, TS_F64, TS_SHAPE (3)), *z = input (&t, TS_F64, TS_SHAPE (3));
    set (&t, 0, a);
    set (&t, 1, b);
    TsValue *y = op (&t, k ? "minimum" : "maximum", NULL, x, z, NULL);
    g_autoptr (TsTensor) left = gradient (&t, y, 0, 1), right = gradient (&t, y, 1, 1);
    expect (left, k ? small_a : da, 3);
    expect (right, k ? small_b : db, 3);
    clear (&t);
  }
}

/* The branch that was not taken may be infinite: where (x > 0, log (x), x) at -1 and 0. */
static void
test_where_keeps_out (void)
{
  static const double at[] = {-1, 0, 2}, want[] = {1, 1, 0.5};
  Inputs t = {0};
  TsValue *x = input (&t, TS_F64, TS_SHAPE (3)), *zero = input (&t, TS_F64, TS_SCALAR);

  set (&t, 0, at);
  set (&t, 1, (const double[]){0});
  TsValue *c = op (&t, "greater", NULL, x, zero, NULL);
  TsValue *inner = op (&t, "where", NULL, c, x, op (&t, "exp", NULL, zero, NULL, NULL));
  TsValue *y = op (&t, "where", NULL, c, op (&t, "log", NULL, inner, NULL, NULL), x);
  g_autoptr (TsTensor) g = gradient (&t, y, 0, 1);
  expect (g, want, 3);
  /* what flows to the other branch may be infinite, too */
  TsValue *w = input (&t, TS_F64, TS_SHAPE (3));
  set (&t, 2, (const double[]){INFINITY, NAN, 1});
  TsValue *scaled = op (&t, "mul", NULL, op (&t, "where", NULL, c, x, zero), w, NULL);
  g_autoptr (TsTensor) h = gradient (&t, scaled, 0, 1);
  expect (h, (const double[]){0, 0, 1}, 3);
  clear (&t);
}

static void
test_integers (void)
{
  static const char *const ops[] = {"floordiv", "mod"};

  for (TsDtype dtype = TS_I32; dtype <= TS_I64; dtype++)
    for (guint k = 0; k < 2; k++) {
      Inputs t = {0};
      g_autoptr (GError) error = NULL;
      TsValue *a = input (&t, dtype, TS_SHAPE (TS_ANY, 3)), *b = input (&t, dtype, TS_SHAPE (3));
      TsValue *y = op (&t, ops[k], NULL, a, b, NULL);
      set (&t, 1, (const double[]){3, -3, 2});
      g_autoptr (TsTensor) got = fetch (&t, y, 2, &error);
      g_assert_no_error (error);
      for (gint64 i = 0; i < ts_tensor_elems (got); i++) {
        double p = ts_tensor_get (t.data[0], i), q = ts_tensor_get (t.data[1], i % 3);
        g_assert_cmpfloat (ts_tensor_get (got, i), ==, k ? p - q * floor (p / q) : floor (p / q));
      }
      set (&t, 1, (const double[]){3, 0, 2});
      g_autoptr (TsTensor) none = fetch (&t, y, 2, &error);
      g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE);
      g_assert_nonnull (strstr (error->message, ops[k]));
      g_assert_nonnull (strstr (error->message, "division by zero at element 1"));
      clear (&t);
    }
}

static void
test_check_numerics (void)
{
  Inputs t = {0};
  g_autoptr (GError) error = NULL;
  TsValue *x = input (&t, TS_F32, TS_SHAPE (TS_ANY, 4));
  TsValue *y = op (&t, "check_numerics", "message=odd", x, NULL, NULL);

  ts_tensor_set (t.data[0], 77, NAN);
  ts_tensor_set (t.data[0], 50, -INFINITY);
  g_autoptr (TsTensor) none = fetch (&t, y, 3, &error);
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE);
  g_assert_cmpstr (error->message, ==,
                   "check_numerics 'check_numerics': element 50 of 'x0' is -infinite: odd");
  ts_tensor_set (t.data[0], 50, 0);
  g_clear_error (&error);
  g_autoptr (TsTensor) neither = fetch (&t, y, 3, &error);
  g_assert_nonnull (strstr (error->message, "element 77 of 'x0' is NaN"));
  clear (&t);
}

static void
test_cast (void)
{
  static const double x[] = {2.9, -2.9, 1e20, -1e20, NAN, 0};
  static const double i32[] = {2, -2, G_MAXINT32, G_MININT32, 0, 0}, flag[] = {1, 1, 1, 1, 1, 0};
  static const double u8[] = {2, 0, 255, 0, 0, 0};
  Inputs t = {0};
  TsValue *v = input (&t, TS_F32, TS_SHAPE (6));

  set (&t, 0, x);
  g_autoptr (TsTensor) a = fetch (&t, op (&t, "cast", "dtype=i32", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) b = fetch (&t, op (&t, "cast", "dtype=bool", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) c = fetch (&t, op (&t, "cast", "dtype=u8", v, NULL, NULL), 1, NULL);
  expect (a, i32, 6);
  expect (b, flag, 6);
  expect (c, u8, 6);
  clear (&t);
}

/* Words of refusals. */
static void
test_refusals (void)
{
  Inputs t = {0};
  TsValue *rows = input (&t, TS_F32, TS_SHAPE (TS_ANY, 4)),
          *free3 = input (&t, TS_F32, TS_SHAPE (3, 4));
  TsValue *deep = input (&t, TS_F32, TS_SHAPE (2, 1, 4));
  struct {
    TsValue *a, *b;
    const char *words;
  } cases[] = {
      {rows, free3, "add cannot broadcast [4] with [3, 4]: the batch meets an axis of 3"},
      {deep, rows, "add cannot broadcast [2, 1, 4] with [4]: the one without batch has more axes"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    TsValue *in[] = {cases[i].a, cases[i].b};
    g_autoptr (GError) error = NULL;
    g_assert_null (ts_graph_add (t.graph, "add", NULL, in, 2, NULL, &error));
    g_assert_cmpstr (error->message, ==, cases[i].words);
  }
  clear (&t);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elementwise/blocks", test_blocks);
  g_test_add_func ("/elementwise/long-rows", test_long_rows);
  g_test_add_func ("/elementwise/ties", test_ties);
  g_test_add_func ("/elementwise/where-keeps-out", test_where_keeps_out);
  g_test_add_func ("/elementwise/integers", test_integers);
  g_test_add_func ("/elementwise/check-numerics", test_check_numerics);
  g_test_add_func ("/elementwise/cast", test_cast);
  g_test_add_func ("/elementwise/refusals", test_refusals);
  return g_test_run ();
}
