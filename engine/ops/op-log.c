/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (log, "x", "dx = dy / x", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = 0.3, .high = 4},
    {.in = {"f 5 6"}, .low = 0.5, .high = 2},
};

const TsOpClass ts_op_log = {
    .name = "log",
    .formula = "y = log (x)",
    .category = "element-wise",
    .doc = "Natural logarithm; -infinity at 0, NaN below.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_log,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&log_grad, NULL},
};
