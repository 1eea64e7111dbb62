/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (kl_divergence, "kl_divergence", TS_PAIR_LINES, TS_LOSS_KL, 0, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.1, .high = 0.9},
    {.in = {"f 5 6", "f 5 6"}, .low = 0.1, .high = 0.9},
    {.in = {"rows 3 4", "rows 3 4"}, .low = 0.1, .high = 0.9},
};

const TsOpClass ts_op_kl_divergence = {
    .name = "kl_divergence",
    .formula = "loss = sum over the last axis of target·(log (target) - log (prediction))",
    .doc = "Kullback-Leibler divergence of a predicted distribution from the true one; terms with "
           "target 0 are 0.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (kl_divergence),
};
