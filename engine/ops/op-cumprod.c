/* SPDX-License-Identifier: MIT */
#include "engine/ops/scan.h"

static void
cumprod_forward (TsCall *call)
{
  ts_scan_forward (call, TRUE);
}

static void
cumprod_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *in[] = {node->in[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "cumprod_grad", in, 2, &node->params)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return ts_infer_floats (node, error);
}

static const TsOpClass cumprod_grad = {
    .name = "cumprod_grad",
    .formula = "dx[k] = sum of dy[i]·product of all x of y[i] but x[k]",
    .category = "reduction",
    .doc = "Gradient of cumprod.",
    .in_names = "x, dy",
    .min_in = 2,
    .max_in = 2,
    .params = ts_scan_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_axis_partition,
    .forward = ts_scan_product_grad,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3 4"}, .params = "axis=1", .low = 0.5, .high = 1.5},
    {.in = {"rows 4"}, .params = "axis=0, exclusive=true", .low = 0.5, .high = 1.5},
    {.in = {"rows 5"}, .params = "reverse=true", .low = 0.5, .high = 1.5},
    {.in = {"f 3 40"}, .params = "axis=0, exclusive=true, reverse=true", .low = 0.5, .high = 1.5},
    {.in = {"f 3 5"}, .low = 0.5, .high = 1.5},
    {.in = {"labels 3 4 10"}, .params = "axis=1, reverse=true"},
    {.in = {"int 3 70 10"}, .params = "axis=0, exclusive=true"},
};

const TsOpClass ts_op_cumprod = {
    .name = "cumprod",
    .formula = "y[i] = x[0]·…·x[i]",
    .category = "reduction",
    .doc = "Running products along an axis; those of integers wrap around.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_scan_params,
    .inplace = -1,
    .infer = ts_scan_infer,
    .partition = ts_axis_partition,
    .forward = cumprod_forward,
    .backward = cumprod_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&cumprod_grad, NULL},
};
