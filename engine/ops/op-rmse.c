/* SPDX-License-Identifier: MIT */
#include "engine/ops/share.h"
#include "engine/ops/tally.h"

#include <math.h>

enum { N, SQUARES, SIZE };

static gsize
size (const TsNode *node)
{
  return SIZE;
}

static void
count (TsCall *call, double *state)
{
  gsize n = ts_tally_elems (call);

  for (gsize i = 0; i < n; i++) {
    double d =
        ts_element_at (call->dtype, call->in[0], i) - ts_element_at (call->dtype, call->in[1], i);
    state[SQUARES] += d * d;
  }
  state[N] += (double) n;
}

static double
result (const TsNode *node, const double *state)
{
  return state[N] > 0 ? sqrt (state[SQUARES] / state[N]) : NAN;
}

static const TsTally tally = {
    .size = size, .count = count, .result = result, .less_is_better = TRUE};

static const TsOpExample examples[] = {
    {.in = {"rows 3", "rows 3"}, .low = -3, .high = 3},
    {.in = {"f 4 5", "f 4 5"}, .low = -3, .high = 3},
};

const TsOpClass ts_op_rmse = {
    .name = "rmse",
    .formula = "y = sqrt (mean of (prediction - target)²)",
    .category = "metric",
    .doc = "Root of the mean squared error over all elements of all rows; no gradient.",
    .in_names = "prediction, target",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .tally = &tally,
    .infer = ts_tally_pair_infer,
    .partition = ts_tally_partition,
    .forward = ts_tally_forward,
    .combine = ts_tally_combine,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
