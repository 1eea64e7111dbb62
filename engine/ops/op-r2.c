/* SPDX-License-Identifier: MIT */
#include "engine/ops/share.h"
#include "engine/ops/tally.h"

#include <math.h>

/* MEAN, SPREAD: of the targets, joined as in Chan, Golub and LeVeque 1979, so that a large mean costs no
 * digits. */
enum { N, SQUARES, MEAN, SPREAD, SIZE };

static gsize
size (const TsNode *node)
{
  return SIZE;
}

static void
merge (const TsNode *node, double *into, const double *from)
{
  double all = into[N] + from[N], d = from[MEAN] - into[MEAN];

  if (from[N] == 0)
    return;
  into[SPREAD] += from[SPREAD] + d * d * (into[N] * from[N] / all);
  into[MEAN] += d * (from[N] / all);
  into[SQUARES] += from[SQUARES];
  into[N] = all;
}

static void
count (TsCall *call, double *state)
{
  gsize n = ts_tally_elems (call);

  for (gsize i = 0; i < n; i++) {
    double t = ts_element_at (call->dtype, call->in[1], i);
    double miss = ts_element_at (call->dtype, call->in[0], i) - t;
    merge (call->node, state, (double[SIZE]){1, miss * miss, t, 0});
  }
}

static double
result (const TsNode *node, const double *state)
{
  return state[N] > 0 && state[SPREAD] > 0 ? 1 - state[SQUARES] / state[SPREAD] : NAN;
}

static const TsTally tally = {.size = size, .count = count, .merge = merge, .result = result};

const TsOpClass ts_op_r2 = {
    .name = "r2",
    .formula = "y = 1 - sum of (prediction - target)² / sum of (target - mean target)²",
    .doc = "Coefficient of determination: 1 is perfect, 0 no better than the mean, NaN when all "
           "targets "
           "are equal; no gradient.",
    TS_TALLY_PAIR_MEMBERS,
};
