/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "tests/support/try.h"

/* @op on @scores and @targets of these shapes comes to @want, with any number of threads. */
static void
check_share (const char *op, const char *params, TsShape shape, const double *scores,
             TsDtype target, TsShape target_shape, const double *targets, double want)
{
  for (guint dtype = TS_F32; dtype <= TS_F64; dtype++) {
    Try t = {0};
    TsValue *x = try_input (&t, dtype, shape);
    TsValue *y = try_input (&t, target == TS_I32 ? TS_I32 : dtype, target_shape);
    try_set (&t, 0, scores);
    try_set (&t, 1, targets);
    TsValue *share = try_op (&t, op, params, x, y, NULL);
    for (guint threads = 1; threads <= 2; threads++) {
      g_autoptr (TsTensor) got = try_fetch (&t, share, threads, NULL);
      try_expect (got, &want, 1);
    }
    try_clear (&t);
  }
}

/* Labels rank 0, 1 (a tie with a lower class), 2 and none of them; NaN comes before everything. */
static void
test_top_k (void)
{
  static const double scores[] = {3, 2, 1, 5, 5, 4, 1, 2, 3, 1, 2, 3};
  static const double labels[] = {0, 1, 0, 7};
  static const double undefined[] = {NAN, 2, 1, 5, NAN, NAN}, second[] = {1, 2};

  check_share ("top_k_accuracy", "k=1", TS_SHAPE (4, 3), scores, TS_I32, TS_SHAPE (4), labels,
               0.25);
  check_share ("top_k_accuracy", "k=2", TS_SHAPE (4, 3), scores, TS_I32, TS_SHAPE (4), labels, 0.5);
  check_share ("top_k_accuracy", "k=3", TS_SHAPE (4, 3), scores, TS_I32, TS_SHAPE (4), labels,
               0.75);
  check_share ("top_k_accuracy", NULL, TS_SHAPE (4, 3), scores, TS_I32, TS_SHAPE (4), labels, 0.75);
  check_share ("top_k_accuracy", "k=1", TS_SHAPE (2, 3), undefined, TS_I32, TS_SHAPE (2), second,
               0);
  check_share ("top_k_accuracy", "k=2", TS_SHAPE (2, 3), undefined, TS_I32, TS_SHAPE (2), second,
               1);
}

/* On the threshold is no; NaN is wrong whatever was meant. */
static void
test_binary (void)
{
  static const double scores[] = {0.7, 0.5, 0.2, NAN}, targets[] = {1, 0, 1, 0};

  check_share ("binary_accuracy", NULL, TS_SHAPE (4), scores, TS_F64, TS_SHAPE (4), targets, 0.5);
  check_share ("binary_accuracy", "threshold=0.1", TS_SHAPE (4, 1), scores, TS_I32, TS_SHAPE (4),
               targets, 0.5);
  check_share ("binary_accuracy", "threshold=0.6", TS_SHAPE (2, 2), scores, TS_I32, TS_SHAPE (2, 2),
               targets, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shares/top-k", test_top_k);
  g_test_add_func ("/shares/binary", test_binary);
  return g_test_run ();
}
