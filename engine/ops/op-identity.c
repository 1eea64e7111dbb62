/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
identity_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
identity_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                   TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = grad_out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 6 4"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_identity = {
    .name = "identity",
    .formula = "y = x",
    .category = "array",
    .doc = "Another name for a value.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_VIEW,
    .inplace = 0,
    .infer = identity_infer,
    .backward = identity_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
