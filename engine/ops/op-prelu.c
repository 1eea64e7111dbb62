/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

TS_BINARY_GRAD (prelu_grad_x, "dy, x, alpha", 3, "dx = x > 0 ? dy : alpha·dy",
                ts_binary_infer_float);
TS_BINARY_GRAD (prelu_grad_alpha, "dy, x", 2, "dalpha = x > 0 ? 0 : dy·x", ts_binary_infer_float);

static void
prelu_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  TsValue *dy = grad_out[0], *x = node->in[0], *alpha = node->in[1];

  if (want[0])
    grad_in[0] = ts_emit_sum_to (e, ts_emit_op (e, "prelu_grad_x", dy, x, alpha), x);
  if (want[1])
    grad_in[1] = ts_emit_sum_to (e, ts_emit_op (e, "prelu_grad_alpha", dy, x, NULL), alpha);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4", "f 4"}, .low = -2, .high = 2, .gap = 0.01},
    {.in = {"rows 4", "rows 4"}, .low = -2, .high = 2, .gap = 0.01},
    {.in = {"f 5 6", "f"}, .low = -2, .high = 2, .gap = 0.01},
};

const TsOpClass ts_op_prelu = {
    .name = "prelu",
    .formula = "y = x > 0 ? x : alpha·x",
    .category = "element-wise",
    .doc = "Rectified linear unit whose slope below 0 is learned; alpha broadcasts, usually over "
           "the last axis.",
    .in_names = "x, alpha",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_prelu,
    .infer = ts_binary_infer_float,
    .forward = ts_binary_forward,
    .backward = prelu_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&prelu_grad_x, &prelu_grad_alpha, NULL},
};
