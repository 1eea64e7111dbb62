/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (log_sigmoid, "x", "dx = dy·sigmoid (-x)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -6, .high = 6},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_log_sigmoid = {
    .name = "log_sigmoid",
    .formula = "y = -log (1 + exp (-x))",
    .category = "element-wise",
    .doc = "Logarithm of the logistic function, stable for large |x|.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_log_sigmoid,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&log_sigmoid_grad, NULL},
};
