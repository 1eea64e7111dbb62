/* SPDX-License-Identifier: MIT */
/* Sums and products of integers along an axis. */
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

/* Nothing is added up in bytes or booleans. */
static void
test_refusals (void)
{
  static const struct {
    const char *op;
    TsDtype x;
    const char *words;
  } cases[] = {
      {"cumsum", TS_U8, "cumsum needs floats, i32 or i64, but 'x0' is u8"},
      {"neg", TS_BOOL, "neg needs floats, i32 or i64, but 'x0' is bool"},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    Try t = {0};
    g_autoptr (GError) error = NULL;
    TsValue *x = try_input (&t, cases[k].x, TS_SHAPE (3));
    g_assert_null (ts_graph_add (t.graph, cases[k].op, NULL, &x, 1, NULL, &error));
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
  g_test_add_func ("/integers/refusals", test_refusals);
  return g_test_run ();
}
