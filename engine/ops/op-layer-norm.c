/* SPDX-License-Identifier: MIT */
#include "engine/ops/norm.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* Ba, Kiros and Hinton, "Layer normalization", 2016.  Its gradients serve group and RMS norm, too. */

static const TsParamSpec params[] = {TS_PARAM_EPSILON (1e-3), {NULL}};

static void
layer_norm_forward (TsCall *call)
{
  ts_norm_forward (call, 0, call->node->params.v[0].f, TRUE);
}

static void
layer_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                     TsValue **grad_in)
{
  ts_norm_backward (e, node, grad_out, want, grad_in, 0, node->params.v[0].f, TRUE);
}

static const TsOpClass norm_grad = {
    .name = "norm_grad",
    .formula = "dx = r·(dh - mean (dh) - h·mean (dh·h)) with h = (x - mean)·r, dh = gamma·dy",
    .category = "normalisation",
    .doc = "Gradient of a normalisation with respect to its input.",
    .in_names = "dy, x, gamma?",
    .min_in = 2,
    .max_in = 3,
    .params = ts_norm_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = ts_infer_like_second,
    .partition = ts_window_partition,
    .forward = ts_norm_grad_forward,
};

static gboolean
sums_infer (TsNode *node, TsValue *out, GError **error)
{
  for (guint i = 0; i < 2; i++) {
    ts_infer_like (node, out, i, node->in[1]);
    out[i].shape = TS_SHAPE (ts_channels (node->in[1]));
  }
  return TRUE;
}

static TsPartition
sums_partition (const TsNode *node)
{
  return ts_sums_partition (node, ts_channels (node->in[1]), 2);
}

static gsize
sums_workspace (const TsNode *node)
{
  return ts_sums_bytes (ts_channels (node->in[1]), 2);
}

static const TsOpClass norm_sums = {
    .name = "norm_sums",
    .formula = "dgamma[c] = sum of dy·(x - mean)·r; dbeta[c] = sum of dy",
    .category = "normalisation",
    .doc = "Gradients of a normalisation with respect to its scale and shift.",
    .in_names = "dy, x",
    .min_in = 2,
    .max_in = 2,
    .params = ts_norm_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = sums_infer,
    .partition = sums_partition,
    .workspace = sums_workspace,
    .forward = ts_norm_sums_forward,
    .combine = ts_sums_combine,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5", "f 5", "f 5"}, .low = -2, .high = 2},
    {.in = {"rows 3 4", "f 4"}, .params = "eps=1e-5", .low = -2, .high = 2},
    {.in = {"f 6 5", "f 5", "f 5"}, .low = -2, .high = 2},
    {.in = {"f 2 3 9"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_layer_norm = {
    .name = "layer_norm",
    .formula = "y = (x - mean) / sqrt (variance + epsilon)·gamma + beta",
    .category = "normalisation",
    .doc = "Normalises every line of the last axis by its own mean and biased variance.",
    .in_names = "x, gamma?, beta?",
    .min_in = 1,
    .max_in = 3,
    .params = params,
    .inplace = 0,
    .infer = ts_norm_infer,
    .partition = ts_window_partition,
    .forward = layer_norm_forward,
    .backward = layer_norm_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&norm_grad, &norm_sums, NULL},
};
