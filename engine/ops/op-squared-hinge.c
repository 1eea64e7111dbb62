/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (squared_hinge, "squared_hinge", TS_PAIR_ELEMENTS, TS_LOSS_SQUARED_HINGE, 0, 0,
                    2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_squared_hinge = {
    .name = "squared_hinge",
    .formula = "loss = max (1 - prediction·target, 0)²",
    .doc = "For targets -1 and 1: the square of what is missing to a margin of 1.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (squared_hinge),
};
