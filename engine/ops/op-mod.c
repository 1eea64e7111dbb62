/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

TS_BINARY_GRAD (mod_grad_b, "dy, a, b", 3, "db = -dy·floor (a / b)", ts_binary_infer_float);

static void
mod_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *dy = grad_out[0], *a = node->in[0], *b = node->in[1];

  if (want[0])
    grad_in[0] = ts_emit_sum_to (e, dy, a);
  if (want[1])
    grad_in[1] = ts_emit_sum_to (e, ts_emit_op (e, "mod_grad_b", dy, a, b), b);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = 0.4, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .low = 0.4, .high = 2},
    {.in = {"f 3 1", "rows 2 3 4"}, .low = 0.4, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = 0.4, .high = 2},
    {.in = {"f 2 1 3", "f 4 1"}, .low = 0.4, .high = 2},
    {.in = {"f", "f"}, .low = 0.4, .high = 2},
};

const TsOpClass ts_op_mod = {
    .name = "mod",
    .formula = "y = a - b·floor (a / b)",
    .category = "element-wise",
    .doc = "Remainder with the sign of the divisor.  An integer divisor of 0 is an error.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_mod,
    .infer = ts_binary_infer_number,
    .forward = ts_binary_forward,
    .backward = mod_backward,
    .fault_text = ts_binary_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&mod_grad_b, NULL},
};
