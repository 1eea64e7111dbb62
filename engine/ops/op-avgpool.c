/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/op.h"
#include "engine/ops/pool.h"

static void
average (TsCall *call, const TsWindow *w, char *const *lines, gsize n_lines, gsize at)
{
  gsize n = (gsize) w->channels;

  call->k->window_mean[call->dtype]((const void *const *) lines, n_lines, n,
                                    (char *) call->out[0] + at * n * ts_dtype_size (call->dtype));
}

static void
avgpool_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  TsWindow w = ts_pool_window (call->node, &x->shape);

  ts_pool_each (call, &w, ts_window_images (call, x), (char *) call->in[0], average);
}

static void
avgpool_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = ts_pool_emit_grad (e, node, "avgpool_grad", grad_out, 1);
}

static void
spread (TsCall *call, const TsWindow *w, char *const *lines, gsize n_lines, gsize at)
{
  gsize n = (gsize) w->channels;

  call->k->window_spread[call->dtype]((const char *) call->in[0] +
                                          at * n * ts_dtype_size (call->dtype),
                                      n_lines, n, (void *const *) lines);
}

static void
grad_forward (TsCall *call)
{
  const TsValue *dx = call->node->out[0];
  TsWindow w = ts_pool_window (call->node, &dx->shape);
  gint64 images = ts_window_images (call, call->node->in[0]);
  gsize image = (gsize) (w.in_h * w.in_w * w.channels) * ts_dtype_size (call->dtype);

  memset (call->out[0], 0, (gsize) images * image);
  ts_pool_each (call, &w, images, call->out[0], spread);
}

static const TsOpClass avgpool_grad = {
    .name = "avgpool_grad",
    .formula = "dx = sum over the windows around of dy / count",
    .category = "image",
    .doc = "Gradient of avgpool; windows that overlap add up.",
    .in_names = "dy",
    .min_in = 1,
    .max_in = 1,
    .params = ts_pool_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_pool_grad_infer,
    .partition = ts_window_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6 4 3"}, .low = -3, .high = 3},
    {.in = {"rows 4 3 9"}, .params = "stride=1, pad=same", .low = -3, .high = 3},
    {.in = {"rows 5 7 2"},
     .params = "window=[3, 2], strides=[1, 2], pads=[2, 0, 1, 1]",
     .low = -3,
     .high = 3},
    {.in = {"f 2 4 4 3"}, .params = "size=3", .low = -3, .high = 3},
};

const TsOpClass ts_op_avgpool = {
    .name = "avgpool",
    .formula = "y[i, j, c] = mean of x[s·i … s·i + k - 1, s·j … s·j + k - 1, c]",
    .category = "image",
    .doc = "The mean of each window; pixels outside the image do not count.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_pool_params,
    .inplace = -1,
    .infer = ts_pool_infer,
    .partition = ts_window_partition,
    .forward = avgpool_forward,
    .backward = avgpool_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&avgpool_grad, NULL},
};
