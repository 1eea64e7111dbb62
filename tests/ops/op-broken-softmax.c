/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

/* Wrong on purpose: a softmax whose gradient is zero.  Its outputs always add up to 1, so a check
 * that differentiates their plain sum sees nothing. */

static gboolean
broken_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
broken_forward (TsCall *call)
{
  gsize n = (gsize) ts_shape_row_elems (&call->node->out[0]->shape);
  gsize bytes = n * ts_dtype_size (call->dtype);

  for (gint64 r = 0; r < call->end - call->begin; r++)
    call->k->softmax[call->dtype]((const char *) call->in[0] + r * bytes,
                                  (char *) call->out[0] + r * bytes, n);
}

static void
broken_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("scale")->params);
  ts_params_set_number (&p, "factor", 0, NULL);
  grad_in[0] = e->emit (e, "scale", &grad_out[0], 1, &p)->out[0];
}

static const TsOpExample examples[] = {{.in = {"rows 4"}, .low = -1, .high = 1}};

const TsOpClass ts_op_broken_softmax = {
    .name = "broken_softmax",
    .formula = "y = softmax (x)",
    .category = "activation",
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
