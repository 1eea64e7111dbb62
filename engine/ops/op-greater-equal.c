/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

static const TsOpExample examples[] = {
    {.in = {"rows 3 4", "f 4"}, .low = -2, .high = 2},
    {.in = {"f 3 1", "f 4"}, .low = -2, .high = 2},
    {.in = {"labels 3", "labels 3"}},
};

const TsOpClass ts_op_greater_equal = {
    .name = "greater_equal",
    .formula = "y = a >= b",
    .category = "element-wise",
    .doc = "TRUE where a is not below b; never with NaN.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = -1,
    .kernel = TS_BINARY_greater_equal,
    .infer = ts_binary_infer_compare,
    .forward = ts_binary_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
