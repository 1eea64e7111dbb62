/* SPDX-License-Identifier: MIT */
#include "engine/ops/share.h"

static const TsParamSpec params[] = {
    {"threshold", TS_PARAM_FLOAT, .number = 0.5, .doc = "scores above it say yes; 0 for logits"},
    {NULL},
};

/* Targets have the shape of the scores, or lack a last axis of one. */
static gboolean
binary_accuracy_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0], *t = node->in[1];
  TsShape without = x->shape;

  if (!ts_dtype_is_float (x->dtype) || (t->dtype != TS_I32 && t->dtype != x->dtype)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "binary_accuracy needs float scores and targets of the same type or integers, but "
                 "'%s' is %s and '%s' is %s",
                 x->node->name, ts_dtype_name (x->dtype), t->node->name, ts_dtype_name (t->dtype));
    return FALSE;
  }
  if (without.rank > 0 && without.dim[without.rank - 1] == 1)
    without.rank--;
  if (!ts_shape_equal (&x->shape, &t->shape) && !ts_shape_equal (&without, &t->shape)) {
    g_autofree char *tx = ts_shape_dup_row_text (&x->shape),
                    *tt = ts_shape_dup_row_text (&t->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "binary_accuracy: targets %s do not match scores %s", tt, tx);
    return FALSE;
  }
  ts_share_infer (node, out);
  return TRUE;
}

static void
binary_accuracy_forward (TsCall *call)
{
  gint64 n = ts_share_lines (call, 1);
  double threshold = call->node->params.v[0].f, hits = 0;
  TsDtype target = call->node->in[1]->dtype;

  for (gint64 i = 0; i < n; i++) {
    double x = ts_element_at (call->dtype, call->in[0], (gsize) i);
    hits += x == x && (x > threshold) == (ts_element_at (target, call->in[1], (gsize) i) > 0.5);
  }
  ts_share_forward (call, hits, 1);
}

static void
binary_accuracy_combine (TsCall *call)
{
  ts_share_combine (call, 1);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -1, .high = 2},
    {.in = {"f 4 5", "f 4 5"}, .low = -1, .high = 2},
    {.in = {"rows 1", "labels 2"}, .params = "threshold=0", .low = -1, .high = 1},
};

const TsOpClass ts_op_binary_accuracy = {
    .name = "binary_accuracy",
    .formula = "y = share of elements with (score > threshold) = (target > 0.5)",
    .category = "metric",
    .doc = "Accuracy of yes and no over the batch; a score that is NaN is wrong.",
    .in_names = "scores, targets",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .inplace = -1,
    .infer = binary_accuracy_infer,
    .partition = ts_share_partition,
    .forward = binary_accuracy_forward,
    .combine = binary_accuracy_combine,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
