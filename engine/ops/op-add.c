/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/binary.h"

static void
add_forward (TsCall *call)
{
  call->k->add[call->dtype](call->in[0], call->in[1], call->out[0], ts_call_elems (call));
}

static void
add_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  for (guint i = 0; i < 2; i++)
    if (want[i])
      grad_in[i] = grad_out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
    {.in = {"f", "f"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_add = {
    .name = "add",
    .formula = "y = a + b",
    .category = "element-wise",
    .doc = "Element-wise sum of two tensors of one shape.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .inplace = 0,
    .infer = ts_infer_binary,
    .forward = add_forward,
    .backward = add_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
