/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

static const TsOpExample examples[] = {
    {.in = {"flags 5", "bool 5"}},
    {.in = {"bool 3 5", "bool 3 5"}},
};

const TsOpClass ts_op_logical_or = {
    .name = "logical_or",
    .formula = "y = a or b",
    .category = "element-wise",
    .doc = "TRUE where either is.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_logical_or,
    .infer = ts_binary_infer_bool,
    .forward = ts_binary_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
