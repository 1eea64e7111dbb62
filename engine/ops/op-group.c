/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
group_infer (TsNode *node, TsValue *out, GError **error)
{
  node->n_out = 0;
  return TRUE;
}

static void
group_forward (TsCall *call)
{
}

const TsOpClass ts_op_group = {
    .name = "group",
    .formula = "after all of them",
    .category = "control",
    .doc = "Does nothing, after everything it was told to wait for.",
    .in_names = "",
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .infer = group_infer,
    .partition = ts_partition_whole,
    .forward = group_forward,
};
