/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (erf, "x", "dx = dy·2/sqrt (π)·exp (-x²)", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -3, .high = 3},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_erf = {
    .name = "erf",
    .formula = "y = erf (x)",
    .category = "element-wise",
    .doc = "Error function: 2/sqrt (π) times the integral of exp (-t²) from 0 to x.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_erf,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&erf_grad, NULL},
};
