/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (log_cosh, "log_cosh", TS_PAIR_ELEMENTS, TS_LOSS_LOG_COSH, 0, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_log_cosh = {
    .name = "log_cosh",
    .formula = "loss = log (cosh (prediction - target))",
    .doc = "Like the squared error near 0 and the absolute error far away, smooth in between.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (log_cosh),
};
