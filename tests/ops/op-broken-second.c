/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

/* Wrong on purpose: two outputs, 2x and 3x, of which the gradient of the second is forgotten.  A check
 * that looks at the first output alone sees nothing. */

static gboolean
broken_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  ts_infer_like (node, out, 1, node->in[0]);
  return TRUE;
}

static void
broken_forward (TsCall *call)
{
  for (guint i = 0; i < 2; i++)
    call->k->scale[call->dtype](call->in[0], 2 + i, call->out[i], ts_call_elems (call));
}

static void
broken_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("scale")->params);
  ts_params_set_number (&p, "factor", 2, NULL);
  grad_in[0] = e->emit (e, "scale", &grad_out[0], 1, &p)->out[0];
}

static const TsOpExample examples[] = {{.in = {"rows 4"}, .low = -1, .high = 1}};

const TsOpClass ts_op_broken_second = {
    .name = "broken_second",
    .formula = "y = 2x, z = 3x",
    .category = "element-wise",
    .doc = "Wrong on purpose.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = broken_infer,
    .forward = broken_forward,
    .backward = broken_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
