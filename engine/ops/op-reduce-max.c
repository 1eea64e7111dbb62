/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/ops/lines.h"
#include "engine/ops/ties.h"

static double
reduce_max_value (const TsLines *l)
{
  return ts_lines_fold (l, TS_FOLD_MAX, -INFINITY, 0);
}

static void
reduce_max_forward (TsCall *call)
{
  ts_lines_forward (call, reduce_max_value);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"rows 3 4"}, .params = "axes=[1]", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axes=[0]", .low = -2, .high = 2},
    {.in = {"rows 2 3"}, .params = "axes=[0, 2], keepdims=true", .low = -2, .high = 2},
    {.in = {"f 3 4 5"}, .params = "axes=[0, 2]", .low = -2, .high = 2},
    {.in = {"f 4 5"}, .params = "axes=[-1], keepdims=true", .low = -2, .high = 2},
    {.in = {"f"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_reduce_max = {
    .name = "reduce_max",
    .formula = "y = max of x over the axes",
    .category = "reduction",
    .doc = "The largest element; a NaN wins, of nothing it is -infinity.  The gradient is divided "
           "evenly among equals.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer,
    .partition = ts_lines_partition,
    .forward = reduce_max_forward,
    .backward = ts_ties_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
