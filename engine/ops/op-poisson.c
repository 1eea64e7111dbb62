/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (poisson, "poisson", TS_PAIR_ELEMENTS, TS_LOSS_POISSON, 0, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.3, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = 0.3, .high = 2},
};

const TsOpClass ts_op_poisson = {
    .name = "poisson",
    .formula = "loss = prediction - target·log (prediction)",
    .doc = "Negative log-likelihood of counts under a Poisson distribution, without the part that "
           "does not depend on the prediction.",
    .in_names = "prediction, target",
    TS_PAIR_LOSS_FIELDS (poisson),
};
