/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/binary.h"

static void
sub_forward (TsCall *call)
{
  call->k->sub[call->dtype](call->in[0], call->in[1], call->out[0], ts_call_elems (call));
}

static void
sub_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsParams minus;

  if (want[0])
    grad_in[0] = grad_out[0];
  if (want[1]) {
    ts_params_init (&minus, ts_op_lookup ("scale")->params);
    ts_params_set_number (&minus, "factor", -1, NULL);
    grad_in[1] = e->emit (e, "scale", &grad_out[0], 1, &minus)->out[0];
  }
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "rows 7"}, .low = -2, .high = 2},
    {.in = {"f 5 6", "f 5 6"}, .low = -2, .high = 2},
    {.in = {"f", "f"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_sub = {
    .name = "sub",
    .formula = "y = a - b",
    .category = "element-wise",
    .doc = "Element-wise difference of two tensors of one shape.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .inplace = 0,
    .infer = ts_infer_binary,
    .forward = sub_forward,
    .backward = sub_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
