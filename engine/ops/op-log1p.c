/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (log1p, "x", "dx = dy / (1 + x)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -0.5, .high = 4},
    {.in = {"f 5 6"}, .low = -0.01, .high = 0.01},
};

const TsOpClass ts_op_log1p = {
    .name = "log1p",
    .formula = "y = log (1 + x)",
    .category = "element-wise",
    .doc = "Logarithm of one plus x, exact near 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_log1p,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&log1p_grad, NULL},
};
