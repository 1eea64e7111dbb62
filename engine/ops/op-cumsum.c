/* SPDX-License-Identifier: MIT */
#include "engine/ops/scan.h"

static void
cumsum_forward (TsCall *call)
{
  ts_scan_forward (call, FALSE);
}

/* An element is in the sums from itself on: the same the other way round. */
static void
cumsum_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsParams back = node->params;

  ts_params_set_bool (&back, "reverse", !node->params.v[2].i, NULL);
  if (want[0])
    grad_in[0] = e->emit (e, "cumsum", grad_out, 1, &back)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4"}, .params = "axis=1", .low = -1, .high = 1},
    {.in = {"rows 4"}, .params = "axis=0, exclusive=true", .low = -1, .high = 1},
    {.in = {"rows 5"}, .params = "reverse=true", .low = -1, .high = 1},
    {.in = {"f 3 70"}, .params = "axis=0, exclusive=true, reverse=true", .low = -1, .high = 1},
    {.in = {"f 3 5"}, .low = -1, .high = 1},
    {.in = {"labels 3 4 10"}, .params = "axis=1, reverse=true"},
    {.in = {"int 3 70 10"}, .params = "axis=0, exclusive=true"},
};

const TsOpClass ts_op_cumsum = {
    .name = "cumsum",
    .formula = "y[i] = x[0] + … + x[i]",
    .category = "reduction",
    .doc = "Running sums along an axis; those of integers wrap around.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_scan_params,
    .inplace = 0,
    .infer = ts_scan_infer,
    .partition = ts_axis_partition,
    .forward = cumsum_forward,
    .backward = cumsum_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
