/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (softplus, "x", "dx = dy·sigmoid (x)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -6, .high = 6},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_softplus = {
    .name = "softplus",
    .formula = "y = log (1 + exp (x))",
    .category = "element-wise",
    .doc = "Smooth form of relu, stable for large |x|.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_softplus,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softplus_grad, NULL},
};
