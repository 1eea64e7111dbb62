/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

static const TsParamSpec params[] = {
    {"low", TS_PARAM_FLOAT, .required = TRUE, .doc = "smallest value that passes"},
    {"high", TS_PARAM_FLOAT, .required = TRUE, .doc = "largest value that passes"},
    {NULL},
};

static gboolean
clip_infer (TsNode *node, TsValue *out, GError **error)
{
  double low = node->params.v[0].f, high = node->params.v[1].f;

  if (!(low <= high)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "clip: low=%g is not below high=%g",
                 low, high);
    return FALSE;
  }
  return ts_unary_infer (node, out, error);
}

TS_UNARY_GRAD (clip, "x", "dx = low <= x <= high ? dy : 0", params, ts_unary_grad_forward);

static const TsOpExample examples[] = {
    {.in = {"rows 7"},
     .params = "low=-0.5, high=9",
     .low = -2,
     .high = 2,
     .avoid = -0.5,
     .gap = 0.01},
    {.in = {"f 5 6"},
     .params = "low=-9, high=0.5",
     .low = -2,
     .high = 2,
     .avoid = 0.5,
     .gap = 0.01},
};

const TsOpClass ts_op_clip = {
    .name = "clip",
    .formula = "y = min (max (x, low), high)",
    .category = "element-wise",
    .doc = "Limits every element; the gradient passes at the bounds.  NaN stays NaN.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_MONOTONE,
    .inplace = 0,
    .kernel = TS_UNARY_clip,
    .infer = clip_infer,
    .forward = ts_unary_forward,
    .backward = ts_unary_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&clip_grad, NULL},
};
