/* SPDX-License-Identifier: MIT */
#include "engine/ops/lines.h"

static double
reduce_any_value (const TsLines *l)
{
  return ts_lines_find (l, TRUE);
}

static void
reduce_any_forward (TsCall *call)
{
  ts_lines_forward (call, reduce_any_value);
}

static const TsOpExample examples[] = {
    {.in = {"flags 5"}, .params = "axes=[1]"},
    {.in = {"flags 2 3"}, .params = "axes=[0, 2], keepdims=true"},
    {.in = {"bool 3 5"}, .params = "axes=[0]"},
};

const TsOpClass ts_op_reduce_any = {
    .name = "reduce_any",
    .formula = "y = any of x over the axes",
    .category = "reduction",
    .doc = "TRUE when an element is; of nothing it is FALSE.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer_bool,
    .partition = ts_lines_partition,
    .forward = reduce_any_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
