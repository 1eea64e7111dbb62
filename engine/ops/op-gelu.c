/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsParamSpec params[] = {
    {"form", TS_PARAM_WORD, .text = "exact", .words = "exact|tanh",
     .doc =
         "exact: by erf; tanh: the approximation 0.5·x·(1 + tanh (sqrt (2/π)·(x + 0.044715·x³)))"},
    {NULL},
};

static TsUnary
form_of (const TsCall *call)
{
  return *ts_params_text (&call->node->params, "form") == 't' ? TS_UNARY_gelu_tanh : TS_UNARY_gelu;
}

static void
gelu_forward (TsCall *call)
{
  ts_unary_forward_as (call, form_of (call), 0, 0);
}

static void
gelu_grad_forward (TsCall *call)
{
  ts_unary_grad_forward_as (call, form_of (call), 0, 0);
}

TS_UNARY_GRAD (gelu, "x", "dx = dy·(Φ (x) + x·φ (x)); that of the approximation for form=tanh",
               params, gelu_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -4, .high = 4},
    {.in = {"f 5 6"}, .params = "form=tanh", .low = -3, .high = 3},
};

const TsOpClass ts_op_gelu = {
    .name = "gelu",
    .formula = "y = x·Φ (x), Φ (x) = (1 + erf (x/sqrt (2)))/2",
    .category = "element-wise",
    .doc = "Gaussian error linear unit.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = 0,
    .kernel = TS_UNARY_gelu,
    .infer = ts_unary_infer,
    .forward = gelu_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&gelu_grad, NULL},
};
