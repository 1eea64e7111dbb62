/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    {"pos_weight", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e30,
     .doc = "weight of the label 1"},
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (weighted_xent, "weighted_xent", TS_PAIR_ELEMENTS, TS_LOSS_WEIGHTED_XENT,
                    p->v[0].f, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .params = "pos_weight=3", .low = -3, .high = 3},
    {.in = {"f 5 6", "f 5 6"}, .params = "pos_weight=3", .low = -3, .high = 3},
};

const TsOpClass ts_op_weighted_xent = {
    .name = "weighted_xent",
    .formula = "loss = (1 - label)·logit + (1 + (pos_weight - 1)·label)·log (1 + exp (-logit))",
    .doc = "Binary cross-entropy of each logit whose positive class has a weight.",
    .in_names = "logits, labels",
    .flags = TS_OP_LOGITS,
    TS_PAIR_LOSS_FIELDS (weighted_xent),
};
