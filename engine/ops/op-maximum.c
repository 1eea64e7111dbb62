/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

TS_BINARY_GRAD (maximum_grad_a, "dy, a, b", 3, "da = a >= b ? dy : 0", ts_binary_infer_float);
TS_BINARY_GRAD (maximum_grad_b, "dy, a, b", 3, "db = a >= b ? 0 : dy", ts_binary_infer_float);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .low = -2, .high = 2},
    {.in = {"f 3 1", "rows 2 3 4"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
    {.in = {"f 2 1 3", "f 4 1"}, .low = -2, .high = 2},
    {.in = {"f", "f"}, .low = -2, .high = 2},
    {.in = {"int 4 10", "int 4 10"}},
};

const TsOpClass ts_op_maximum = {
    .name = "maximum",
    .formula = "y = max (a, b)",
    .category = "element-wise",
    .doc =
        "Element-wise maximum; a NaN on either side wins, the gradient of a tie goes to the first.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_maximum,
    .infer = ts_binary_infer_number,
    .forward = ts_binary_forward,
    .backward = ts_binary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&maximum_grad_a, &maximum_grad_b, NULL},
};
