/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
tanh_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
tanh_forward (TsCall *call)
{
  call->k->tanh[call->dtype](call->in[0], call->out[0], ts_call_elems (call));
}

static void
tanh_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsValue *in[] = {node->out[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "tanh_grad", in, 2, NULL)->out[0];
}

static void
tanh_grad_forward (TsCall *call)
{
  call->k->tanh_grad[call->dtype](call->in[0], call->in[1], call->out[0], ts_call_elems (call));
}

static const TsOpClass tanh_grad = {
    .name = "tanh_grad",
    .formula = "dx = dy·(1 - y²)",
    .category = "element-wise",
    .doc = "Gradient of tanh.",
    .in_names = "y, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 1,
    .infer = tanh_infer,
    .forward = tanh_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -4, .high = 4},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_tanh = {
    .name = "tanh",
    .formula = "y = tanh (x)",
    .category = "element-wise",
    .doc = "Hyperbolic tangent.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE | TS_OP_EPILOGUE,
    .inplace = 0,
    .infer = tanh_infer,
    .forward = tanh_forward,
    .backward = tanh_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&tanh_grad, NULL},
};
