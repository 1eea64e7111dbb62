/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (reciprocal, "y", "dx = -dy·y²", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -3, .high = 3, .gap = 0.4},
    {.in = {"f 5 6"}, .low = 0.5, .high = 2},
};

const TsOpClass ts_op_reciprocal = {
    .name = "reciprocal",
    .formula = "y = 1 / x",
    .category = "element-wise",
    .doc = "One divided by each element.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_reciprocal,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&reciprocal_grad, NULL},
};
