/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
sigmoid_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
sigmoid_forward (TsCall *call)
{
  call->k->sigmoid[call->dtype](call->in[0], call->out[0], ts_call_elems (call));
}

static void
sigmoid_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *in[] = {node->out[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "sigmoid_grad", in, 2, NULL)->out[0];
}

static void
sigmoid_grad_forward (TsCall *call)
{
  call->k->sigmoid_grad[call->dtype](call->in[0], call->in[1], call->out[0], ts_call_elems (call));
}

static const TsOpClass sigmoid_grad = {
    .name = "sigmoid_grad",
    .formula = "dx = dy·y·(1 - y)",
    .category = "element-wise",
    .doc = "Gradient of sigmoid.",
    .in_names = "y, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 1,
    .infer = sigmoid_infer,
    .forward = sigmoid_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -4, .high = 4},
    {.in = {"f 5 6"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_sigmoid = {
    .name = "sigmoid",
    .formula = "y = 1 / (1 + exp (-x))",
    .category = "element-wise",
    .doc = "Logistic function, stable for large |x|.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE | TS_OP_EPILOGUE | TS_OP_PROBABILITIES,
    .inplace = 0,
    .infer = sigmoid_infer,
    .forward = sigmoid_forward,
    .backward = sigmoid_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&sigmoid_grad, NULL},
};
