/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

/* Lin et al., "Focal loss for dense object detection", 2017. */

static const TsParamSpec params[] = {
    {"gamma", TS_PARAM_FLOAT, .number = 2, .min = 0, .max = 64,
     .doc = "how much easy examples are held down"},
    {"alpha", TS_PARAM_FLOAT, .number = 0.25, .min = -1, .max = 1,
     .doc = "weight of the label 1, the label 0 has the rest; negative: none"},
    TS_PAIR_PARAM_WRT,
    {NULL},
};

TS_PAIR_LOSS_FUNCS (focal, "focal", TS_PAIR_ELEMENTS, TS_LOSS_FOCAL, p->v[0].f, p->v[1].f, 1);

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.1, .high = 0.9},
    {.in = {"f 5 6", "f 5 6"}, .params = "gamma=1.5, alpha=-1", .low = 0.1, .high = 0.9},
};

const TsOpClass ts_op_focal = {
    .name = "focal",
    .formula =
        "loss = a·(1 - h)^gamma·sigmoid_xent (logit, label) with h the probability of the label",
    .doc = "Binary cross-entropy that leaves well classified examples aside; no gradient flows to "
           "the labels.",
    .in_names = "logits, labels",
    .flags = TS_OP_LOGITS,
    TS_PAIR_LOSS_FIELDS (focal),
};
