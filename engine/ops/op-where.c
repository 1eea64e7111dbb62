/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

/* Gradients select, never multiply: what was not chosen may be infinite or NaN. */
TS_BINARY_GRAD (where_grad_a, "condition, dy", 2, "da = condition ? dy : 0",
                ts_binary_infer_select);
TS_BINARY_GRAD (where_grad_b, "condition, dy", 2, "db = condition ? 0 : dy",
                ts_binary_infer_select);

static void
where_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  static const char *const ops[] = {"where_grad_a", "where_grad_b"};

  for (guint i = 1; i < 3; i++)
    if (want[i]) {
      TsValue *all = ts_emit_op (e, ops[i - 1], node->in[0], grad_out[0], NULL);
      grad_in[i] = ts_emit_sum_to (e, all, node->in[i]);
    }
}

static const TsOpExample examples[] = {
    {.in = {"flags 5", "rows 5", "rows 5"}, .low = -2, .high = 2},
    {.in = {"flags 1", "f 5", "rows 5"}, .low = -2, .high = 2},
    {.in = {"bool 3 1", "f 4", "f 3 4"}, .low = -2, .high = 2},
    {.in = {"bool 4", "int 4 10", "int 4 10"}},
};

const TsOpClass ts_op_where = {
    .name = "where",
    .formula = "y = condition ? a : b",
    .category = "element-wise",
    .doc = "Takes each element from a or from b; all three broadcast.",
    .in_names = "condition, a, b",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_BROADCAST,
    .inplace = -1,
    .kernel = TS_BINARY_where,
    .infer = ts_binary_infer_select,
    .forward = ts_binary_forward,
    .backward = where_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&where_grad_a, &where_grad_b, NULL},
};
