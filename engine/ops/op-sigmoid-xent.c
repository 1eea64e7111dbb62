/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static const TsParamSpec params[] = {
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (sigmoid_xent, "sigmoid_xent", TS_PAIR_ELEMENTS, TS_LOSS_SIGMOID_XENT, 0, 0, 2);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -3, .high = 3},
    {.in = {"f 5 6", "f 5 6"}, .low = -3, .high = 3},
};

const TsOpClass ts_op_sigmoid_xent = {
    .name = "sigmoid_xent",
    .formula = "loss = max (logit, 0) - logit·label + log (1 + exp (-|logit|))",
    .doc = "Binary cross-entropy of each logit with its label, 0 to 1.",
    .in_names = "logits, labels",
    .flags = TS_OP_LOGITS,
    TS_PAIR_LOSS_FIELDS (sigmoid_xent),
};
