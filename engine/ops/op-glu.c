/* SPDX-License-Identifier: MIT */
#include "engine/ops/channels.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* Dauphin et al., "Language modeling with gated convolutional networks", 2017. */

static gboolean
glu_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_infer_floats (node, error) || !ts_infer_per_channel (node, 1, error))
    return FALSE;
  gint64 channels = ts_channels (node->in[0]);
  if (channels % 2 != 0) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "glu: the last axis of %s cannot be halved", text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.dim[x->rank - 1] = channels / 2;
  return TRUE;
}

static void
glu_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize n = (gsize) ts_channels (x) / 2, half = n * ts_dtype_size (call->dtype);

  for (gsize i = 0; i < ts_call_channel_lines (call, x); i++) {
    const char *a = (const char *) call->in[0] + 2 * i * half;
    call->k->glu[call->dtype](a, a + half, (char *) call->out[0] + i * half, n);
  }
}

static void
glu_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "glu_grad", in, 2, NULL)->out[0];
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[1];
  gsize n = (gsize) ts_channels (x) / 2, half = n * ts_dtype_size (call->dtype);

  for (gsize i = 0; i < ts_call_channel_lines (call, x); i++) {
    const char *a = (const char *) call->in[1] + 2 * i * half;
    char *da = (char *) call->out[0] + 2 * i * half;
    call->k->glu_grad[call->dtype](a, a + half, (const char *) call->in[0] + i * half, da,
                                   da + half, n);
  }
}

static const TsOpClass glu_grad = {
    .name = "glu_grad",
    .formula = "da = dy·sigmoid (b); db = dy·a·sigmoid (b)·(1 - sigmoid (b))",
    .category = "activation",
    .doc = "Gradient of glu.",
    .in_names = "dy, x",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_infer_like_second,
    .partition = ts_window_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6"}, .low = -2, .high = 2},
    {.in = {"f 3 4 2"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_glu = {
    .name = "glu",
    .formula = "y = a·sigmoid (b) with a, b the halves of the last axis",
    .category = "activation",
    .doc = "Gated linear unit: the second half of the last axis says how much of the first passes.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = glu_infer,
    .partition = ts_window_partition,
    .forward = glu_forward,
    .backward = glu_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&glu_grad, NULL},
};
