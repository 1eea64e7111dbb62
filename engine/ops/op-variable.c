/* SPDX-License-Identifier: MIT */
#include "engine/ops/initializer.h"
#include "engine/ops/source.h"

static const TsParamSpec params[] = {
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = "f32|f64", .doc = "element type"},
    {"shape", TS_PARAM_SHAPE, .doc = "all axes known"},
    {"init", TS_PARAM_WORD, .text = "glorot_uniform", .words = ts_initializer_words,
     .doc = "initial values"},
    {"scale", TS_PARAM_FLOAT, .number = 0.05, .doc = "of constant, uniform and normal"},
    {"trainable", TS_PARAM_BOOL, .number = 1, .doc = "an optimizer may change it"},
    {"slot", TS_PARAM_BOOL, .doc = "an optimizer keeps it for another variable"},
    {NULL},
};

const TsOpClass ts_op_variable = {
    .name = "variable",
    .formula = "y = the session's current value",
    .category = "source",
    .doc = "A value that persists between runs.",
    .in_names = "",
    .params = params,
    .flags = TS_OP_SOURCE,
    .inplace = -1,
    .infer = ts_infer_source,
};
