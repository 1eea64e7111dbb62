/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

static void
add_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *dy = grad_out[0], *a = node->in[0], *b = node->in[1];

  if (want[0])
    grad_in[0] = ts_emit_sum_to (e, dy, a);
  if (want[1])
    grad_in[1] = ts_emit_sum_to (e, dy, b);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .low = -2, .high = 2},
    {.in = {"f 3 1", "rows 2 3 4"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
    {.in = {"f 2 1 3", "f 4 1"}, .low = -2, .high = 2},
    {.in = {"f", "f"}, .low = -2, .high = 2},
    {.in = {"int 4 10", "int 4 10"}},
};

const TsOpClass ts_op_add = {
    .name = "add",
    .formula = "y = a + b",
    .category = "element-wise",
    .doc = "Element-wise sum.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_BROADCAST,
    .inplace = 0,
    .kernel = TS_BINARY_add,
    .infer = ts_binary_infer_number,
    .forward = ts_binary_forward,
    .backward = add_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
