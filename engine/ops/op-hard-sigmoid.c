/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsParamSpec params[] = {
    {"form", TS_PARAM_WORD, .text = "keras3", .words = "keras3|keras2",
     .doc = "keras3: slope 1/6, also PyTorch's; keras2: slope 0.2, also TensorFlow 1's"},
    {NULL},
};

static double
slope_of (const TsCall *call)
{
  return ts_params_text (&call->node->params, "form")[5] == '2' ? 0.2 : 1.0 / 6;
}

static void
hard_forward (TsCall *call)
{
  ts_unary_forward_as (call, TS_UNARY_hard_sigmoid, slope_of (call), 0);
}

static void
hard_grad_forward (TsCall *call)
{
  ts_unary_grad_forward_as (call, TS_UNARY_hard_sigmoid, slope_of (call), 0);
}

TS_UNARY_GRAD (hard_sigmoid, "y", "dx = 0 < y < 1 ? slope·dy : 0", params, hard_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -5, .high = 2, .avoid = -3, .gap = 0.01},
    {.in = {"f 5 6"}, .params = "form=keras2", .low = -1, .high = 4, .avoid = 2.5, .gap = 0.01},
};

const TsOpClass ts_op_hard_sigmoid = {
    .name = "hard_sigmoid",
    .formula = "y = min (max (slope·x + 0.5, 0), 1)",
    .category = "element-wise",
    .doc = "Sigmoid made of straight lines; two slopes are in use.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_hard_sigmoid,
    .infer = ts_unary_infer,
    .forward = hard_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&hard_sigmoid_grad, NULL},
};
