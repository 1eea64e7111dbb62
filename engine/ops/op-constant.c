/* SPDX-License-Identifier: MIT */
#include "engine/ops/source.h"

static const TsParamSpec params[] = {
    {"value", TS_PARAM_FLOAT, .doc = "of every element, unless it was made from a tensor"},
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = TS_DTYPE_WORDS, .doc = "element type"},
    {"shape", TS_PARAM_SHAPE, .doc = "all axes known; empty: a scalar"},
    {NULL},
};

const TsOpClass ts_op_constant = {
    .name = "constant",
    .formula = "y = value",
    .category = "source",
    .doc = "The same numbers at every run.",
    .in_names = "",
    .params = params,
    .flags = TS_OP_SOURCE,
    .inplace = -1,
    .infer = ts_infer_source,
};
