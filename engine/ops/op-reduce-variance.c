/* SPDX-License-Identifier: MIT */
#include "engine/ops/lines.h"
#include "engine/ops/binary.h"

static double
reduce_variance_value (const TsLines *l)
{
  double n = (double) l->length, mean = ts_lines_fold (l, TS_FOLD_SUM, 0, 0) / n;

  return ts_lines_fold (l, TS_FOLD_DEVIATIONS, 0, mean) / n;
}

static void
reduce_variance_forward (TsCall *call)
{
  ts_lines_forward (call, reduce_variance_value);
}

static void
reduce_variance_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out,
                          const gboolean *want, TsValue **grad_in)
{
  TsValue *x = node->in[0], *share[] = {grad_out[0], x};
  TsParams keep = node->params, twice;

  if (!want[0])
    return;
  ts_params_set_bool (&keep, "keepdims", TRUE, NULL);
  ts_params_init (&twice, ts_op_lookup ("scale")->params);
  ts_params_set_number (&twice, "factor", 2, NULL);
  TsValue *mean = e->emit (e, "reduce_mean", &x, 1, &keep)->out[0];
  TsValue *spread = e->emit (e, "reduce_mean_grad", share, 2, &node->params)->out[0];
  TsValue *product = ts_emit_op (e, "mul", spread, ts_emit_op (e, "sub", x, mean, NULL), NULL);
  grad_in[0] = e->emit (e, "scale", &product, 1, &twice)->out[0];
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

const TsOpClass ts_op_reduce_variance = {
    .name = "reduce_variance",
    .formula = "y = mean of (x - mean of x)² over the axes",
    .category = "reduction",
    .doc =
        "Biased variance in two passes: first the mean, then the squares of what differs from it.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer,
    .partition = ts_lines_partition,
    .forward = reduce_variance_forward,
    .backward = reduce_variance_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
