/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (relu6, "y", "dx = 0 < y < 6 ? dy : 0", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 5, .gap = 0.01},
    {.in = {"f 5 6"}, .low = 4, .high = 8, .avoid = 6, .gap = 0.01},
};

const TsOpClass ts_op_relu6 = {
    .name = "relu6",
    .formula = "y = min (max (x, 0), 6)",
    .category = "element-wise",
    .doc = "Rectified linear unit that stops at 6; the gradient at both kinks is 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_relu6,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&relu6_grad, NULL},
};
