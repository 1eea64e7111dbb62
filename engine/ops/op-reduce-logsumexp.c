/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/ops/lines.h"
#include "engine/ops/binary.h"

TS_BINARY_GRAD (reduce_logsumexp_grad, "dy, x, y", 3, "dx = dy·exp (x - y)", ts_binary_infer_float);

static double
reduce_logsumexp_value (const TsLines *l)
{
  double top = ts_lines_fold (l, TS_FOLD_MAX, -INFINITY, 0);

  if (isinf (top) || isnan (top))
    return top;
  return top + log (ts_lines_fold (l, TS_FOLD_EXP, 0, top));
}

static void
reduce_logsumexp_forward (TsCall *call)
{
  ts_lines_forward (call, reduce_logsumexp_value);
}

static void
reduce_logsumexp_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out,
                           const gboolean *want, TsValue **grad_in)
{
  TsValue *x = node->in[0];

  if (want[0])
    grad_in[0] = ts_emit_op (e, "reduce_logsumexp_grad", ts_emit_spread (e, node, grad_out[0]), x,
                             ts_emit_spread (e, node, node->out[0]));
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"rows 3 4"}, .params = "axes=[1]", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axes=[0]", .low = -2, .high = 2},
    {.in = {"rows 2 3"}, .params = "axes=[0, 2], keepdims=true", .low = -2, .high = 2},
    {.in = {"f 3 4 5"}, .params = "axes=[0, 2]", .low = -2, .high = 2},
    {.in = {"f 4 5"}, .params = "axes=[-1], keepdims=true", .low = -2, .high = 2},
    {.in = {"f"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_reduce_logsumexp = {
    .name = "reduce_logsumexp",
    .formula = "y = log (sum of exp (x) over the axes)",
    .category = "reduction",
    .doc = "Logarithm of a sum of exponentials, stable: the largest element is taken out first.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer,
    .partition = ts_lines_partition,
    .forward = reduce_logsumexp_forward,
    .backward = reduce_logsumexp_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&reduce_logsumexp_grad, NULL},
};
