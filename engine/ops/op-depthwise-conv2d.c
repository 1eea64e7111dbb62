/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/depthwise.h"
#include "engine/ops/op.h"

static gboolean
depthwise_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  TsDepthwiseConv c;

  if (!ts_infer_floats (node, error) || !ts_depthwise_of (node, &c, error))
    return FALSE;
  gint64 n = c.w.channels * c.multiplier;
  if (node->n_in == 3 && (node->in[2]->shape.rank != 1 || node->in[2]->shape.dim[0] != n)) {
    g_autofree char *text = ts_shape_dup_text (&node->in[2]->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "depthwise_conv2d: the bias %s must have one number for each of %" G_GINT64_FORMAT
                 " output channels",
                 text, n);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], c.w.out_h, c.w.out_w, n);
  return TRUE;
}

static gsize
depthwise_workspace (const TsNode *node)
{
  TsDepthwiseConv c;

  ts_depthwise_of (node, &c, NULL);
  return ts_depthwise_workspace (&c, node->out[0]->dtype);
}

static void
depthwise_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsDepthwiseConv c;

  ts_depthwise_of (node, &c, NULL);
  ts_depthwise_forward (call, &c, ts_window_images (call, node->in[0]), call->in[0], call->in[1],
                        node->n_in == 3 ? call->in[2] : NULL, call->out[0]);
}

static void
depthwise_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  TsDepthwiseConv c;

  ts_depthwise_of (node, &c, NULL);
  ts_depthwise_backward (e, node, &c, grad_out[0], want, grad_in);
  if (node->n_in == 3 && want[2])
    grad_in[2] = e->emit (e, "bias_grad", &grad_out[0], 1, NULL)->out[0];
}

static double
depthwise_flops (const TsNode *node, gint64 batch)
{
  const TsShape *y = &node->out[0]->shape;

  return ts_conv_flops (y->dim[1] * y->dim[2], &node->in[1]->shape, batch, y);
}

/* ---- dx: a depthwise convolution of dy with the kernel turned by 180°; with a stride or several
 * kernels a channel each pixel of dy is added to where it came from, in order */

static TsDepthwiseConv
input_conv (const TsNode *node)
{
  const TsShape *k = &node->in[1]->shape;

  return (TsDepthwiseConv){ts_conv_of_grad (node, k->dim[2], 0).w, k->dim[3]};
}

static gboolean
input_infer (TsNode *node, TsValue *out, GError **error)
{
  TsDepthwiseConv c = input_conv (node);

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (node->in[0]->shape.dim[0], c.w.in_h, c.w.in_w, c.w.channels);
  return TRUE;
}

static gboolean
is_convolution (const TsDepthwiseConv *c)
{
  return c->multiplier == 1 && c->w.stride_h == 1 && c->w.stride_w == 1;
}

/* dy's own convolution. */
static TsDepthwiseConv
back_conv (const TsDepthwiseConv *c)
{
  TsConv conv = {.w = c->w, .groups = 1, .filters = c->w.channels};

  return (TsDepthwiseConv){ts_conv_back_window (&conv), 1};
}

static gsize
input_workspace (const TsNode *node)
{
  TsDepthwiseConv c = input_conv (node), back = back_conv (&c);

  if (is_convolution (&c))
    return ts_depthwise_workspace (&back, node->out[0]->dtype) + ts_value_row_bytes (node->in[1]);
  return ts_depthwise_workspace (&c, node->out[0]->dtype);
}

static void
input_convolve (TsCall *call, const TsDepthwiseConv *c)
{
  TsDepthwiseConv back = back_conv (c);
  gint64 taps = c->w.k_h * c->w.k_w;
  gsize tap = (gsize) c->w.channels * ts_dtype_size (call->dtype);
  char *turned = (char *) call->workspace + ts_depthwise_workspace (&back, call->dtype);

  for (gint64 i = 0; i < taps; i++)
    memcpy (turned + (gsize) i * tap, (const char *) call->in[1] + (gsize) (taps - 1 - i) * tap,
            tap);
  ts_depthwise_forward (call, &back, ts_window_images (call, call->node->in[0]), call->in[0],
                        turned, NULL, call->out[0]);
}

static void
input_forward (TsCall *call)
{
  TsDepthwiseConv c = input_conv (call->node);
  gsize size = ts_dtype_size (call->dtype);
  gsize in = ts_depthwise_image_bytes (&c, size, TRUE),
        out = ts_depthwise_image_bytes (&c, size, FALSE);
  gboolean copy = ts_window_needs_copy (&c.w);

  if (is_convolution (&c)) {
    input_convolve (call, &c);
    return;
  }
  for (gint64 r = 0; r < ts_window_images (call, call->node->in[0]); r++) {
    const char *dy = (const char *) call->in[0] + (gsize) r * in;
    char *dx = (char *) call->out[0] + (gsize) r * out, *to = copy ? call->workspace : dx;
    memset (to, 0, copy ? (gsize) (c.w.padded_h * c.w.padded_w * c.w.channels) * size : out);
    for (gint64 i = 0; i < c.w.out_h; i++) {
      TsDepthwise line = ts_depthwise_line (&c, size, i, to, call->in[1], dy);
      call->k->depthwise_grad_input[call->dtype](&line);
    }
    if (copy)
      ts_window_crop (&c.w, size, to, dx);
  }
}

static const TsOpClass depthwise_grad_input = {
    .name = "depthwise_grad_input",
    .formula = "dx[s·i + d·h - p, s·j + d·w - p, c] += dy[i, j, c·M + m]·kernel[h, w, c, m]",
    .category = "image",
    .doc = "Gradient of depthwise_conv2d with respect to its image.",
    .in_names = "dy, kernel",
    .min_in = 2,
    .max_in = 2,
    .params = ts_conv_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = input_infer,
    .partition = ts_window_partition,
    .workspace = input_workspace,
    .forward = input_forward,
};

/* ---- dkernel */

static TsDepthwiseConv
kernel_conv (const TsNode *node)
{
  gint64 channels = node->in[0]->shape.dim[3];

  return (TsDepthwiseConv){ts_conv_of_grad (node, channels, 0).w,
                           node->in[1]->shape.dim[3] / channels};
}

static gboolean
kernel_infer (TsNode *node, TsValue *out, GError **error)
{
  TsDepthwiseConv c = kernel_conv (node);

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (c.w.k_h, c.w.k_w, c.w.channels, c.multiplier);
  return TRUE;
}

static TsPartition
kernel_partition (const TsNode *node)
{
  if (node->in[0]->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = ts_value_row_bytes (node->out[0])};
}

static gsize
kernel_workspace (const TsNode *node)
{
  TsDepthwiseConv c = kernel_conv (node);

  return ts_depthwise_workspace (&c, node->out[0]->dtype);
}

static void
kernel_forward (TsCall *call)
{
  TsDepthwiseConv c = kernel_conv (call->node);
  gsize size = ts_dtype_size (call->dtype);
  char *sum = call->partial ? call->partial : call->out[0];

  if (!call->accumulate)
    memset (sum, 0, ts_value_row_bytes (call->node->out[0]));
  for (gint64 r = 0; r < ts_window_images (call, call->node->in[0]); r++) {
    const char *x =
        (const char *) call->in[0] + (gsize) r * ts_depthwise_image_bytes (&c, size, FALSE);
    const char *dy =
        (const char *) call->in[1] + (gsize) r * ts_depthwise_image_bytes (&c, size, TRUE);
    const void *image = ts_depthwise_padded (call, &c.w, x);
    for (gint64 i = 0; i < c.w.out_h; i++) {
      TsDepthwise line = ts_depthwise_line (&c, size, i, image, sum, dy);
      call->k->depthwise_grad_kernel[call->dtype](&line);
    }
  }
}

static const TsOpClass depthwise_grad_kernel = {
    .name = "depthwise_grad_kernel",
    .formula = "dkernel[h, w, c, m] = sum of x[s·i + d·h - p, s·j + d·w - p, c]·dy[i, j, c·M + m]",
    .category = "image",
    .doc = "Gradient of depthwise_conv2d with respect to its kernel.",
    .in_names = "x, dy",
    .min_in = 2,
    .max_in = 2,
    .params = ts_conv_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = kernel_infer,
    .partition = kernel_partition,
    .workspace = kernel_workspace,
    .forward = kernel_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5 6 2", "f 3 2 2 2", "f 4"}, .low = -1, .high = 1},
    {.in = {"rows 5 5 3", "f 3 3 3 1"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 3 2 19", "f 2 1 19 1", "f 19"}, .params = "pad=valid", .low = -1, .high = 1},
    {.in = {"rows 1 2 72", "f 1 2 72 1"}, .low = -1, .high = 1},
    {.in = {"rows 1 9 9", "f 1 3 9 1"}, .low = -1, .high = 1},
    {.in = {"rows 1 6 17", "f 1 3 17 1"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 4 4 3", "f 3 2 3 1"},
     .params = "dilation=2, pads=[1, 2, 0, 1]",
     .low = -1,
     .high = 1},
    {.in = {"f 2 5 5 2", "f 2 3 2 3"},
     .params = "dilation=2, pads=[1, 1, 2, 2]",
     .low = -1,
     .high = 1},
};

const TsOpClass ts_op_depthwise_conv2d = {
    .name = "depthwise_conv2d",
    .formula =
        "y[i, j, c·M + m] = bias + sum of x[s·i + d·h - p, s·j + d·w - p, c]·kernel[h, w, c, m]",
    .category = "image",
    .doc = "Convolution of every channel by itself, with a kernel [height, width, channels, "
           "multiplier].",
    .in_names = "x, kernel, bias?",
    .min_in = 2,
    .max_in = 3,
    .params = ts_depthwise_params,
    .inplace = -1,
    .infer = depthwise_infer,
    .partition = ts_window_partition,
    .workspace = depthwise_workspace,
    .forward = depthwise_forward,
    .backward = depthwise_backward,
    .flops = depthwise_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&depthwise_grad_input, &depthwise_grad_kernel, NULL},
};
