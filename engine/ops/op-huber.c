/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

/* Huber, "Robust estimation of a location parameter", 1964. */

static const TsParamSpec params[] = {
    {"delta", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e30,
     .doc = "where the loss becomes linear"},
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (huber, "huber", TS_PAIR_ELEMENTS, TS_LOSS_HUBER, p->v[0].f, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
    {.in = {"rows 3 4", "rows 3 4"}, .params = "delta=0.5", .low = -2, .high = 2},
};

const TsOpClass ts_op_huber = {
    .name = "huber",
    .formula = "loss = |d| ≤ delta ? d² / 2 : delta·(|d| - delta / 2) with d = prediction - target",
    .doc = "Squared for small errors, absolute for large ones.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (huber),
};
