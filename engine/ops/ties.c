/* SPDX-License-Identifier: MIT */
#include "engine/ops/ties.h"

#include "engine/ops/binary.h"
#include "engine/ops/reduce.h"

void
ts_ties_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *x = node->in[0];
  TsParams as_float;

  if (!want[0])
    return;
  ts_params_init (&as_float, ts_op_lookup ("cast")->params);
  ts_params_set_text (&as_float, "dtype", ts_dtype_name (x->dtype), NULL);
  TsValue *hit = ts_emit_op (e, "equal", x, ts_emit_spread (e, node, node->out[0]), NULL);
  TsValue *ones = e->emit (e, "cast", &hit, 1, &as_float)->out[0];
  TsValue *count = e->emit (e, "reduce_sum", &ones, 1, &node->params)->out[0];
  TsValue *share = ts_emit_op (e, "div", grad_out[0], count, NULL);
  grad_in[0] = ts_emit_op (e, "where_grad_a", hit, ts_emit_spread (e, node, share), NULL);
}
