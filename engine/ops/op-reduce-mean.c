/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/reduce.h"

static void
mean_forward (TsCall *call)
{
  ts_sum_forward (call, 1 / ts_reduce_count (call));
}

static void
mean_combine (TsCall *call)
{
  ts_sum_combine (call, 1 / ts_reduce_count (call));
}

static void
mean_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "reduce_mean_grad", in, 2, &node->params)->out[0];
}

static void
mean_grad_forward (TsCall *call)
{
  ts_spread_forward (call, 1 / ts_reduce_count (call));
}

static const TsOpClass reduce_mean_grad = {
    .name = "reduce_mean_grad",
    .formula = "dx = dy spread over the axes / count",
    .category = "reduction",
    .doc = "Gradient of reduce_mean.",
    .in_names = "dy, x",
    .min_in = 2,
    .max_in = 2,
    .params = ts_reduce_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_spread_infer,
    .partition = ts_spread_partition,
    .forward = mean_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -2, .high = 2},
    {.in = {"rows 7 3"}, .params = "axes=[0]", .low = -2, .high = 2},
    {.in = {"rows 7 3"}, .params = "axes=[1]", .low = -2, .high = 2},
    {.in = {"f 4 5 6"}, .params = "axes=[1]", .low = -2, .high = 2},
    {.in = {"f 4 5"}, .params = "axes=[-1]", .low = -2, .high = 2},
    {.in = {"rows 3 4"}, .params = "axes=[0, 2]", .low = -2, .high = 2},
    {.in = {"rows 3 4 2"}, .params = "axes=[1, 3], keepdims=true", .low = -2, .high = 2},
    {.in = {"f 3 4 5"}, .params = "axes=[2, 0], keepdims=true", .low = -2, .high = 2},
};

const TsOpClass ts_op_reduce_mean = {
    .name = "reduce_mean",
    .formula = "y = mean of x over the axes",
    .category = "reduction",
    .doc = "Mean over any axes; over all when none are named.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer,
    .partition = ts_sum_partition,
    .workspace = ts_sum_workspace,
    .forward = mean_forward,
    .combine = mean_combine,
    .backward = mean_backward,
    .keeps_sense = ts_keeps_sense,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&reduce_mean_grad, NULL},
};
