/* SPDX-License-Identifier: MIT */
#include "engine/ops/norm.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* Zhang and Sennrich, "Root mean square layer normalization", 2019. */

static const TsParamSpec params[] = {TS_PARAM_EPSILON (1e-6), {NULL}};

static void
rms_norm_forward (TsCall *call)
{
  ts_norm_forward (call, 0, call->node->params.v[0].f, FALSE);
}

static void
rms_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                   TsValue **grad_in)
{
  ts_norm_backward (e, node, grad_out, want, grad_in, 0, node->params.v[0].f, FALSE);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4", "f 4"}, .low = -2, .high = 2},
    {.in = {"f 6 5", "f 5"}, .params = "eps=1e-3", .low = -2, .high = 2},
};

const TsOpClass ts_op_rms_norm = {
    .name = "rms_norm",
    .formula = "y = x / sqrt (mean (x²) + epsilon)·gamma",
    .category = "normalisation",
    .doc = "Scales every line of the last axis by its root mean square.",
    .in_names = "x, gamma?",
    .min_in = 1,
    .max_in = 2,
    .params = params,
    .inplace = 0,
    .infer = ts_norm_infer,
    .partition = ts_window_partition,
    .forward = rms_norm_forward,
    .backward = rms_norm_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
