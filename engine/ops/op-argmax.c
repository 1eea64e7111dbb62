/* SPDX-License-Identifier: MIT */
#include "engine/ops/order.h"

static const TsParamSpec params[] = {
    {"axis", TS_PARAM_INT, .number = -1, .doc = "the batch is 0, -1 the last"},
    {NULL},
};

static void
argmax_forward (TsCall *call)
{
  ts_extreme_forward (call, TRUE);
}

static const TsOpExample examples[] = {
    {.in = {"rows 4 3"}, .params = "axis=1", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axis=0", .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
    {.in = {"labels 5 4"}},
};

const TsOpClass ts_op_argmax = {
    .name = "argmax",
    .formula = "y = the first i with the largest x[i]",
    .category = "reduction",
    .doc = "Where the largest element of each line stands; the first of equals, and a NaN is the "
           "largest.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = ts_extreme_infer,
    .partition = ts_axis_partition,
    .forward = argmax_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
