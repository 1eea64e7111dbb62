/* SPDX-License-Identifier: MIT */
/* The teaching op: read this file first (docs/adding-an-op.md walks through it). */
#include "engine/ops/op.h"

/* 1. Shapes: the only place that may say no.  It runs while the graph is built. */
static gboolean
relu_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

/* 2. The work, on whatever range the plan hands out. */
static void
relu_forward (TsCall *call)
{
  call->k->relu[call->dtype](call->in[0], call->out[0], ts_call_elems (call));
}

/* 3. The gradient is a node like any other: visible, fetchable, planned. */
static void
relu_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsValue *in[] = {node->out[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "relu_grad", in, 2, NULL)->out[0];
}

static void
relu_grad_forward (TsCall *call)
{
  call->k->relu_grad[call->dtype](call->in[0], call->in[1], call->out[0], ts_call_elems (call));
}

static const TsOpClass relu_grad = {
    .name = "relu_grad",
    .formula = "dx = y > 0 ? dy : 0",
    .category = "element-wise",
    .doc = "Gradient of relu; it is 0 at 0.",
    .in_names = "y, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 1,
    .infer = relu_infer,
    .forward = relu_grad_forward,
};

/* 4. Examples: the generic test differentiates them numerically, away from the kink at 0. */
static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2, .gap = 0.01},
    {.in = {"f 5 6"}, .low = -2, .high = 2, .gap = 0.01},
};

const TsOpClass ts_op_relu = {
    .name = "relu",
    .formula = "y = max (x, 0)",
    .category = "element-wise",
    .doc = "Rectified linear unit.  NaN stays NaN.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_MONOTONE | TS_OP_EPILOGUE | TS_OP_SWAPS,
    .inplace = 0,
    .infer = relu_infer,
    .forward = relu_forward,
    .backward = relu_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&relu_grad, NULL},
};
