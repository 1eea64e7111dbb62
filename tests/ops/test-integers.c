/* SPDX-License-Identifier: MIT */
/* Sums and products of integers along an axis and by number. */
#include <string.h>

#include "tests/support/try.h"

/* One op on four integers. */
static void
expect (const char *op, const char *params, const double x[4], const double want[4])
{
  Try t = {0};
  TsValue *y = try_op (&t, op, params, try_input (&t, TS_I32, TS_SHAPE (4)), NULL, NULL);

  try_set (&t, 0, x);
  g_autoptr (TsTensor) got = try_fetch (&t, y, 1, NULL);
  try_expect (got, want, 4);
  try_clear (&t);
}

/* Integers are no rounded doubles (2^53 + 1 and 94906267^2 are none), and wrap around at their own width, as
 * NumPy's do. */
static void
test_scans (void)
{
  static const gint64 sums[] = {G_GINT64_CONSTANT (1) << 53, 1, 1, G_MAXINT64};
  static const gint64 products[] = {94906267, 94906267, -1, 4};
  static const double narrow[4] = {G_MAXINT32, 1, -3, 2};
  Try t = {0};
  TsValue *x = try_input (&t, TS_I64, TS_SHAPE (4));
  TsValue *sum = try_op (&t, "cumsum", NULL, x, NULL, NULL);
  TsValue *product = try_op (&t, "cumprod", NULL, x, NULL, NULL);

  memcpy (t.data[0]->data, sums, sizeof sums);
  g_autoptr (TsTensor) s = try_fetch (&t, sum, 1, NULL);
  const gint64 *got = s->data, two = sums[0];
  g_assert_true (got[0] == two && got[1] == two + 1 && got[2] == two + 2);
  g_assert_true (got[3] == G_MININT64 + two + 1);
  memcpy (t.data[0]->data, products, sizeof products);
  g_autoptr (TsTensor) p = try_fetch (&t, product, 1, NULL);
  got = p->data;
  g_assert_true (got[1] == 9007199515875289 && got[2] == -got[1] && got[3] == 4 * got[2]);
  try_clear (&t);
  expect ("cumsum", NULL, narrow, ((double[]){G_MAXINT32, G_MININT32, G_MAXINT32 - 2, G_MAXINT32}));
  expect ("cumsum", "exclusive=true, reverse=true", narrow, ((double[]){0, -1, 2, 0}));
  expect ("cumprod", NULL, narrow, ((double[]){G_MAXINT32, G_MAXINT32, G_MININT32 + 3, 6}));
}

/* No gradient comes back from integers, and none that goes past them is held up. */
static void
test_gradient (void)
{
  Try t = {0};
  TsValue *x = try_input (&t, TS_F64, TS_SHAPE (3)), *i = try_input (&t, TS_I64, TS_SHAPE (3));
  TsValue *counts =
      try_op (&t, "cast", "dtype=f64", try_op (&t, "cumsum", NULL, i, NULL, NULL), NULL, NULL);
  TsValue *y = try_op (&t, "mul", NULL, x, counts, NULL);

  try_set (&t, 1, (const double[]){2, 3, -1});
  g_autoptr (TsTensor) got = try_gradient (&t, y, 0, 1);
  try_expect (got, (const double[]){2, 5, 4}, 3);
  try_clear (&t);
}

/* Duplicates add, exactly.  2^53 + 1 is no double. */
static void
test_scatters (void)
{
  static const gint64 x[] = {G_GINT64_CONSTANT (1) << 53, 7, -2}, updates[] = {1, 5, G_MAXINT64, 1};
  Try t = {0};
  TsValue *to = try_input (&t, TS_I64, TS_SHAPE (3)), *i = try_input (&t, TS_I32, TS_SHAPE (4));
  TsValue *u = try_input (&t, TS_I64, TS_SHAPE (4));
  TsValue *sum = try_op (&t, "scatter_add", NULL, to, i, u);
  TsValue *tuples = try_op (&t, "expand_dims", "axis=1", i, NULL, NULL);
  TsValue *alone = try_op (&t, "scatter_nd", "shape=[3]", tuples, u, NULL);

  memcpy (t.data[0]->data, x, sizeof x);
  memcpy (t.data[2]->data, updates, sizeof updates);
  try_set (&t, 1, (const double[]){0, 2, 2, 0});
  g_autoptr (TsTensor) s = try_fetch (&t, sum, 1, NULL);
  const gint64 *got = s->data;
  g_assert_true (got[0] == x[0] + 2 && got[1] == 7 && got[2] == G_MININT64 + 2);
  g_autoptr (TsTensor) a = try_fetch (&t, alone, 1, NULL);
  got = a->data;
  g_assert_true (got[0] == 2 && got[1] == 0 && got[2] == G_MININT64 + 4);
  try_clear (&t);
}

/* Many rows of them, by one thread or three, each beside its own sums. */
static void
test_scatter_rows (void)
{
  for (guint threads = 1; threads <= 3; threads += 2) {
    Try t = {0};
    TsValue *x = try_input (&t, TS_I32, TS_SHAPE (TS_ANY, 4));
    TsValue *i = try_input (&t, TS_I32, TS_SHAPE (TS_ANY, 6));
    TsValue *u = try_input (&t, TS_I32, TS_SHAPE (TS_ANY, 6));
    for (gint64 k = 0; k < 6 * TRY_ROWS; k++)
      ts_tensor_set (t.data[1], k, (double) (k * 5 % 4));
    TsValue *y = try_op (&t, "scatter_add", "axis=1", x, i, u);
    g_autoptr (TsTensor) got = try_fetch (&t, y, threads, NULL);
    for (gint64 r = 0; r < TRY_ROWS; r++)
      for (gint64 c = 0; c < 4; c++) {
        double want = ts_tensor_get (t.data[0], r * 4 + c);
        for (gint64 k = r * 6; k < (r + 1) * 6; k++)
          want += k * 5 % 4 == c ? ts_tensor_get (t.data[2], k) : 0;
        g_assert_cmpfloat (ts_tensor_get (got, r * 4 + c), ==, want);
      }
    try_clear (&t);
  }
}

/* Nothing is added up in bytes or booleans, nor in two types at once. */
static void
test_refusals (void)
{
  static const struct {
    const char *op, *params;
    TsDtype x, updates;
    const char *words;
  } cases[] = {
      {"cumsum", NULL, TS_U8, TS_U8, "cumsum needs floats, i32 or i64, but 'x0' is u8"},
      {"neg", NULL, TS_BOOL, TS_U8, "neg needs floats, i32 or i64, but 'x0' is bool"},
      {"scatter_add", NULL, TS_U8, TS_U8, "floats, i32 or i64, not u8 and u8"},
      {"scatter_add", NULL, TS_I64, TS_I32, "floats, i32 or i64, not i64 and i32"},
      {"scatter_nd", "shape=[3]", TS_F32, TS_BOOL, "floats, i32 or i64 as updates, but 'x1' is"},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    Try t = {0};
    g_autoptr (GError) error = NULL;
    TsValue *x = try_input (&t, cases[k].x, TS_SHAPE (3));
    TsValue *u = try_input (&t, cases[k].updates, TS_SHAPE (3));
    TsValue *i = try_input (&t, TS_I32, TS_SHAPE (3)), *in[] = {x, i, u};
    TsValue *tuple[] = {try_op (&t, "expand_dims", "axis=1", i, NULL, NULL), u};
    TsParams p;
    ts_params_init (&p, ts_op_lookup (cases[k].op)->params);
    g_assert_true (ts_params_parse_all (&p, cases[k].params, NULL));
    guint n = ts_op_lookup (cases[k].op)->max_in;
    g_assert_null (ts_graph_add (t.graph, cases[k].op, NULL, n == 2 ? tuple : in, n, &p, &error));
    g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE);
    g_assert_nonnull (strstr (error->message, cases[k].words));
    try_clear (&t);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/integers/scans", test_scans);
  g_test_add_func ("/integers/gradient", test_gradient);
  g_test_add_func ("/integers/scatters", test_scatters);
  g_test_add_func ("/integers/scatter-rows", test_scatter_rows);
  g_test_add_func ("/integers/refusals", test_refusals);
  return g_test_run ();
}
