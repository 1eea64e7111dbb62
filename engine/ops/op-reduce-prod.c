/* SPDX-License-Identifier: MIT */
#include "engine/ops/lines.h"

#include <string.h>

/* dx[i] = dy times the product of all others: products from the front, then from the back, so that
 * zeros need no division. */
static void
line_grad (const TsLines *l, const void *x, double dy, void *dx)
{
  const TsCall *call = l->call;
  double in[TS_LINE_PIECE], out[TS_LINE_PIECE], product = 1;
  gint64 pieces = (l->length + TS_LINE_PIECE - 1) / TS_LINE_PIECE;

  for (gint64 p = 0; p < pieces; p++) {
    gint64 at = p * TS_LINE_PIECE, n = MIN (TS_LINE_PIECE, l->length - at);
    product = call->k->running_product[call->dtype](ts_lines_gather (l, x, at, n, in), out,
                                                    (gsize) n, product, FALSE);
    ts_lines_scatter (l, out, at, n, dx);
  }
  product = dy;
  for (gint64 p = pieces; p-- > 0;) {
    gint64 at = p * TS_LINE_PIECE, n = MIN (TS_LINE_PIECE, l->length - at);
    memmove (out, ts_lines_gather (l, dx, at, n, out), (gsize) n * l->size);
    product = call->k->running_product[call->dtype](ts_lines_gather (l, x, at, n, in), out,
                                                    (gsize) n, product, TRUE);
    ts_lines_scatter (l, out, at, n, dx);
  }
}

static void
grad_forward (TsCall *call)
{
  TsLines l;

  ts_lines_init (&l, call, call->node->in[0]);
  for (l.line = 0; l.line < l.n_lines; l.line++)
    line_grad (&l, call->in[0], ts_dtype_get (call->dtype, call->in[1], l.line), call->out[0]);
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static const TsOpClass reduce_prod_grad = {
    .name = "reduce_prod_grad",
    .formula = "dx[i] = dy·product of all x but x[i]",
    .category = "reduction",
    .doc = "Gradient of reduce_prod.",
    .in_names = "x, dy",
    .min_in = 2,
    .max_in = 2,
    .params = ts_reduce_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_lines_partition,
    .forward = grad_forward,
};

static double
reduce_prod_value (const TsLines *l)
{
  return ts_lines_fold (l, TS_FOLD_PROD, 1, 0);
}

static void
reduce_prod_forward (TsCall *call)
{
  ts_lines_forward (call, reduce_prod_value);
}

static void
reduce_prod_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                      TsValue **grad_in)
{
  TsValue *in[] = {node->in[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "reduce_prod_grad", in, 2, &node->params)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = 0.5, .high = 1.5},
    {.in = {"rows 3 4"}, .params = "axes=[1]", .low = 0.5, .high = 1.5},
    {.in = {"rows 3"}, .params = "axes=[0]", .low = 0.5, .high = 1.5},
    {.in = {"rows 2 3"}, .params = "axes=[0, 2], keepdims=true", .low = 0.5, .high = 1.5},
    {.in = {"f 3 4 5"}, .params = "axes=[0, 2]", .low = 0.5, .high = 1.5},
    {.in = {"f 4 5"}, .params = "axes=[-1], keepdims=true", .low = 0.5, .high = 1.5},
    {.in = {"f"}, .low = 0.5, .high = 1.5},
};

const TsOpClass ts_op_reduce_prod = {
    .name = "reduce_prod",
    .formula = "y = product of x over the axes",
    .category = "reduction",
    .doc = "Product over any axes; of nothing it is 1.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_reduce_params,
    .inplace = -1,
    .infer = ts_reduce_infer,
    .partition = ts_lines_partition,
    .forward = reduce_prod_forward,
    .backward = reduce_prod_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&reduce_prod_grad, NULL},
};
