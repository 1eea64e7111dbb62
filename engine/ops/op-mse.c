/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (mse, "mse", TS_PAIR_ELEMENTS, TS_LOSS_SQUARE, 0, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_mse = {
    .name = "mse",
    .formula = "loss = (prediction - target)²",
    .doc = "Squared error of each element; its mean is the mean squared error.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (mse),
};
