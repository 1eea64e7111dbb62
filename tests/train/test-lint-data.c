/* SPDX-License-Identifier: MIT */
/* What is said about a data set before a training wastes its time. */
#include <string.h>

#include "engine/train/lint-data.h"

/* Eight rows of two numbers; rows 0-3 train, 4-5 validate, 6-7 test. */
static TsDataset *
small (void)
{
  TsDataset *d = ts_dataset_new ("small", "Small");
  float *x = g_new (float, 16);

  d->n_rows = 8;
  d->rank = 1;
  d->shape[0] = 2;
  d->n_classes = 3;
  d->features = x;
  d->labels = g_new (gint32, 8);
  for (gint32 i = 0; i < 8; i++) {
    x[2 * i] = (float) i;
    x[2 * i + 1] = -1;
    d->labels[i] = i % 3;
  }
  ts_dataset_take_range (d, TS_SPLIT_TRAIN, 0, 4);
  ts_dataset_take_range (d, TS_SPLIT_VAL, 4, 2);
  ts_dataset_take_range (d, TS_SPLIT_TEST, 6, 2);
  return d;
}

static void
expect (TsDataset *d, const char *words)
{
  g_autoptr (GPtrArray) lines = ts_lint_data (d, NULL);

  g_assert_cmpuint (lines->len, ==, words ? 1 : 0);
  if (words && !strstr (lines->pdata[0], words))
    g_error ("'%s' does not say '%s'", (char *) lines->pdata[0], words);
}

static void
test_lint_data (void)
{
  g_autoptr (TsDataset) d = small ();
  float *x = d->features;

  expect (d, NULL);
  x[5] = 255;
  expect (d, "feature 2 of row 3 is 255");
  x[5] = -1;
  memcpy (x + 12, x + 2, 2 * sizeof (float));
  expect (d, "1 of 2 test rows are training rows too (the first: row 7 = row 2)");
  x[12] = 6;
  d->labels[2] = 0;
  expect (d, "no training row has class 2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/lint-data", test_lint_data);
  return g_test_run ();
}
