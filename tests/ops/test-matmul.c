/* SPDX-License-Identifier: MIT */
/* Matrix products large enough to be cut, beside plain loops; the words of refusals. */
#include <math.h>
#include <string.h>

#include "tests/support/try.h"

/* Element (i, k) of a matrix of @columns columns, turned or not, as a double. */
static double
at (const TsTensor *x, gint64 matrix, gint64 i, gint64 k, gint64 lines, gint64 columns,
    gboolean turn)
{
  return ts_tensor_get (x, matrix * lines * columns + (turn ? k * lines + i : i * columns + k));
}

/* a[count, m, k] (count 0: [m, k]) by b[k, n] or, when @both, by b[count, k, n], all turns. */
static void
check_product (gint64 count, gint64 m, gint64 k, gint64 n, gboolean both)
{
  for (guint turns = 0; turns < 4; turns++) {
    Try t = {0};
    gboolean ta = turns & 1, tb = turns >> 1;
    gint64 a0 = ta ? k : m, a1 = ta ? m : k, b0 = tb ? n : k, b1 = tb ? k : n;
    TsValue *a = try_input (&t, TS_F64, count ? TS_SHAPE (count, a0, a1) : TS_SHAPE (a0, a1));
    TsValue *b = try_input (&t, TS_F64, both ? TS_SHAPE (count, b0, b1) : TS_SHAPE (b0, b1));
    g_autofree char *params = g_strdup_printf ("transpose_a=%s, transpose_b=%s",
                                               ta ? "true" : "false", tb ? "true" : "false");
    TsValue *y = try_op (&t, "matmul", params, a, b, NULL);
    g_autoptr (TsTensor) one = try_fetch (&t, y, 1, NULL), three = try_fetch (&t, y, 3, NULL);

    g_assert_cmpmem (one->data, one->bytes, three->data, three->bytes);
    g_assert_cmpint (ts_tensor_elems (one), ==, MAX (count, 1) * m * n);
    for (gint64 e = 0; e < ts_tensor_elems (one); e++) {
      gint64 q = e / (m * n), i = e / n % m, j = e % n;
      double want = 0;
      for (gint64 l = 0; l < k; l++)
        want += at (t.data[0], q, i, l, m, k, ta) * at (t.data[1], both ? q : 0, l, j, k, n, tb);
      g_assert_cmpfloat (fabs (ts_tensor_get (one, e) - want), <, 1e-10);
    }
    try_clear (&t);
  }
}

static void
test_blocks (void)
{
  check_product (0, 2500, 11, 23, FALSE);
  check_product (3000, 3, 4, 5, TRUE);
  check_product (3000, 3, 4, 5, FALSE);
}

/* Row r of a batch of vectors is line r of the product. */
static void
test_batch_of_vectors (void)
{
  Try t = {0};
  TsValue *a = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 9)),
          *b = try_input (&t, TS_F32, TS_SHAPE (9, 4));
  TsValue *dense = try_op (&t, "dense", NULL, a, b, NULL),
          *y = try_op (&t, "matmul", NULL, a, b, NULL);
  g_autoptr (TsTensor) got = try_fetch (&t, y, 2, NULL), want = try_fetch (&t, dense, 1, NULL);

  g_assert_cmpmem (got->data, got->bytes, want->data, want->bytes);
  try_clear (&t);
}

/* A sum of nothing: K = 0 gives zeros. */
static void
test_empty (void)
{
  Try t = {0};
  TsValue *a = try_input (&t, TS_F32, TS_SHAPE (2, 0)),
          *b = try_input (&t, TS_F32, TS_SHAPE (0, 3));
  g_autoptr (TsTensor) y = try_fetch (&t, try_op (&t, "matmul", NULL, a, b, NULL), 1, NULL);

  try_expect (y, (const double[]){0, 0, 0, 0, 0, 0}, 6);
  try_clear (&t);
}

static void
test_refusals (void)
{
  Try t = {0};
  TsValue *rows = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 4));
  TsValue *square = try_input (&t, TS_F32, TS_SHAPE (4, 4));
  TsValue *three = try_input (&t, TS_F32, TS_SHAPE (3, 4, 4)),
          *two = try_input (&t, TS_F32, TS_SHAPE (2, 4, 5));
  struct {
    TsValue *a, *b;
    const char *words;
  } cases[] = {
      {square, rows, "the batch may lead both"},
      {rows, three, "the batch may lead both"},
      {three, two, "'x2' is [3, 4, 4] and 'x3' is [2, 4, 5]; the axes before the matrices"},
      {two, square, "the columns of the first must be the lines of the second"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    TsValue *in[] = {cases[i].a, cases[i].b};
    g_autoptr (GError) error = NULL;
    g_assert_null (ts_graph_add (t.graph, "matmul", NULL, in, 2, NULL, &error));
    g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE);
    g_assert_nonnull (strstr (error->message, cases[i].words));
  }
  try_clear (&t);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matmul/blocks", test_blocks);
  g_test_add_func ("/matmul/batch-of-vectors", test_batch_of_vectors);
  g_test_add_func ("/matmul/empty", test_empty);
  g_test_add_func ("/matmul/refusals", test_refusals);
  return g_test_run ();
}
