/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.4, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .low = 0.4, .high = 2},
    {.in = {"f 3 1", "rows 2 3 4"}, .low = 0.4, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = 0.4, .high = 2},
    {.in = {"f 2 1 3", "f 4 1"}, .low = 0.4, .high = 2},
    {.in = {"f", "f"}, .low = 0.4, .high = 2},
    {.in = {"rows 7", "f"}, .low = 0.4, .high = 2},
};

const TsOpClass ts_op_floordiv = {
    .name = "floordiv",
    .formula = "y = floor (a / b)",
    .category = "element-wise",
    .doc = "Quotient rounded down; no gradient flows.  An integer divisor of 0 is an error.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_floordiv,
    .infer = ts_binary_infer_number,
    .forward = ts_binary_forward,
    .fault_text = ts_binary_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
