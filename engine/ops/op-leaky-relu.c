/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsParamSpec params[] = {
    {"alpha", TS_PARAM_FLOAT, .number = 0.2, .doc = "slope below 0"},
    {NULL},
};

TS_UNARY_GRAD (leaky_relu, "x", "dx = x > 0 ? dy : alpha·dy", params, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2, .gap = 0.01},
    {.in = {"f 5 6"}, .params = "alpha=0.01", .low = -2, .high = 2, .gap = 0.01},
};

const TsOpClass ts_op_leaky_relu = {
    .name = "leaky_relu",
    .formula = "y = x > 0 ? x : alpha·x",
    .category = "element-wise",
    .doc = "Rectified linear unit with a slope below 0; the gradient at 0 is that of below.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = 0,
    .kernel = TS_UNARY_leaky_relu,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&leaky_relu_grad, NULL},
};
