/* SPDX-License-Identifier: MIT */
#include "engine/ops/triangle.h"

static void
tril_forward (TsCall *call)
{
  ts_triangle_forward (call, FALSE);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4"}, .low = -1, .high = 1},
    {.in = {"f 4 3"}, .params = "k=-1", .low = -1, .high = 1},
    {.in = {"f 2 3 3"}, .params = "k=1", .low = -1, .high = 1},
};

const TsOpClass ts_op_tril = {
    .name = "tril",
    .formula = "y[i, j] = j <= i + k ? x[i, j] : 0",
    .category = "array",
    .doc = "The lower triangle of matrices; the rest is 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_triangle_params,
    .inplace = -1,
    .infer = ts_triangle_infer,
    .partition = ts_partition_rows,
    .forward = tril_forward,
    .backward = ts_triangle_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
