/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    {"factor", TS_PARAM_FLOAT, .required = TRUE, .doc = "what every element is multiplied by"},
    {NULL},
};

static gboolean
scale_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
scale_forward (TsCall *call)
{
  call->k->scale[call->dtype](call->in[0], ts_params_float (&call->node->params, "factor"),
                              call->out[0], ts_call_elems (call));
}

static void
scale_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "scale", &grad_out[0], 1, &node->params)->out[0];
}

static gboolean
scale_keeps_sense (const TsNode *node)
{
  return ts_params_float (&node->params, "factor") > 0;
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .params = "factor=-1.5", .low = -2, .high = 2},
    {.in = {"f 5 6"}, .params = "factor=0.25", .low = -2, .high = 2},
};

const TsOpClass ts_op_scale = {
    .name = "scale",
    .formula = "y = factor·x",
    .category = "element-wise",
    .doc = "Multiplies every element by one number.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = 0,
    .infer = scale_infer,
    .forward = scale_forward,
    .backward = scale_backward,
    .keeps_sense = scale_keeps_sense,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
