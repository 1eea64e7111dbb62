/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/op.h"
#include "engine/ops/pool.h"

static gboolean
maxpool_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_pool_infer (node, out, error))
    return FALSE;
  ts_infer_like (node, out, 1, &out[0]);
  out[1].dtype = TS_U8;
  return TRUE;
}

static void
choose (TsCall *call, const TsWindow *w, char *const *lines, gsize n_lines, gsize at)
{
  gsize n = (gsize) w->channels, pixel = n * ts_dtype_size (call->dtype);

  call->k->max_select[call->dtype]((const void *const *) lines, n_lines, n,
                                   (char *) call->out[0] + at * pixel,
                                   (guint8 *) call->out[1] + at * n);
}

static void
maxpool_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  TsWindow w = ts_pool_window (call->node, &x->shape);

  ts_pool_each (call, &w, ts_window_images (call, x), (char *) call->in[0], choose);
}

static void
maxpool_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->out[1]};

  if (want[0] && grad_out[0])
    grad_in[0] = ts_pool_emit_grad (e, node, "maxpool_grad", in, 2);
}

static void
scatter (TsCall *call, const TsWindow *w, char *const *lines, gsize n_lines, gsize at)
{
  gsize n = (gsize) w->channels, pixel = n * ts_dtype_size (call->dtype);

  call->k->max_scatter[call->dtype]((const char *) call->in[0] + at * pixel,
                                    (const guint8 *) call->in[1] + at * n, n_lines, n,
                                    (void *const *) lines);
}

static void
grad_forward (TsCall *call)
{
  const TsValue *dx = call->node->out[0];
  TsWindow w = ts_pool_window (call->node, &dx->shape);
  gint64 images = ts_window_images (call, call->node->in[0]);
  gsize image = (gsize) (w.in_h * w.in_w * w.channels) * ts_dtype_size (call->dtype);

  memset (call->out[0], 0, (gsize) images * image);
  ts_pool_each (call, &w, images, call->out[0], scatter);
}

static const TsOpClass maxpool_grad = {
    .name = "maxpool_grad",
    .formula = "dx = dy at the place of each window's largest, else 0",
    .category = "image",
    .doc = "Gradient of maxpool; windows that overlap add up.",
    .in_names = "dy, index",
    .min_in = 2,
    .max_in = 2,
    .params = ts_pool_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_pool_grad_infer,
    .partition = ts_window_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6 4 3"}, .low = -3, .high = 3},
    {.in = {"rows 5 5 17"}, .params = "stride=1", .low = -3, .high = 3},
    {.in = {"rows 5 7 2"}, .params = "pad=same", .low = -3, .high = 3},
    {.in = {"f 2 4 4 5"}, .low = -3, .high = 3},
    {.in = {"rows 5 7 2"},
     .params = "window=[3, 2], strides=[1, 2], pads=[2, 0, 1, 1]",
     .low = -3,
     .high = 3},
};

const TsOpClass ts_op_maxpool = {
    .name = "maxpool",
    .formula = "y[i, j, c] = max of x[s·i … s·i + k - 1, s·j … s·j + k - 1, c]",
    .category = "image",
    .doc = "The largest value of each window; the first of equals takes the gradient, NaN wins.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = ts_pool_params,
    .flags = TS_OP_SELECT,
    .inplace = -1,
    .infer = maxpool_infer,
    .partition = ts_window_partition,
    .forward = maxpool_forward,
    .backward = maxpool_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&maxpool_grad, NULL},
};
