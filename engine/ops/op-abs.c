/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (abs, "x", "dx = dy·sign (x)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2, .gap = 0.01},
    {.in = {"f 5 6"}, .low = -2, .high = 2, .gap = 0.01},
    {.in = {"labels 10"}},
};

const TsOpClass ts_op_abs = {
    .name = "abs",
    .formula = "y = |x|",
    .category = "element-wise",
    .doc = "Absolute value; the gradient at 0 is 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_abs,
    .infer = ts_unary_infer_number,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&abs_grad, NULL},
};
