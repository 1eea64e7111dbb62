/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (square, "x", "dx = 2·x·dy", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_square = {
    .name = "square",
    .formula = "y = x²",
    .category = "element-wise",
    .doc = "The product of each element with itself.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_square,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&square_grad, NULL},
};
