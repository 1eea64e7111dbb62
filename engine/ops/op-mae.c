/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (mae, "mae", TS_PAIR_ELEMENTS, TS_LOSS_ABSOLUTE, 0, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_mae = {
    .name = "mae",
    .formula = "loss = |prediction - target|",
    .doc = "Absolute error of each element; its gradient is 0 where they are equal.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (mae),
};
