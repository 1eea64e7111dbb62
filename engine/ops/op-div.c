/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

TS_BINARY_GRAD (div_grad_b, "dy, a, b", 3, "db = -dy·a / b²", ts_binary_infer_float);

static void
div_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *dy = grad_out[0], *a = node->in[0], *b = node->in[1];

  if (want[0])
    grad_in[0] = ts_emit_sum_to (e, ts_emit_op (e, "div", dy, b, NULL), a);
  if (want[1])
    grad_in[1] = ts_emit_sum_to (e, ts_emit_op (e, "div_grad_b", dy, a, b), b);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.4, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .low = 0.4, .high = 2},
    {.in = {"f 3 1", "rows 2 3 4"}, .low = 0.4, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = 0.4, .high = 2},
    {.in = {"f 2 1 3", "f 4 1"}, .low = 0.4, .high = 2},
    {.in = {"f", "f"}, .low = 0.4, .high = 2},
};

const TsOpClass ts_op_div = {
    .name = "div",
    .formula = "y = a / b",
    .category = "element-wise",
    .doc = "Element-wise quotient of floats; x/0 is infinite or NaN.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_div,
    .infer = ts_binary_infer_float,
    .forward = ts_binary_forward,
    .backward = div_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&div_grad_b, NULL},
};
