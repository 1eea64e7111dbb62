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

static const TsTally tally = {.size = size, .count = count, .result = result};

const TsOpClass ts_op_rmse = {
    .name = "rmse",
    .formula = "y = sqrt (mean of (prediction - target)²)",
    .doc = "Root of the mean squared error over all elements of all rows; no gradient.",
    .less_is_better = TRUE,
    TS_TALLY_PAIR_MEMBERS,
};
