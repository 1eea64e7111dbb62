/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/channels.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

static gboolean
global_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_global_pool (node, out, error))
    return FALSE;
  ts_infer_like (node, out, 1, &out[0]);
  out[1].dtype = TS_I32;
  return TRUE;
}

static void
global_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize n = (gsize) ts_channels (x), pixels = ts_global_pixels (x);
  gsize line = n * ts_dtype_size (call->dtype);

  for (gint64 r = 0; r < ts_window_images (call, x); r++)
    call->k->column_max[call->dtype]((const char *) call->in[0] + (gsize) r * pixels * line, pixels,
                                     n, (char *) call->out[0] + (gsize) r * line,
                                     (gint32 *) call->out[1] + (gsize) r * n);
}

static void
global_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0], node->out[1]};

  if (want[0] && grad_out[0])
    grad_in[0] = e->emit (e, "global_maxpool_grad", in, 3, NULL)->out[0];
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[1];
  gsize n = (gsize) ts_channels (x), pixels = ts_global_pixels (x);
  gsize size = ts_dtype_size (call->dtype);
  gint64 images = ts_window_images (call, x);
  const gint32 *index = call->in[2];
  const char *dy = call->in[0];

  memset (call->out[0], 0, (gsize) images * pixels * n * size);
  for (gint64 r = 0; r < images; r++)
    for (gsize c = 0; c < n; c++, index++, dy += size)
      memcpy ((char *) call->out[0] + (((gsize) r * pixels + (gsize) *index) * n + c) * size, dy,
              size);
}

static const TsOpClass global_maxpool_grad = {
    .name = "global_maxpool_grad",
    .formula = "dx = dy at the place of each channel's largest, else 0",
    .category = "image",
    .doc = "Gradient of global_maxpool.",
    .in_names = "dy, x, index",
    .min_in = 3,
    .max_in = 3,
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

const TsOpClass ts_op_global_maxpool = {
    .name = "global_maxpool",
    .formula = "y[c] = max over all pixels of x[i, j, c]",
    .category = "image",
    .doc =
        "One number per channel: the largest of an image or a sequence; the first of equals takes "
        "the gradient, NaN wins.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_SELECT,
    .inplace = -1,
    .infer = global_infer,
    .partition = ts_window_partition,
    .forward = global_forward,
    .backward = global_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&global_maxpool_grad, NULL},
};
