/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -4, .high = 4},
    {.in = {"f 5 6"}, .low = -4, .high = 4},
};

const TsOpClass ts_op_is_inf = {
    .name = "is_inf",
    .formula = "y = |x| is infinite",
    .category = "element-wise",
    .doc = "TRUE where x is infinite of either sign.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .kernel = TS_UNARY_is_inf,
    .infer = ts_unary_infer_test,
    .forward = ts_unary_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
