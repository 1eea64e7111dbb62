/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (selu, "y", "dx = y > 0 ? scale·dy : dy·(y + scale·alpha)", NULL,
               ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -3, .high = 2, .gap = 0.01},
    {.in = {"f 5 6"}, .low = -2, .high = 2, .gap = 0.01},
};

const TsOpClass ts_op_selu = {
    .name = "selu",
    .formula = "y = scale·elu (x), scale = 1.0507…, alpha = 1.6732…",
    .category = "element-wise",
    .doc = "Exponential linear unit whose constants keep mean and variance.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_selu,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&selu_grad, NULL},
};
