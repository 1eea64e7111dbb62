/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (exp, "y", "dx = dy·y", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_exp = {
    .name = "exp",
    .formula = "y = exp (x)",
    .category = "element-wise",
    .doc = "Exponential function.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_exp,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&exp_grad, NULL},
};
