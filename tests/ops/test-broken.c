/* SPDX-License-Identifier: MIT */
/* The generic op test must fail for ops that are wrong: a test of the test. */
#include <string.h>

#include "tests/support/opcheck.h"

static void
expect_caught (const char *name)
{
  const TsOpClass *op = ts_op_lookup (name);
  g_assert_nonnull (op);
  g_autofree char *problem = ts_opcheck_run (op, &op->examples[0]);

  g_assert_nonnull (problem);
  g_assert_nonnull (strstr (problem, "by differences"));
}

static void
test_sign (void)
{
  expect_caught ("broken_sign");
}

static void
test_second (void)
{
  expect_caught ("broken_second");
}

static void
test_softmax (void)
{
  expect_caught ("broken_softmax");
}

static void
test_sound (void)
{
  g_assert_null (ts_opcheck_run (ts_op_lookup ("relu"), &ts_op_lookup ("relu")->examples[0]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/broken/sign", test_sign);
  g_test_add_func ("/broken/second", test_second);
  g_test_add_func ("/broken/softmax", test_softmax);
  g_test_add_func ("/broken/sound", test_sound);
  return g_test_run ();
}
