/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

static gboolean
by_phase_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *a = node->in[0], *b = node->in[1];

  if (a->dtype != b->dtype || !ts_shape_equal (&a->shape, &b->shape)) {
    g_autofree char *ta = ts_shape_dup_text (&a->shape), *tb = ts_shape_dup_text (&b->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "by_phase: the two values must be alike, but they are %s %s and %s %s",
                 ts_dtype_name (a->dtype), ta, ts_dtype_name (b->dtype), tb);
    return FALSE;
  }
  ts_infer_like (node, out, 0, a);
  return TRUE;
}

static void
by_phase_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                   TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = grad_out[0];
}

const TsOpClass ts_op_by_phase = {
    .name = "by_phase",
    .formula = "y = training ? a : b",
    .category = "control",
    .doc = "One value while training, another one otherwise; the other is not even computed.  "
           "Gradients flow to the training value.",
    .in_names = "training value, inference value",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL | TS_OP_VIEW | TS_OP_PHASE,
    .inplace = -1,
    .infer = by_phase_infer,
    .backward = by_phase_backward,
};
