/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -4, .high = 4},
    {.in = {"f 5 6"}, .low = -4, .high = 4},
};

const TsOpClass ts_op_sign = {
    .name = "sign",
    .formula = "y = -1, 0 or 1",
    .category = "element-wise",
    .doc = "The sign of x; no gradient flows.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_sign,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
