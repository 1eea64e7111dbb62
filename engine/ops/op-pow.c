/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

TS_BINARY_GRAD (pow_grad_base, "dy, a, b", 3, "da = dy·b·a^(b - 1)", ts_binary_infer_float);
TS_BINARY_GRAD (pow_grad_exponent, "dy, a, b", 3, "db = a > 0 ? dy·a^b·log (a) : 0",
                ts_binary_infer_float);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.4, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .low = 0.4, .high = 2},
    {.in = {"f 3 1", "rows 2 3 4"}, .low = 0.4, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = 0.4, .high = 2},
    {.in = {"f 2 1 3", "f 4 1"}, .low = 0.4, .high = 2},
    {.in = {"f", "f"}, .low = 0.4, .high = 2},
};

const TsOpClass ts_op_pow = {
    .name = "pow",
    .formula = "y = a^b",
    .category = "element-wise",
    .doc = "Element-wise power; a negative base wants a whole exponent, else the result is NaN.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_pow,
    .infer = ts_binary_infer_float,
    .forward = ts_binary_forward,
    .backward = ts_binary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&pow_grad_base, &pow_grad_exponent, NULL},
};
