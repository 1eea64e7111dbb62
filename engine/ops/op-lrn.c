/* SPDX-License-Identifier: MIT */
#include "engine/ops/channels.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* Krizhevsky, Sutskever and Hinton 2012, with TensorFlow's parameters: alpha is not divided by the
 * number of channels that are added up. */

static const TsParamSpec params[] = {
    {"radius", TS_PARAM_INT, .number = 5, .min = 0, .max = 1 << 20,
     .doc = "channels on each side that take part"},
    {"bias", TS_PARAM_FLOAT, .number = 1, .doc = "added to the sum of squares"},
    {"alpha", TS_PARAM_FLOAT, .number = 1, .doc = "factor of the sum of squares"},
    {"beta", TS_PARAM_FLOAT, .number = 0.5, .doc = "exponent"},
    {NULL},
};

static TsLrn
lrn_of (const TsNode *node)
{
  const TsParams *p = &node->params;

  return (TsLrn){(gsize) p->v[0].i, p->v[1].f, p->v[2].f, p->v[3].f};
}

static gboolean
lrn_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error) || !ts_infer_per_channel (node, 1, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
lrn_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize n = (gsize) ts_channels (x), line = n * ts_dtype_size (call->dtype);
  TsLrn p = lrn_of (call->node);

  for (gsize i = 0; i < ts_call_channel_lines (call, x); i++)
    call->k->lrn[call->dtype]((const char *) call->in[0] + i * line, &p,
                              (char *) call->out[0] + i * line, n);
}

static void
lrn_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "lrn_grad", in, 2, &node->params)->out[0];
}

static gsize
grad_workspace (const TsNode *node)
{
  return ts_sums_bytes (ts_channels (node->in[1]), 2);
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[1];
  gsize n = (gsize) ts_channels (x), line = n * ts_dtype_size (call->dtype);
  TsLrn p = lrn_of (call->node);

  for (gsize i = 0; i < ts_call_channel_lines (call, x); i++)
    call->k->lrn_grad[call->dtype]((const char *) call->in[1] + i * line,
                                   (const char *) call->in[0] + i * line, &p, call->workspace,
                                   (char *) call->out[0] + i * line, n);
}

static const TsOpClass lrn_grad = {
    .name = "lrn_grad",
    .formula = "dx = dy·s^-beta - 2·alpha·beta·x·(sum of dy·y / s over the neighbours)",
    .category = "normalisation",
    .doc = "Gradient of lrn.",
    .in_names = "dy, x",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_infer_like_second,
    .partition = ts_window_partition,
    .workspace = grad_workspace,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 2 2 6"}, .params = "radius=2, alpha=0.1, beta=0.75", .low = -2, .high = 2},
    {.in = {"f 3 7"}, .params = "radius=1", .low = -2, .high = 2},
};

const TsOpClass ts_op_lrn = {
    .name = "lrn",
    .formula = "y[c] = x[c] / (bias + alpha·(sum of x[c - radius … c + radius]²))^beta",
    .category = "normalisation",
    .doc = "Local response normalisation across neighbouring channels.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = lrn_infer,
    .partition = ts_window_partition,
    .forward = lrn_forward,
    .backward = lrn_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&lrn_grad, NULL},
};
