/* SPDX-License-Identifier: MIT */
#include "engine/ops/channels.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

static void
global_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize n = (gsize) ts_channels (x), pixels = ts_global_pixels (x);
  gsize line = n * ts_dtype_size (call->dtype);

  for (gint64 r = 0; r < ts_window_images (call, x); r++) {
    char *y = (char *) call->out[0] + (gsize) r * line;
    call->k->column_sum[call->dtype]((const char *) call->in[0] + (gsize) r * pixels * line, n,
                                     pixels, n, y, FALSE);
    call->k->scale[call->dtype](y, 1 / (double) pixels, y, n);
  }
}

static void
global_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "global_avgpool_grad", in, 2, NULL)->out[0];
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[1];
  gsize n = (gsize) ts_channels (x), pixels = ts_global_pixels (x);
  gsize line = n * ts_dtype_size (call->dtype);
  char *dx = call->out[0];

  for (gint64 r = 0; r < ts_window_images (call, x); r++)
    for (gsize i = 0; i < pixels; i++, dx += line)
      call->k->scale[call->dtype]((const char *) call->in[0] + (gsize) r * line,
                                  1 / (double) pixels, dx, n);
}

static const TsOpClass global_avgpool_grad = {
    .name = "global_avgpool_grad",
    .formula = "dx[i, c] = dy[c] / pixels",
    .category = "image",
    .doc = "Gradient of global_avgpool.",
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
    {.in = {"rows 4 3 5"}, .low = -2, .high = 2},
    {.in = {"rows 6 4"}, .low = -2, .high = 2},
    {.in = {"f 2 3 3 4"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_global_avgpool = {
    .name = "global_avgpool",
    .formula = "y[c] = mean over all pixels of x[i, j, c]",
    .category = "image",
    .doc = "One number per channel: the mean of an image or a sequence.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .inplace = -1,
    .infer = ts_infer_global_pool,
    .partition = ts_window_partition,
    .forward = global_forward,
    .backward = global_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&global_avgpool_grad, NULL},
};
