/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (mish, "x", "dx = dy·(t + x·sigmoid (x)·(1 - t²)), t = tanh (softplus (x))", NULL,
               ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -5, .high = 5},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_mish = {
    .name = "mish",
    .formula = "y = x·tanh (softplus (x))",
    .category = "element-wise",
    .doc = "Smooth activation that stays bounded below.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_mish,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&mish_grad, NULL},
};
