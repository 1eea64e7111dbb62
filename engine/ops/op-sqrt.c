/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (sqrt, "y", "dx = dy / (2·y)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = 0.1, .high = 4},
    {.in = {"f 5 6"}, .low = 0.5, .high = 2},
};

const TsOpClass ts_op_sqrt = {
    .name = "sqrt",
    .formula = "y = sqrt (x)",
    .category = "element-wise",
    .doc = "Square root; NaN below 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_sqrt,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&sqrt_grad, NULL},
};
