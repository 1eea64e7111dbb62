/* SPDX-License-Identifier: MIT */
#include "engine/ops/depthwise.h"

const TsParamSpec ts_depthwise_params[] = {
    TS_PARAM_STRIDE,
    {"pad", TS_PARAM_WORD, .text = "same", .words = TS_PAD_WORDS,
     .doc = "zeros around the image, none, or what pads says"},
    TS_PARAM_DILATION,
    TS_PARAM_PADS,
    {NULL},
};

gboolean
ts_depthwise_of (const TsNode *node, TsDepthwiseConv *c, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape;
  TsWindowSpec spec = ts_window_spec (&node->params);

  if (x->rank == 4 && (k->rank != 4 || k->dim[2] != x->dim[3])) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tk = ts_shape_dup_text (k);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the kernel %s does not fit the image %s; it must be (height, width, "
                 "channels, multiplier)",
                 node->op->name, tk, tx);
    return FALSE;
  }
  if (!ts_window_check (node->op->name, x, k, error))
    return FALSE;
  c->multiplier = k->rank == 4 ? k->dim[3] : 1;
  return ts_window_init (&c->w, node->op->name, x, k->rank == 4 ? k->dim[0] : 1,
                         k->rank == 4 ? k->dim[1] : 1, &spec, error);
}

gsize
ts_depthwise_workspace (const TsDepthwiseConv *c, TsDtype dtype)
{
  return ts_window_padded_bytes (&c->w, dtype);
}

TsDepthwise
ts_depthwise_line (const TsDepthwiseConv *c, gsize size, gint64 i, const void *x,
                   const void *kernel, const void *y)
{
  const TsWindow *w = &c->w;
  gint64 line = w->padded_w * w->channels;

  return (TsDepthwise){
      .pixels = w->out_w,
      .channels = w->channels,
      .multiplier = c->multiplier,
      .k_h = w->k_h,
      .k_w = w->k_w,
      .pixel = w->stride_w * w->channels,
      .tap_row = w->dilation * line,
      .tap_col = w->dilation * w->channels,
      .x = (char *) x + (gsize) (i * w->stride_h * line) * size,
      .k = (void *) kernel,
      .y = (char *) y + (gsize) (i * w->out_w * w->channels * c->multiplier) * size,
  };
}

gsize
ts_depthwise_image_bytes (const TsDepthwiseConv *c, gsize size, gboolean out)
{
  const TsWindow *w = &c->w;

  return (gsize) (out ? w->out_h * w->out_w * w->channels * c->multiplier
                      : w->in_h * w->in_w * w->channels) *
         size;
}

const void *
ts_depthwise_padded (const TsCall *call, const TsWindow *w, const void *image)
{
  if (!ts_window_needs_copy (w))
    return image;
  ts_window_pad (w, ts_dtype_size (call->dtype), image, call->workspace);
  return call->workspace;
}

void
ts_depthwise_forward (const TsCall *call, const TsDepthwiseConv *c, gint64 images, const void *x,
                      const void *kernel, const void *bias, void *y)
{
  gsize size = ts_dtype_size (call->dtype);

  for (gint64 r = 0; r < images; r++) {
    const void *image = ts_depthwise_padded (
        call, &c->w, (const char *) x + r * ts_depthwise_image_bytes (c, size, 0));
    char *to = (char *) y + r * ts_depthwise_image_bytes (c, size, TRUE);
    for (gint64 i = 0; i < c->w.out_h; i++) {
      TsDepthwise line = ts_depthwise_line (c, size, i, image, kernel, to);
      line.bias = bias;
      call->k->depthwise[call->dtype](&line);
    }
  }
}

/* ---- gradients: their parameters are those of the convolutions' */

void
ts_depthwise_backward (TsEmitter *e, TsNode *node, const TsDepthwiseConv *c, TsValue *dy,
                       const gboolean *want, TsValue **grad_in)
{
  TsConv conv = {.w = c->w, .groups = 1};
  TsParams p;

  ts_conv_set_grad_params (&p, &conv, 2);
  if (want[0]) {
    TsValue *in[] = {dy, node->in[1]};
    grad_in[0] = e->emit (e, "depthwise_grad_input", in, 2, &p)->out[0];
  }
  if (want[1]) {
    TsValue *in[] = {node->in[0], dy};
    grad_in[1] = e->emit (e, "depthwise_grad_kernel", in, 2, &p)->out[0];
  }
}
