/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (expm1, "y", "dx = dy·(y + 1)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -0.01, .high = 0.01},
};

const TsOpClass ts_op_expm1 = {
    .name = "expm1",
    .formula = "y = exp (x) - 1",
    .category = "element-wise",
    .doc = "Exponential function less one, exact near 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_expm1,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&expm1_grad, NULL},
};
