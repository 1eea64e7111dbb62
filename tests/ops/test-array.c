/* SPDX-License-Identifier: MIT */
/* What only numbers show of array ops: indices out of range, ties and NaN, zeros in products, other element
 * types, and the words of refusals. */
#include <math.h>
#include <string.h>

#include "tests/support/try.h"

static void
expect_fault (const char *op, const char *params, const double *indices, gboolean updates,
              const char *words)
{
  Try t = {0};
  g_autoptr (GError) error = NULL;
  TsValue *x = try_input (&t, TS_F32, TS_SHAPE (3, 2));
  TsValue *i = try_input (&t, TS_I64, TS_SHAPE (3, 2));
  TsValue *u = updates ? try_input (&t, TS_F32, TS_SHAPE (3, 2)) : NULL;

  try_set (&t, 1, indices);
  TsValue *y = try_op (&t, op, params, x, i, u);
  g_assert_null (try_fetch (&t, y, 1, &error));
  g_assert_nonnull (error);
  if (!strstr (error->message, words))
    g_error ("%s says '%s', not '%s'", op, error->message, words);
  try_clear (&t);
}

static void
test_faults (void)
{
  static const double high[] = {0, 1, 2, 3, 0, 0}, low[] = {0, 1, 2, 0, -1, 9};

  expect_fault ("gather", NULL, high, FALSE, "index 3 at position 3 is outside of 0 to 2");
  expect_fault ("gather", NULL, low, FALSE, "index -1 at position 4");
  expect_fault ("gather_nd", NULL, high, FALSE, "index 3 at position 3 is outside of 0 to 1");
  expect_fault ("take_along_axis", "axis=0", high, FALSE, "index 3 at position 3");
  expect_fault ("scatter_add", "axis=0", low, TRUE, "index -1 at position 4");
}

/* Positions count through the whole batch, whatever thread found them. */
static void
test_fault_in_batch (void)
{
  for (guint threads = 1; threads <= 3; threads += 2) {
    Try t = {0};
    g_autoptr (GError) error = NULL;
    TsValue *x = try_input (&t, TS_F32, TS_SHAPE (4));
    TsValue *i = try_input (&t, TS_I32, TS_SHAPE (TS_ANY, 2));
    for (gint64 k = 0; k < 2 * TRY_ROWS; k++)
      ts_tensor_set (t.data[1], k, k == 201 || k == 250 ? 77 : (double) (k % 4));
    g_assert_null (try_fetch (&t, try_op (&t, "gather", NULL, x, i, NULL), threads, &error));
    g_assert_nonnull (strstr (error->message, "index 77 at position 201 is outside of 0 to 3"));
    try_clear (&t);
  }
}

static void
test_permutation (void)
{
  static const double good[] = {2, 0, 3, 1}, inverse[] = {1, 3, 0, 2}, twice[] = {2, 0, 2, 1};
  Try t = {0};
  g_autoptr (GError) error = NULL;
  TsValue *y =
      try_op (&t, "invert_permutation", NULL, try_input (&t, TS_I32, TS_SHAPE (4)), NULL, NULL);

  try_set (&t, 0, good);
  g_autoptr (TsTensor) got = try_fetch (&t, y, 1, NULL);
  try_expect (got, inverse, 4);
  try_set (&t, 0, twice);
  g_assert_null (try_fetch (&t, y, 1, &error));
  g_assert_nonnull (strstr (error->message, "2 at position 2"));
  try_clear (&t);
}

/* One op on one input of @n numbers. */
static void
expect (const char *op, const char *params, guint output, TsDtype dtype, const double *x, gint64 n,
        const double *want, gint64 n_want)
{
  Try t = {0};
  TsValue *y = try_op (&t, op, params, try_input (&t, dtype, TS_SHAPE (n)), NULL, NULL);

  try_set (&t, 0, x);
  g_autoptr (TsTensor) got = try_fetch (&t, y->node->out[output], 1, NULL);
  try_expect (got, want, n_want);
  try_clear (&t);
}

#define EXPECT(op, params, output, dtype, x, want)                                                 \
  expect (op, params, output, dtype, x, G_N_ELEMENTS (x), want, G_N_ELEMENTS (want))

/* A NaN is the largest; of equals the lower index comes first, whichever way. */
static void
test_order (void)
{
  static const double x[] = {2, NAN, -0.0, 0, INFINITY, 2, NAN, -INFINITY};
  static const double up[] = {7, 2, 3, 0, 5, 4, 1, 6}, down[] = {1, 6, 4, 0, 5, 2, 3, 7};
  static const double three[] = {NAN, NAN, INFINITY},
                      sorted[] = {-INFINITY, -0.0, 0, 2, 2, INFINITY, NAN, NAN};
  static const double largest[] = {1}, smallest[] = {7}, nans[] = {NAN, NAN}, first[] = {0};
  static const double numbers[] = {3, -5, 3, 0}, numbers_up[] = {1, 3, 0, 2};

  for (TsDtype d = TS_F32; d <= TS_F64; d++) {
    EXPECT ("argsort", NULL, 0, d, x, up);
    EXPECT ("argsort", "descending=true", 0, d, x, down);
    EXPECT ("sort", NULL, 0, d, x, sorted);
    EXPECT ("topk", "k=3", 0, d, x, three);
    EXPECT ("argmax", NULL, 0, d, x, largest);
    EXPECT ("argmin", NULL, 0, d, x, smallest);
    EXPECT ("argmin", NULL, 0, d, nans, first);
  }
  EXPECT ("argsort", NULL, 0, TS_I64, numbers, numbers_up);
  EXPECT ("argsort", NULL, 0, TS_I32, numbers, numbers_up);
}

/* Beside counting how many come first; long enough for a deep heap. */
static void
test_long_sort (void)
{
  Try t = {0};
  TsValue *x = try_input (&t, TS_F32, TS_SHAPE (3, 301, 2));

  for (gint64 k = 0; k < ts_tensor_elems (t.data[0]); k++)
    ts_tensor_set (t.data[0], k, (double) (k * 7919 % 97)); /* many ties */
  TsValue *y = try_op (&t, "argsort", "axis=1", x, NULL, NULL);
  TsValue *top = try_op (&t, "topk", "k=17, axis=1", x, NULL, NULL)->node->out[1];
  g_autoptr (TsTensor) order = try_fetch (&t, y, 1, NULL), best = try_fetch (&t, top, 1, NULL);
  for (gint64 o = 0; o < 3; o++)
    for (gint64 i = 0; i < 2; i++)
      for (gint64 j = 0; j < 301; j++) {
        gint64 before = 0, above = 0;
        double v = ts_tensor_get (t.data[0], (o * 301 + j) * 2 + i);
        for (gint64 l = 0; l < 301; l++) {
          double w = ts_tensor_get (t.data[0], (o * 301 + l) * 2 + i);
          before += w < v || (w == v && l < j);
          above += w > v || (w == v && l < j);
        }
        g_assert_cmpfloat (ts_tensor_get (order, (o * 301 + before) * 2 + i), ==, (double) j);
        if (above < 17)
          g_assert_cmpfloat (ts_tensor_get (best, (o * 17 + above) * 2 + i), ==, (double) j);
      }
  try_clear (&t);
}

/* d sum (cumprod (x)) / dx where a factor, or two, are 0 */
static void
test_product_of_zeros (void)
{
  static const struct {
    const char *params;
    double x[4], want[4];
  } cases[] = {
      {NULL, {2, 0, 3, 4}, {1, 2 + 2 * 3 + 2 * 3 * 4, 0, 0}},
      {NULL, {2, 0, 3, 0}, {1, 2 + 2 * 3, 0, 0}},
      {"exclusive=true", {2, 0, 3, 4}, {1, 2 + 2 * 3, 0, 0}},
      {"reverse=true", {4, 3, 0, 2}, {0, 0, 2 + 2 * 3 + 2 * 3 * 4, 1}},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    Try t = {0};
    TsValue *y =
        try_op (&t, "cumprod", cases[k].params, try_input (&t, TS_F64, TS_SHAPE (4)), NULL, NULL);
    try_set (&t, 0, cases[k].x);
    g_autoptr (TsTensor) got = try_gradient (&t, y, 0, 1);
    try_expect (got, cases[k].want, 4);
    try_clear (&t);
  }
}

/* Elements of every type are moved, not computed. */
static void
test_types (void)
{
  static const double x[] = {1, 0, 1, 1, 0, 1}, rolled[] = {0, 1, 1, 0, 1, 1};
  static const double padded[] = {1, 1, 0, 1, 1, 0, 1, 1, 1}, picked[] = {1, 1, 0};
  static const double tiled[] = {1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1};
  static const double repeated[] = {1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1};

  for (TsDtype d = TS_F32; d < TS_N_DTYPES; d++) {
    EXPECT ("roll", "shift=-1, axis=0", 0, d, x, rolled);
    EXPECT ("pad", "pads=[1, 2], value=1", 0, d, x, padded);
    EXPECT ("strided_slice", "begin=[-1], end=[-9], strides=[-2]", 0, d, x, ((double[]){1, 1, 0}));
    EXPECT ("slice", "begin=[2], size=[3]", 0, d, x, picked);
    EXPECT ("tile", "reps=[2]", 0, d, x, tiled);
    EXPECT ("repeat", "axis=0, times=2", 0, d, x, repeated);
  }
}

/* The batch turned round, by one thread or three. */
static void
test_batch_axis (void)
{
  Try t = {0};
  TsValue *x = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 3));
  TsValue *y = try_op (&t, "reverse", "axes=[0]", x, NULL, NULL);
  TsValue *sizes = try_op (&t, "shape", NULL, x, NULL, NULL);
  TsValue *sum = try_op (&t, "cumsum", "axis=0", x, NULL, NULL);

  for (guint threads = 1; threads <= 3; threads += 2) {
    g_autoptr (TsTensor) got = try_fetch (&t, y, threads, NULL);
    g_autoptr (TsTensor) shape = try_fetch (&t, sizes, threads, NULL);
    g_autoptr (TsTensor) sums = try_fetch (&t, sum, threads, NULL);
    for (gint64 r = 0; r < TRY_ROWS; r++)
      for (gint64 c = 0; c < 3; c++)
        g_assert_cmpfloat (ts_tensor_get (got, r * 3 + c), ==,
                           ts_tensor_get (t.data[0], (TRY_ROWS - 1 - r) * 3 + c));
    try_expect (shape, ((double[]){TRY_ROWS, 3}), 2);
    double all = 0;
    for (gint64 r = 0; r < TRY_ROWS; r++)
      all += ts_tensor_get (t.data[0], r * 3 + 1);
    g_assert_cmpfloat (fabs (ts_tensor_get (sums, (TRY_ROWS - 1) * 3 + 1) - all), <, 1e-5);
  }
  try_clear (&t);
}

static void
test_sources (void)
{
  static const struct {
    const char *op, *params;
    guint n;
    double want[6];
  } cases[] = {
      {"range", "limit=3", 3, {0, 1, 2}},
      {"range", "start=2, limit=-1, step=-1.5, dtype=f32", 2, {2, 0.5}},
      {"linspace", "start=-1, stop=1, num=5", 5, {-1, -0.5, 0, 0.5, 1}},
      {"fill", "shape=[2, 2], value=7, dtype=u8", 4, {7, 7, 7, 7}},
      {"eye", "rows=2, columns=3", 6, {1, 0, 0, 0, 1, 0}},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    Try t = {.graph = ts_graph_new ()};
    TsParams p;
    ts_params_init (&p, ts_op_lookup (cases[k].op)->params);
    g_assert_true (ts_params_parse_all (&p, cases[k].params, NULL));
    TsNode *node = ts_graph_add (t.graph, cases[k].op, NULL, NULL, 0, &p, NULL);
    g_assert_nonnull (node);
    g_autoptr (TsTensor) got = try_fetch (&t, node->out[0], 1, NULL);
    try_expect (got, cases[k].want, cases[k].n);
    try_clear (&t);
  }
}

/* Sizes beyond what can be addressed are refused before a product overflows. */
static void
test_sizes (void)
{
  Try t = {0};
  g_autoptr (GError) error = NULL;
  TsValue *x = try_input (&t, TS_F32, TS_SHAPE (2, 3, 4));
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("tile")->params);
  g_assert_true (ts_params_parse_all (&p, "reps=[1048576, 1048576, 1048576]", NULL));
  g_assert_null (ts_graph_add (t.graph, "tile", NULL, &x, 1, &p, &error));
  g_assert_nonnull (strstr (error->message, "more than 1099511627776 elements"));
  x = try_op (&t, "tile", "reps=[1048576, 1, 4096]", x, NULL, NULL);
  g_clear_error (&error);
  ts_params_init (&p, ts_op_lookup ("repeat")->params);
  g_assert_true (ts_params_parse_all (&p, "axis=0, times=1048576", NULL));
  g_assert_null (ts_graph_add (t.graph, "repeat", NULL, &x, 1, &p, &error));
  g_assert_nonnull (strstr (error->message, "more than 1099511627776 elements"));
  try_clear (&t);
}

static void
test_refusals (void)
{
  static const struct {
    const char *op, *params, *words;
  } cases[] = {
      {"slice", "begin=[0, 1], size=[-1, 3]",
       "3 elements from 1 on are not inside axis 1 of (?, 3)"},
      {"slice", "begin=[1, 0], size=[-1, 3]",
       "begin would change axis 0 of (?, 3), which is the batch"},
      {"slice", "begin=[0], size=[1]", "begin has 1 and size 1 numbers, but (?, 3) has 2 axes"},
      {"strided_slice", "begin=[0, 2], end=[0, 1]", "nothing from 2 to 1 on axis 1"},
      {"strided_slice", "begin=[0, 2], end=[0, 1], strides=[1, 0]", "the stride of axis 1 is 0"},
      {"strided_slice", "begin=[0], end=[0], new_axis=[0]", "new_axis does not fit (?, 3)"},
      {"strided_slice", "begin=[0, 3], end=[0, 0], shrink=[1]", "nothing from 3"},
      {"tile", "reps=[2, 1]", "which is the batch"},
      {"tile", "reps=[1, 0]", "needs 2 numbers from 1 to 1048576"},
      {"repeat", "axis=2, times=2", "axis 2 is no axis of (?, 3)"},
      {"pad", "pads=[0, 0, 3, 0], mode=reflect", "on axis 1 of (?, 3); mode=reflect allows 0 to 2"},
      {"pad", "pads=[1, 0, 0, 0]", "which is the batch"},
      {"transpose", "perm=[1, 0]", "which is the batch"},
      {"transpose", "perm=[0, 0]", "perm [0, 0] does not name each axis of (?, 3) once"},
      {"concat", "axis=0", "which is the batch"},
      {"stack", "axis=0", "which is the batch"},
      {"expand_dims", "axis=0", "which is the batch"},
      {"squeeze", "axes=[1]", "axis 1 of (?, 3) is not of size 1"},
      {"split", "num=2", "axis 1 of (?, 3) cannot be cut into 2 equal parts"},
      {"topk", "k=4", "there are no 4 elements on axis 1 of (?, 3)"},
      {"topk", "k=4, axis=0", "which is the batch"},
      {"cumsum", "axis=-3", "axis -3 is no axis of (?, 3)"},
      {"tril", NULL, "needs matrices on the last two axes"},
      {"space_to_depth", "block=2", "space_to_depth needs images"},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    Try t = {0};
    g_autoptr (GError) error = NULL;
    TsValue *x = try_input (&t, TS_F32, TS_SHAPE (TS_ANY, 3));
    TsParams p;
    ts_params_init (&p, ts_op_lookup (cases[k].op)->params);
    ts_params_parse_all (&p, cases[k].params, &error);
    g_assert_no_error (error);
    g_assert_null (ts_graph_add (t.graph, cases[k].op, NULL, &x, 1, &p, &error));
    if (!strstr (error->message, cases[k].words) || !strstr (error->message, cases[k].op))
      g_error ("%s: '%s' does not say '%s'", cases[k].op, error->message, cases[k].words);
    try_clear (&t);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/array/faults", test_faults);
  g_test_add_func ("/array/fault-in-batch", test_fault_in_batch);
  g_test_add_func ("/array/permutation", test_permutation);
  g_test_add_func ("/array/order", test_order);
  g_test_add_func ("/array/long-sort", test_long_sort);
  g_test_add_func ("/array/product-of-zeros", test_product_of_zeros);
  g_test_add_func ("/array/types", test_types);
  g_test_add_func ("/array/batch-axis", test_batch_axis);
  g_test_add_func ("/array/sources", test_sources);
  g_test_add_func ("/array/sizes", test_sizes);
  g_test_add_func ("/array/refusals", test_refusals);
  return g_test_run ();
}
