/* SPDX-License-Identifier: MIT */
#include "engine/ops/channels.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

#include <string.h>

/* Mean and variance per channel over everything else, the batch included: slots keep (count, mean, sum
 * of squared deviations), which the fixed tree joins without cancellation. */

static gboolean
moments_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error) || !ts_infer_per_channel (node, 1, error))
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    ts_infer_like (node, out, i, node->in[0]);
    out[i].shape = TS_SHAPE (ts_channels (node->in[0]));
  }
  return TRUE;
}

static gsize
state_bytes (const TsNode *node)
{
  return (gsize) (1 + 2 * ts_channels (node->in[0])) * sizeof (double);
}

static TsPartition
moments_partition (const TsNode *node)
{
  if (node->in[0]->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = state_bytes (node)};
}

static void
moments_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize n = (gsize) ts_channels (x), lines = (gsize) ts_channel_lines (x);
  double *state = call->partial ? call->partial : call->workspace;
  gint64 rows = call->partial ? call->end - call->begin : 1;

  if (!call->partial || !call->accumulate)
    state[0] = 0;
  for (gint64 r = 0; r < rows; r++) /* row by row, whatever rows travel together */
    call->k->moments[call->dtype]((const char *) call->in[0] +
                                      (gsize) r * lines * n * ts_dtype_size (call->dtype),
                                  lines, n, state);
  if (!call->partial)
    call->k->moments_combine[call->dtype](state, 1, n, call->out[0], call->out[1]);
}

static void
moments_combine (TsCall *call)
{
  call->k->moments_combine[call->dtype](call->partial, (gsize) call->n_partials,
                                        (gsize) ts_channels (call->node->in[0]), call->out[0],
                                        call->out[1]);
}

/* ---- dx = dmean / count + dvariance·2·(x - mean) / count */

static const TsParamSpec grad_params[] = {
    {"of", TS_PARAM_WORD, .text = "both", .words = "mean|variance|both",
     .doc = "which of the two gradients there are"},
    {NULL},
};

static void
moments_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *in[4] = {node->in[0], node->out[0]};
  guint n_in = 2;
  TsParams p;

  if (!want[0])
    return;
  for (guint i = 0; i < 2; i++)
    if (grad_out[i])
      in[n_in++] = grad_out[i];
  ts_params_init (&p, grad_params);
  if (n_in == 3)
    ts_params_set_text (&p, "of", grad_out[0] ? "mean" : "variance", NULL);
  grad_in[0] = e->emit (e, "moments_grad", in, n_in, &p)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static gsize
grad_workspace (const TsNode *node)
{
  return 2 * (gsize) ts_channels (node->in[0]) * ts_dtype_size (node->in[0]->dtype);
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  char of = call->node->params.v[0].s[0];
  gsize n = (gsize) ts_channels (x);
  char *scale = call->workspace, *shift = scale + n * ts_dtype_size (call->dtype);
  double count =
      (double) ts_channel_lines (x) * (x->kind == TS_VALUE_ROWS ? (double) call->batch : 1);

  if (of == 'm')
    call->k->fill[call->dtype](0, scale, n);
  else
    call->k->scale[call->dtype](call->in[of == 'v' ? 2 : 3], 2 / count, scale, n);
  if (of == 'v')
    call->k->fill[call->dtype](0, shift, n);
  else
    call->k->scale[call->dtype](call->in[2], 1 / count, shift, n);
  call->k->channel_affine[call->dtype](call->in[0], ts_call_channel_lines (call, x), n, call->in[1],
                                       scale, shift, call->out[0]);
}

static const TsOpClass moments_grad = {
    .name = "moments_grad",
    .formula = "dx = (dmean + 2·dvariance·(x - mean)) / count",
    .category = "normalisation",
    .doc = "Gradient of moments.",
    .in_names = "x, mean, dmean?, dvariance?",
    .min_in = 3,
    .max_in = 4,
    .params = grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_window_partition,
    .workspace = grad_workspace,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5 3"}, .low = -2, .high = 2},
    {.in = {"rows 4"}, .low = -2, .high = 2},
    {.in = {"f 3 4 5"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_moments = {
    .name = "moments",
    .formula = "mean[c] = mean of x[…, c]; variance[c] = mean of (x[…, c] - mean[c])²",
    .category = "normalisation",
    .doc = "Mean and biased variance of every channel over all other axes, the batch included.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = moments_infer,
    .partition = moments_partition,
    .workspace = state_bytes,
    .forward = moments_forward,
    .combine = moments_combine,
    .backward = moments_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&moments_grad, NULL},
};
