/* SPDX-License-Identifier: MIT */
#include "engine/ops/source.h"

static const TsParamSpec params[] = {
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = TS_DTYPE_WORDS, .doc = "element type"},
    {"shape", TS_PARAM_SHAPE, .doc = "the first axis may be -1: the batch, known when fed"},
    {NULL},
};

const TsOpClass ts_op_placeholder = {
    .name = "placeholder",
    .formula = "y = what is fed",
    .category = "source",
    .doc = "A value that every run must feed.",
    .in_names = "",
    .params = params,
    .flags = TS_OP_SOURCE,
    .inplace = -1,
    .infer = ts_infer_source,
};
