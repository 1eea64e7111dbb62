/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/ops/lines.h"
#include "engine/ops/binary.h"

TS_BINARY_GRAD (reduce_norm_grad, "dy, x, y", 3, "dx = y == 0 ? 0 : dy·x / y",
                ts_binary_infer_float);

static double
reduce_norm_value (const TsLines *l)
{
  return sqrt (ts_lines_fold (l, TS_FOLD_SQUARES, 0, 0));
}

static void
reduce_norm_forward (TsCall *call)
{
  ts_lines_forward (call, reduce_norm_value);
}

static void
reduce_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                      TsValue **grad_in)
{
  TsValue *x = node->in[0];

  if (want[0])
    grad_in[0] = ts_emit_op (e, "reduce_norm_grad", ts_emit_spread (e, node, grad_out[0]), x,
                             ts_emit_spread (e, node, node->out[0]));
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"rows 3 4"}, .params = "axes=[1]", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axes=[0]", .low = -2, .high = 2},
    {.in = {"rows 2 3"}, .params = "axes=[0, 2], keepdims=true", .low = -2, .high = 2},
    {.in = {"f 3 4 5"}, .params = "axes=[0, 2]", .low = -2, .high = 2},
    {.in = {"f 4 5"}, .params = "axes=[-1], keepdims=true", .low = -2, .high = 2},
    {.in = {"f"}, .low = 0.5, .high = 2},
};

const TsOpClass ts_op_reduce_norm = {
    .name = "reduce_norm",
    .formula = "y = sqrt (sum of x² over the axes)",
    .category = "reduction",
    .doc = "Euclidean norm; the gradient at 0 is 0.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer,
    .partition = ts_lines_partition,
    .forward = reduce_norm_forward,
    .backward = reduce_norm_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&reduce_norm_grad, NULL},
};
