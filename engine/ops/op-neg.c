/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

TS_UNARY_GRAD (neg, "y", "dx = -dy", NULL, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
    {.in = {"int 4 10"}},
};

const TsOpClass ts_op_neg = {
    .name = "neg",
    .formula = "y = -x",
    .category = "element-wise",
    .doc = "Changes the sign.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .kernel = TS_UNARY_neg,
    .infer = ts_unary_infer_number,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&neg_grad, NULL},
};
