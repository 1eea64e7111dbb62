/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsParamSpec params[] = {
    {"alpha", TS_PARAM_FLOAT, .number = 1, .doc = "how far it goes below 0"},
    {NULL},
};

TS_UNARY_GRAD (elu, "y", "dx = y > 0 ? dy : dy·(y + alpha)", params, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -3, .high = 2, .gap = 0.01},
    {.in = {"f 5 6"}, .params = "alpha=0.5", .low = -2, .high = 2, .gap = 0.01},
};

const TsOpClass ts_op_elu = {
    .name = "elu",
    .formula = "y = x > 0 ? x : alpha·(exp (x) - 1)",
    .category = "element-wise",
    .doc = "Exponential linear unit.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = 0,
    .kernel = TS_UNARY_elu,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&elu_grad, NULL},
};
