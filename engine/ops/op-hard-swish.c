/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (hard_swish, "x", "dx = x <= -3 ? 0 : x >= 3 ? dy : dy·(2·x + 3) / 6", NULL,
               ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -5, .high = 0, .avoid = -3, .gap = 0.01},
    {.in = {"f 5 6"}, .low = 0, .high = 5, .avoid = 3, .gap = 0.01},
};

const TsOpClass ts_op_hard_swish = {
    .name = "hard_swish",
    .formula = "y = x·relu6 (x + 3) / 6",
    .category = "element-wise",
    .doc = "Swish made of straight lines.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_hard_swish,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&hard_swish_grad, NULL},
};
