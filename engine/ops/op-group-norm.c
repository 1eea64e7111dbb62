/* SPDX-License-Identifier: MIT */
#include "engine/ops/norm.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* Wu and He, "Group normalization", 2018. */

static const TsParamSpec params[] = {
    {"groups", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20,
     .doc = "sets of neighbouring channels that are normalised together"},
    TS_PARAM_EPSILON (1e-3),
    {NULL},
};

static gboolean
group_norm_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_norm_infer (node, out, error))
    return FALSE;
  if (x->rank < 2 || x->dim[x->rank - 1] % node->params.v[0].i != 0) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "group_norm: the channels of %s cannot be cut into %" G_GINT64_FORMAT
                 " equal groups",
                 text, node->params.v[0].i);
    return FALSE;
  }
  return TRUE;
}

static void
group_norm_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;

  ts_norm_forward (call, p->v[0].i, p->v[1].f, TRUE);
}

static void
group_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                     TsValue **grad_in)
{
  const TsParams *p = &node->params;

  ts_norm_backward (e, node, grad_out, want, grad_in, p->v[0].i, p->v[1].f, TRUE);
}

static const TsOpExample examples[] = {
    {.in = {"rows 2 2 4", "f 4", "f 4"}, .params = "groups=2", .low = -2, .high = 2},
    {.in = {"rows 3 6", "f 6"}, .params = "groups=3, eps=1e-5", .low = -2, .high = 2},
    {.in = {"f 2 3 2 4", "f 4", "f 4"}, .params = "groups=2", .low = -2, .high = 2},
};

const TsOpClass ts_op_group_norm = {
    .name = "group_norm",
    .formula = "y = (x - mean) / sqrt (variance + epsilon)·gamma + beta, per group of channels",
    .category = "normalisation",
    .doc = "Normalises each group of channels of an image over all its pixels.",
    .in_names = "x, gamma?, beta?",
    .min_in = 1,
    .max_in = 3,
    .params = params,
    .inplace = 0,
    .infer = group_norm_infer,
    .partition = ts_window_partition,
    .forward = group_norm_forward,
    .backward = group_norm_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
