/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/ops/lines.h"
#include "engine/ops/binary.h"

static const TsParamSpec params[] = {
    {"axes", TS_PARAM_SHAPE,
     .doc = "axes to normalise over, the batch is 0, -1 the last; empty: all"},
    {"eps", TS_PARAM_FLOAT, .number = 1e-12, .min = 0, .max = 1,
     .doc = "least sum of squares that is divided by"},
    {NULL},
};

static gboolean
normalize_infer (TsNode *node, TsValue *out, GError **error)
{
  TsValue kept;

  if (!ts_reduce_infer_axes (node, error))
    return FALSE;
  kept = *node->in[0];
  kept.shape = ts_reduce_kept (node, node->in[0]);
  ts_infer_like (node, out, 0, node->in[0]);
  ts_infer_like (node, out, 1, &kept);
  ts_infer_like (node, out, 2, &kept);
  return TRUE;
}

static void
normalize_forward (TsCall *call)
{
  double epsilon = ts_params_float (&call->node->params, "eps");
  double in[TS_LINE_PIECE], out[TS_LINE_PIECE];
  TsLines l;

  ts_lines_init (&l, call, call->node->in[0]);
  for (l.line = 0; l.line < l.n_lines; l.line++) {
    double sum = ts_lines_fold (&l, TS_FOLD_SQUARES, 0, 0);
    double factor = 1 / sqrt (sum < epsilon ? epsilon : sum);
    ts_dtype_set (call->dtype, call->out[1], l.line, factor);
    ts_dtype_set (call->dtype, call->out[2], l.line, sum < epsilon ? 0 : factor);
    for (gint64 at = 0, n; at < l.length; at += n) {
      n = MIN (TS_LINE_PIECE, l.length - at);
      call->k->scale[call->dtype](ts_lines_gather (&l, call->in[0], at, n, in), factor, out,
                                  (gsize) n);
      ts_lines_scatter (&l, out, at, n, call->out[0]);
    }
  }
}

/* dx = factor·dy - y·slope·sum (y·dy); the slope is 0 where epsilon held. */
static void
normalize_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  TsValue *y = node->out[0], *dy = grad_out[0];
  TsParams keep;

  if (!want[0] || !dy)
    return;
  ts_params_init (&keep, ts_reduce_params);
  keep.v[0] = node->params.v[0];
  ts_params_set_bool (&keep, "keepdims", TRUE, NULL);
  TsValue *product = ts_emit_op (e, "mul", y, dy, NULL);
  TsValue *dot = e->emit (e, "reduce_sum", &product, 1, &keep)->out[0];
  TsValue *along = ts_emit_op (e, "mul", y, ts_emit_op (e, "mul", node->out[2], dot, NULL), NULL);
  grad_in[0] = ts_emit_op (e, "sub", ts_emit_op (e, "mul", dy, node->out[1], NULL), along, NULL);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .params = "axes=[-1]", .low = -2, .high = 2},
    {.in = {"rows 3"}, .params = "axes=[0]", .low = -2, .high = 2},
    {.in = {"rows 3 4"}, .params = "axes=[1]", .low = -2, .high = 2},
    {.in = {"f 5 6"}, .low = -2, .high = 2},
    {.in = {"f 3 4"}, .params = "axes=[0], eps=1", .low = -0.5, .high = 0.5},
};

const TsOpClass ts_op_l2_normalize = {
    .name = "l2_normalize",
    .formula = "y = x / sqrt (max (sum of x², epsilon))",
    .category = "reduction",
    .doc = "Scales lines to length 1; the further outputs are the factor and its part in the "
           "gradient.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .no_gradient = 1 << 1 | 1 << 2,
    .infer = normalize_infer,
    .partition = ts_lines_partition,
    .forward = normalize_forward,
    .backward = normalize_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
