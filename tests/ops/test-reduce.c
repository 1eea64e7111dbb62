/* SPDX-License-Identifier: MIT */
/* Reductions where the generic test does not look: ties, zeros, nothing at all, every set of axes
 * beside plain loops, and sums that are the same bits for any number of threads. */
#include <math.h>
#include <string.h>

#include "tests/support/try.h"

static void
test_ties (void)
{
  static const double x[] = {3, 1, 3, 3, 2, 2}, most[] = {1 / 3.0, 0, 1 / 3.0, 1 / 3.0, 0, 0};
  static const double rows[] = {0.5, 0, 0.5, 1, 0, 0}, least[] = {0, 1, 0, 0, 0.5, 0.5};
  Try t = {0};
  TsValue *v = try_input (&t, TS_F64, TS_SHAPE (2, 3));

  try_set (&t, 0, x);
  g_autoptr (TsTensor) a = try_gradient (&t, try_op (&t, "reduce_max", NULL, v, NULL, NULL), 0, 1);
  g_autoptr (TsTensor) b =
      try_gradient (&t, try_op (&t, "reduce_max", "axes=[1]", v, NULL, NULL), 0, 1);
  g_autoptr (TsTensor) c =
      try_gradient (&t, try_op (&t, "reduce_min", "axes=[-1]", v, NULL, NULL), 0, 1);
  try_expect (a, most, 6);
  try_expect (b, rows, 6);
  try_expect (c, least, 6);
  try_clear (&t);
}

static void
test_zeros (void)
{
  static const double x[] = {2, 0, 5, 0, 0, 3}, want[] = {0, 10, 0, 0, 0, 0};
  static const double norm[] = {0, 0, 0, 0, 0, 0};
  Try t = {0};
  TsValue *v = try_input (&t, TS_F64, TS_SHAPE (2, 3));

  try_set (&t, 0, x);
  g_autoptr (TsTensor) a =
      try_gradient (&t, try_op (&t, "reduce_prod", "axes=[1]", v, NULL, NULL), 0, 1);
  try_expect (a, want, 6);
  try_set (&t, 0, norm);
  g_autoptr (TsTensor) b = try_gradient (&t, try_op (&t, "reduce_norm", NULL, v, NULL, NULL), 0, 1);
  try_expect (b, norm, 6);
  try_clear (&t);
}

/* Lines longer than a piece: products from the front and the back meet. */
static void
test_long_product (void)
{
  Try t = {0};
  TsValue *v = try_input (&t, TS_F64, TS_SHAPE (1500, 2));

  for (gint64 i = 0; i < 3000; i++)
    ts_tensor_set (t.data[0], i, i % 3 ? 1 : i % 2 ? -1 : 1.01);
  g_autoptr (TsTensor) y =
      try_fetch (&t, try_op (&t, "reduce_prod", "axes=[0]", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) g =
      try_gradient (&t, try_op (&t, "reduce_prod", "axes=[0]", v, NULL, NULL), 0, 1);
  for (gint64 i = 0; i < 3000; i++) {
    double want = ts_tensor_get (y, i % 2) / ts_tensor_get (t.data[0], i);
    g_assert_cmpfloat (fabs (ts_tensor_get (g, i) - want), <=, 1e-10 * fabs (want));
  }
  try_clear (&t);
}

static void
test_nothing (void)
{
  static const struct {
    const char *op;
    double want;
  } cases[] = {{"reduce_sum", 0},         {"reduce_mean", NAN},           {"reduce_prod", 1},
               {"reduce_max", -INFINITY}, {"reduce_min", INFINITY},       {"reduce_norm", 0},
               {"reduce_variance", NAN},  {"reduce_logsumexp", -INFINITY}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Try t = {0};
    TsValue *v = try_input (&t, TS_F32, TS_SHAPE (2, 0));
    g_autoptr (TsTensor) y =
        try_fetch (&t, try_op (&t, cases[i].op, "axes=[1]", v, NULL, NULL), 1, NULL);
    try_expect (y, (const double[]){cases[i].want, cases[i].want}, 2);
    try_clear (&t);
  }
}

static void
test_special (void)
{
  Try t = {0};
  TsValue *v = try_input (&t, TS_F64, TS_SHAPE (3, 2));

  try_set (&t, 0, (const double[]){-INFINITY, -INFINITY, 1, NAN, 1000, 1000});
  g_autoptr (TsTensor) a =
      try_fetch (&t, try_op (&t, "reduce_logsumexp", "axes=[1]", v, NULL, NULL), 1, NULL);
  try_expect (a, (const double[]){-INFINITY, NAN, 1000 + log (2)}, 3);
  g_autoptr (TsTensor) b =
      try_fetch (&t, try_op (&t, "reduce_max", "axes=[1]", v, NULL, NULL), 1, NULL);
  try_expect (b, (const double[]){-INFINITY, NAN, 1000}, 3);
  try_clear (&t);
}

/* Sums and maxima over every set of axes of [rows, 3, 4, 5], with a batch and without. */
static void
test_every_set (void)
{
  for (guint set = 1; set < 16; set++)
    for (guint batched = 0; batched < 2; batched++) {
      Try t = {0};
      g_autoptr (GString) params = g_string_new ("axes=[");
      gint64 dim[4] = {TRY_ROWS, 3, 4, 5}, n = 1;
      TsValue *v = try_input (&t, TS_F64, TS_SHAPE (batched ? TS_ANY : TRY_ROWS, 3, 4, 5));
      for (guint i = 0; i < 4; i++) {
        if (set >> i & 1)
          g_string_append_printf (params, "%s%u", params->str[params->len - 1] == '[' ? "" : ", ",
                                  i);
        else
          n *= dim[i];
      }
      g_string_append_c (params, ']');
      g_autofree double *sum = g_new0 (double, n), *most = g_new (double, n);
      for (gint64 i = 0; i < n; i++)
        most[i] = -INFINITY;
      for (gint64 i = 0; i < TRY_ROWS * 60; i++) {
        gint64 index[] = {i / 60, i / 20 % 3, i / 5 % 4, i % 5}, at = 0;
        for (guint k = 0; k < 4; k++)
          at = set >> k & 1 ? at : at * dim[k] + index[k];
        sum[at] += ts_tensor_get (t.data[0], i);
        most[at] = MAX (most[at], ts_tensor_get (t.data[0], i));
      }
      TsValue *y = try_op (&t, "reduce_sum", params->str, v, NULL, NULL);
      g_autoptr (TsTensor) one = try_fetch (&t, y, 1, NULL), two = try_fetch (&t, y, 2, NULL);
      TsValue *top = try_op (&t, "reduce_max", params->str, v, NULL, NULL);
      g_autoptr (TsTensor) largest = try_fetch (&t, top, 2, NULL);
      g_assert_cmpint (ts_tensor_elems (one), ==, n);
      g_assert_cmpmem (one->data, one->bytes, two->data, two->bytes);
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpfloat (fabs (ts_tensor_get (one, i) - sum[i]), <, 1e-9);
      try_expect (largest, most, n);
      try_clear (&t);
    }
}

/* Rows so long that a slot is summed in several strips. */
static void
test_long_rows (void)
{
  Try t = {0};
  TsValue *v = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 100, 3, 100));
  TsValue *y = try_op (&t, "reduce_sum", "axes=[0, 1, 3]", v, NULL, NULL);
  g_autoptr (TsTensor) one = try_fetch (&t, y, 1, NULL), three = try_fetch (&t, y, 3, NULL);
  double want[3] = {0};

  for (gint64 i = 0; i < ts_tensor_elems (t.data[0]); i++)
    want[i / 100 % 3] += ts_tensor_get (t.data[0], i);
  g_assert_cmpmem (one->data, one->bytes, three->data, three->bytes);
  for (gint64 i = 0; i < 3; i++)
    g_assert_cmpfloat (fabs (ts_tensor_get (one, i) - want[i]), <, 1e-4);
  try_clear (&t);
}

static void
test_booleans (void)
{
  Try t = {0};
  TsValue *v = try_input (&t, TS_BOOL, TS_SHAPE (3, 2));

  try_set (&t, 0, (const double[]){0, 0, 1, 0, 1, 1});
  g_autoptr (TsTensor) any =
      try_fetch (&t, try_op (&t, "reduce_any", "axes=[1]", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) all =
      try_fetch (&t, try_op (&t, "reduce_all", "axes=[1]", v, NULL, NULL), 1, NULL);
  g_autoptr (TsTensor) column =
      try_fetch (&t, try_op (&t, "reduce_any", "axes=[0], keepdims=true", v, NULL, NULL), 1, NULL);
  try_expect (any, (const double[]){0, 1, 1}, 3);
  try_expect (all, (const double[]){0, 0, 1}, 3);
  try_expect (column, (const double[]){1, 1}, 2);
  try_clear (&t);
}

static void
test_refusals (void)
{
  Try t = {0};
  TsValue *v = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 3));
  TsParams p;
  g_autoptr (GError) error = NULL;

  ts_params_init (&p, ts_op_lookup ("reduce_max")->params);
  ts_params_parse_all (&p, "axes=[1, 2]", NULL);
  g_assert_null (ts_graph_add (t.graph, "reduce_max", NULL, &v, 1, &p, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM);
  g_assert_cmpstr (error->message, ==, "reduce_max: axes has 2, but 'x0' is (?, 3)");
  g_clear_error (&error);
  ts_params_init (&p, ts_op_lookup ("reduce_any")->params);
  g_assert_null (ts_graph_add (t.graph, "reduce_any", NULL, &v, 1, &p, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE);
  g_assert_cmpstr (error->message, ==, "reduce_any needs booleans, but 'x0' is f32");
  try_clear (&t);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reduce/ties", test_ties);
  g_test_add_func ("/reduce/zeros", test_zeros);
  g_test_add_func ("/reduce/long-product", test_long_product);
  g_test_add_func ("/reduce/nothing", test_nothing);
  g_test_add_func ("/reduce/special", test_special);
  g_test_add_func ("/reduce/every-set", test_every_set);
  g_test_add_func ("/reduce/long-rows", test_long_rows);
  g_test_add_func ("/reduce/booleans", test_booleans);
  g_test_add_func ("/reduce/refusals", test_refusals);
  return g_test_run ();
}
