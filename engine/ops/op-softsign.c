/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (softsign, "x", "dx = dy / (1 + |x|)²", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -5, .high = 5},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_softsign = {
    .name = "softsign",
    .formula = "y = x / (1 + |x|)",
    .category = "element-wise",
    .doc = "Goes to -1 and 1 like tanh, but slowly.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_softsign,
    .infer = ts_unary_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softsign_grad, NULL},
};
