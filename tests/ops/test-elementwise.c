/* SPDX-License-Identifier: MIT */
/* What the generic test does not see: values large enough to be cut, ties, faults, infinities. */
#include <math.h>
#include <string.h>

#include "tests/support/try.h"

/* A value without batch that is cut into blocks, one operand of them whole. */
static void
test_blocks (void)
{
  Try t = {0};
  TsValue *a = try_input (&t, TS_F64, TS_SHAPE (9000, 7)),
          *b = try_input (&t, TS_F64, TS_SHAPE (7));
  TsValue *y = try_op (&t, "sub", NULL, a, b, NULL);

  for (guint threads = 1; threads <= 3; threads += 2) {
    g_autoptr (TsTensor) got = try_fetch (&t, y, threads, NULL);
    for (gint64 i = 0; i < ts_tensor_elems (got); i++)
      g_assert_cmpfloat (ts_tensor_get (got, i), ==,
                         ts_tensor_get (t.data[0], i) - ts_tensor_get (t.data[1], i % 7));
  }
  try_clear (&t);
}

/* Rows so long that a slot is summed in several strips. */
static void
test_long_rows (void)
{
  Try t = {0};
  TsValue *a = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 100, 300)),
          *b = try_input (&t, TS_F32, TS_SHAPE (300));
  TsValue *y = try_op (&t, "mul", NULL, a, b, NULL);
  g_autoptr (TsTensor) one = try_gradient (&t, y, 1, 1), three = try_gradient (&t, y, 1, 3);

  g_assert_cmpmem (one->data, one->bytes, three->data, three->bytes);
  for (gint64 j = 0; j < 300; j++) {
    double want = 0;
    for (gint64 i = j; i < ts_tensor_elems (t.data[0]); i += 300)
      want += ts_tensor_get (t.data[0], i);
    g_assert_cmpfloat (fabs (ts_tensor_get (one, j) - want), <, 1e-4);
  }
  try_clear (&t);
}

/* TensorFlow's rule: the first operand takes all of a tie's gradient. */
static void
test_ties (void)
{
  static const double a[] = {1, 2, 3}, b[] = {1, 3, 2}, da[] = {1, 0, 1}, db[] = {0, 1, 0};
  static const double small_a[] = {1, 1, 0}, small_b[] = {0, 0, 1};

  for (guint k = 0; k < 2; k++) {
    Try t = {0};
    TsValue *x = try_input (&t, TS_F64, TS_SHAPE (3)), *z = try_input (&t, TS_F64, TS_SHAPE (3));
    try_set (&t, 0, a);
    try_set (&t, 1, b);
    TsValue *y = try_op (&t, k ? "minimum" : "maximum", NULL, x, z, NULL);
    g_autoptr (TsTensor) left = try_gradient (&t, y, 0, 1), right = try_gradient (&t, y, 1, 1);
    try_expect (left, k ? small_a : da, 3);
    try_expect (right, k ? small_b : db, 3);
    try_clear (&t);
  }
}

/* The branch that was not taken may be infinite: where (x > 0, log (x), x) at -1 and 0. */
static void
test_where_keeps_out (void)
{
  static const double at[] = {-1, 0, 2}, want[] = {1, 1, 0.5};
  Try t = {0};
  TsValue *x = try_input (&t, TS_F64, TS_SHAPE (3)), *zero = try_input (&t, TS_F64, TS_SCALAR);

  try_set (&t, 0, at);
  try_set (&t, 1, (const double[]){0});
  TsValue *c = try_op (&t, "greater", NULL, x, zero, NULL);
  TsValue *inner = try_op (&t, "where", NULL, c, x, try_op (&t, "exp", NULL, zero, NULL, NULL));
  TsValue *y = try_op (&t, "where", NULL, c, try_op (&t, "log", NULL, inner, NULL, NULL), x);
  g_autoptr (TsTensor) g = try_gradient (&t, y, 0, 1);
  try_expect (g, want, 3);
  /* what flows to the other branch may be infinite, too */
  TsValue *w = try_input (&t, TS_F64, TS_SHAPE (3));
  try_set (&t, 2, (const double[]){INFINITY, NAN, 1});
  TsValue *scaled = try_op (&t, "mul", NULL, try_op (&t, "where", NULL, c, x, zero), w, NULL);
  g_autoptr (TsTensor) h = try_gradient (&t, scaled, 0, 1);
  try_expect (h, (const double[]){0, 0, 1}, 3);
  try_clear (&t);
}

static void
test_integers (void)
{
  static const char *const ops[] = {"floordiv", "mod"};

  for (TsDtype dtype = TS_I32; dtype <= TS_I64; dtype++)
    for (guint k = 0; k < 2; k++) {
      Try t = {0};
      g_autoptr (GError) error = NULL;
      TsValue *a = try_input (&t, dtype, TS_SHAPE (TS_ANY, 3)),
              *b = try_input (&t, dtype, TS_SHAPE (3));
      TsValue *y = try_op (&t, ops[k], NULL, a, b, NULL);
      try_set (&t, 1, (const double[]){3, -3, 2});
      g_autoptr (TsTensor) got = try_fetch (&t, y, 2, &error);
      g_assert_no_error (error);
      for (gint64 i = 0; i < ts_tensor_elems (got); i++) {
        double p = ts_tensor_get (t.data[0], i), q = ts_tensor_get (t.data[1], i % 3);
        g_assert_cmpfloat (ts_tensor_get (got, i), ==, k ? p - q * floor (p / q) : floor (p / q));
      }
      for (gint64 i = 0; i < ts_tensor_elems (t.data[0]); i++)
        ts_tensor_set (t.data[0], i, i < 380 ? 2 : 0);
      y = try_op (&t, ops[k], NULL, b, a, NULL);
      g_autoptr (TsTensor) none = try_fetch (&t, y, 2, &error);
      g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE);
      g_assert_nonnull (strstr (error->message, ops[k]));
      g_assert_nonnull (strstr (error->message, "division by zero at element 380"));
      try_clear (&t);
    }
}

static void
test_check_numerics (void)
{
  Try t = {0};
  g_autoptr (GError) error = NULL;
  TsValue *x = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 4));
  TsValue *y = try_op (&t, "check_numerics", "message=odd", x, NULL, NULL);

  ts_tensor_set (t.data[0], 77, NAN);
  ts_tensor_set (t.data[0], 50, -INFINITY);
  g_autoptr (TsTensor) none = try_fetch (&t, y, 3, &error);
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE);
  g_assert_cmpstr (error->message, ==,
                   "check_numerics 'check_numerics': element 50 of 'x0' is -infinite: odd");
  ts_tensor_set (t.data[0], 50, 0);
  g_clear_error (&error);
  g_autoptr (TsTensor) neither = try_fetch (&t, y, 3, &error);
  g_assert_nonnull (strstr (error->message, "element 77 of 'x0' is NaN"));
  try_clear (&t);
}

static void
test_cast (void)
{
  static const double x[] = {2.9, -2.9, 1e20, -1e20, NAN, 0};
  static const double i32[] = {2, -2, G_MAXINT32, G_MININT32, 0, 0}, flag[] = {1, 1, 1, 1, 1, 0};
  static const double u8[] = {2, 0, 255, 0, 0, 0};
  Try t = {0};
  TsValue *v = try_input (&t, TS_F32, TS_SHAPE (6));

  try_set (&t, 0, x);
  g_autoptr (TsTensor) a = try_fetch (&t, try_op (&t, "cast", "dtype=i32", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) b =
      try_fetch (&t, try_op (&t, "cast", "dtype=bool", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) c = try_fetch (&t, try_op (&t, "cast", "dtype=u8", v, NULL, NULL), 1, NULL);
  try_expect (a, i32, 6);
  try_expect (b, flag, 6);
  try_expect (c, u8, 6);
  /* from double, and i64, whose ends no float holds */
  TsValue *wide = try_op (&t, "cast", "dtype=f64", v, NULL, NULL);
  g_autoptr (TsTensor) d =
      try_fetch (&t, try_op (&t, "cast", "dtype=i32", wide, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) l = try_fetch (&t, try_op (&t, "cast", "dtype=i64", v, NULL, NULL), 1, NULL);
  const gint64 *longs = l->data;
  try_expect (d, i32, 6);
  g_assert_true (longs[0] == 2 && longs[1] == -2 && longs[2] == G_MAXINT64);
  g_assert_true (longs[3] == G_MININT64 && longs[4] == 0);
  try_clear (&t);
}

/* Words of refusals. */
static void
test_refusals (void)
{
  Try t = {0};
  TsValue *rows = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 4)),
          *free3 = try_input (&t, TS_F32, TS_SHAPE (3, 4));
  TsValue *deep = try_input (&t, TS_F32, TS_SHAPE (2, 1, 4));
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
  try_clear (&t);
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
