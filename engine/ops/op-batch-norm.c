/* SPDX-License-Identifier: MIT */
#include "engine/ops/channels.h"
#include "engine/ops/norm.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* Ioffe and Szegedy, "Batch normalization", 2015: the application only.  Mean and variance are inputs
 * like any other, so the gradients through batch statistics come out of `moments`, and moving ones
 * simply have none.  One pass over x forward; backward one sum over the batch and one pass. */

static const TsParamSpec params[] = {TS_PARAM_EPSILON (1e-3), {NULL}};

static gboolean
batch_norm_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error) || !ts_infer_per_channel (node, 1, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

/* One number per channel. */
static gsize
scale_bytes (const TsNode *node)
{
  return ((gsize) ts_channels (node->in[0]) * ts_dtype_size (node->in[0]->dtype) + 63) &
         ~(gsize) 63;
}

static void
batch_norm_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  guint n_in = call->node->n_in;
  gsize n = (gsize) ts_channels (x);

  call->k->channel_scale[call->dtype](call->in[2], n_in > 3 ? call->in[3] : NULL,
                                      call->node->params.v[0].f, call->workspace, n);
  call->k->channel_affine[call->dtype](call->in[0], ts_call_channel_lines (call, x), n, call->in[1],
                                       call->workspace, n_in > 4 ? call->in[4] : NULL,
                                       call->out[0]);
}

static void
batch_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                     TsValue **grad_in)
{
  TsValue *dy = grad_out[0], *gamma = node->n_in > 3 ? node->in[3] : NULL;
  gboolean sums = FALSE;

  for (guint i = 1; i < node->n_in; i++)
    sums |= want[i];
  if (want[0]) {
    TsValue *in[] = {dy, node->in[2], gamma};
    grad_in[0] = e->emit (e, "batch_norm_grad", in, gamma ? 3 : 2, &node->params)->out[0];
  }
  if (!sums)
    return;
  TsValue *in[] = {dy, node->in[0], node->in[1], node->in[2]};
  TsNode *s = e->emit (e, "batch_norm_sums", in, 4, &node->params);
  if (want[1] || want[2]) {
    TsValue *of[] = {node->in[2], s->out[0], s->out[1], gamma};
    TsNode *stats = e->emit (e, "batch_norm_stats_grad", of, gamma ? 4 : 3, &node->params);
    grad_in[1] = stats->out[0];
    grad_in[2] = stats->out[1];
  }
  if (node->n_in > 3)
    grad_in[3] = s->out[1];
  if (node->n_in > 4)
    grad_in[4] = s->out[0];
}

static void
grad_forward (TsCall *call)
{
  const TsValue *dy = call->node->in[0];
  gsize n = (gsize) ts_channels (dy);

  call->k->channel_scale[call->dtype](call->in[1], call->node->n_in > 2 ? call->in[2] : NULL,
                                      call->node->params.v[0].f, call->workspace, n);
  call->k->channel_affine[call->dtype](call->in[0], ts_call_channel_lines (call, dy), n, NULL,
                                       call->workspace, NULL, call->out[0]);
}

static const TsOpClass batch_norm_grad = {
    .name = "batch_norm_grad",
    .formula = "dx = dy·gamma / sqrt (variance + epsilon)",
    .category = "normalisation",
    .doc = "Gradient of batch_norm with respect to x, mean and variance held.",
    .in_names = "dy, variance, gamma?",
    .min_in = 2,
    .max_in = 3,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = batch_norm_infer,
    .partition = ts_window_partition,
    .workspace = scale_bytes,
    .forward = grad_forward,
};

static gboolean
vectors_infer (TsNode *node, TsValue *out, GError **error)
{
  for (guint i = 0; i < 2; i++) {
    ts_infer_like (node, out, i, node->in[0]);
    out[i].shape = TS_SHAPE (ts_channels (node->in[0]));
  }
  return TRUE;
}

static TsPartition
sums_partition (const TsNode *node)
{
  return ts_sums_partition (node, ts_channels (node->in[0]), 2);
}

static gsize
sums_workspace (const TsNode *node)
{
  return ts_sums_bytes (ts_channels (node->in[0]), 2) + scale_bytes (node);
}

static void
sums_forward (TsCall *call)
{
  const TsValue *dy = call->node->in[0];
  gint64 n = ts_channels (dy);
  gsize lines = (gsize) ts_channel_lines (dy), row = lines * (gsize) n;
  gint64 rows = dy->kind == TS_VALUE_ROWS ? call->end - call->begin : 1;
  double *sums = ts_sums_begin (call, n, 2);
  void *scale = (char *) call->workspace + ts_sums_bytes (n, 2);

  call->k->channel_scale[call->dtype](call->in[3], NULL, call->node->params.v[0].f, scale,
                                      (gsize) n);
  for (gint64 r = 0; r < rows; r++) {
    gsize at = (gsize) r * row * ts_dtype_size (call->dtype);
    call->k->channel_sums[call->dtype]((const char *) call->in[0] + at,
                                       (const char *) call->in[1] + at, lines, (gsize) n,
                                       call->in[2], scale, sums);
  }
  ts_sums_finish (call, n, 2);
}

static const TsOpClass batch_norm_sums = {
    .name = "batch_norm_sums",
    .formula = "dbeta = sum of dy; dgamma = sum of dy·(x - mean) / sqrt (variance + epsilon)",
    .category = "normalisation",
    .doc = "Gradients of batch_norm with respect to its shift and scale.",
    .in_names = "dy, x, mean, variance",
    .min_in = 4,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = vectors_infer,
    .partition = sums_partition,
    .workspace = sums_workspace,
    .forward = sums_forward,
    .combine = ts_sums_combine,
};

static void
stats_forward (TsCall *call)
{
  call->k->channel_stats_grad[call->dtype](call->in[0], call->node->n_in > 3 ? call->in[3] : NULL,
                                           call->node->params.v[0].f, call->in[1], call->in[2],
                                           call->out[0], call->out[1],
                                           (gsize) ts_channels (call->node->in[0]));
}

static const TsOpClass batch_norm_stats_grad = {
    .name = "batch_norm_stats_grad",
    .formula = "dmean = -gamma·r·dbeta; dvariance = -gamma·r²·dgamma / 2; r = 1 / sqrt (variance + "
               "epsilon)",
    .category = "normalisation",
    .doc = "Gradients of batch_norm with respect to mean and variance, from its sums.",
    .in_names = "variance, dbeta, dgamma, gamma?",
    .min_in = 3,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = vectors_infer,
    .partition = ts_partition_whole,
    .forward = stats_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 4 3", "f 3", "f 3", "f 3", "f 3"}, .low = 0.3, .high = 2},
    {.in = {"rows 5", "f 5", "f 5"}, .params = "eps=0.01", .low = 0.3, .high = 2},
    {.in = {"f 3 4 2", "f 2", "f 2", "f 2"}, .low = 0.3, .high = 2},
};

const TsOpClass ts_op_batch_norm = {
    .name = "batch_norm",
    .formula = "y = (x - mean) / sqrt (variance + epsilon)·gamma + beta",
    .category = "normalisation",
    .doc = "Normalises channels by a mean and a variance that it is given.",
    .in_names = "x, mean, variance, gamma?, beta?",
    .min_in = 3,
    .max_in = 5,
    .params = params,
    .inplace = 0,
    .infer = batch_norm_infer,
    .partition = ts_window_partition,
    .workspace = scale_bytes,
    .forward = batch_norm_forward,
    .backward = batch_norm_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&batch_norm_grad, &batch_norm_sums, &batch_norm_stats_grad,
                                        NULL},
};
