/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/op.h"
#include "engine/ops/window.h"

/* NHWC images, HWIO kernels.  A line of output pixels is one matrix product whose K runs over kernel
 * rows (segments) of k_w·C neighbouring values: no im2col.  The gradients are products of the same
 * kind: dx with the kernel turned by 180° and its channels swapped (a derived copy), dkernel as a sum
 * over slots of one strided product per kernel row and image. */

static const TsParamSpec params[] = {
    {"stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between windows"},
    {"pad", TS_PARAM_WORD, .text = "same", .words = "same|valid",
     .doc = "zeros around the image, or none"},
    {"dilation", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between taps"},
    {NULL},
};

/* For the gradients: also what the forward shapes were. */
static const TsParamSpec grad_params[] = {
    {"stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between windows"},
    {"pad", TS_PARAM_WORD, .text = "same", .words = "same|valid",
     .doc = "zeros around the image, or none"},
    {"dilation", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between taps"},
    {"size", TS_PARAM_SHAPE, .doc = "image height and width, kernel height and width"},
    {NULL},
};

static gboolean
window_of (const TsNode *node, const TsShape *x, gint64 k_h, gint64 k_w, TsWindow *w,
           GError **error)
{
  const TsParams *p = &node->params;

  return ts_window_init (w, "conv2d", x, k_h, k_w, p->v[0].i, p->v[2].i, p->v[1].s[0] == 's',
                         error);
}

/* The forward window of a gradient node, from input 0 or the sizes it was given. */
static TsWindow
grad_window (const TsNode *node, gint64 channels)
{
  const gint64 *size = node->params.v[3].list;
  TsShape x = TS_SHAPE (TS_ANY, size[0], size[1], channels);
  TsWindow w;

  window_of (node, &x, size[2], size[3], &w, NULL);
  return w;
}

static gboolean
conv2d_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape;
  TsWindow w;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (k->rank != 4 || (x->rank == 4 && k->dim[2] != x->dim[3]) ||
      (node->n_in == 3 &&
       (node->in[2]->shape.rank != 1 || node->in[2]->shape.dim[0] != k->dim[3]))) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tk = ts_shape_dup_text (k);
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
        "conv2d: the kernel %s does not fit the image %s; it must be (height, width, channels "
        "in, channels out)",
        tk, tx);
    return FALSE;
  }
  if (!window_of (node, x, k->dim[0], k->dim[1], &w, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], w.out_h, w.out_w, k->dim[3]);
  return TRUE;
}

/* out[line of n_x pixels, n] (+)= padded image (stride between pixels, rows of taps) · kernel */
static void
convolve (const TsCall *call, const TsWindow *w, const char *padded, const void *kernel,
          const void *bias, gint64 n, char *out)
{
  gsize size = ts_dtype_size (call->dtype);
  gint64 line = w->padded_w * w->channels;
  TsGemm g = {.m = w->out_w,
              .n = n,
              .k = w->k_w * w->channels,
              .segments = w->k_h,
              .a_row = w->stride * w->channels,
              .a_col = 1,
              .a_segment = w->dilation * line,
              .b = kernel,
              .b_row = n,
              .bias = bias,
              .c_row = n};

  for (gint64 i = 0; i < w->out_h; i++) {
    g.c = out + (gsize) (i * w->out_w * n) * size;
    g.a = padded + (gsize) (i * w->stride * line) * size;
    if (w->dilation == 1) {
      call->k->gemm[call->dtype](&g);
      continue;
    }
    for (gint64 r = 0; r < w->k_h;
         r++) { /* taps apart: one product per kernel row, a tap a segment */
      TsGemm part = g;
      part.k = w->channels;
      part.segments = w->k_w;
      part.a_segment = w->dilation * w->channels;
      part.a = (const char *) g.a + (gsize) (r * w->dilation * line) * size;
      part.b = (const char *) kernel + (gsize) (r * w->k_w * w->channels * n) * size;
      part.accumulate = r > 0;
      call->k->gemm[call->dtype](&part);
    }
  }
}

static gsize
padded_bytes (const TsWindow *w, TsDtype dtype)
{
  return ((gsize) (w->padded_h * w->padded_w * w->channels) * ts_dtype_size (dtype) + 127) &
         ~(gsize) 63;
}

static gboolean
needs_copy (const TsWindow *w)
{
  return w->padded_h != w->in_h || w->padded_w != w->in_w || w->pad_top || w->pad_left;
}

static gsize
conv2d_workspace (const TsNode *node)
{
  const TsShape *k = &node->in[1]->shape;
  TsWindow w;

  window_of (node, &node->in[0]->shape, k->dim[0], k->dim[1], &w, NULL);
  return padded_bytes (&w, node->out[0]->dtype);
}

static void
conv2d_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsShape *k = &node->in[1]->shape;
  gsize in = 0,
        out = (gsize) ts_shape_row_elems (&node->out[0]->shape) * ts_dtype_size (call->dtype);
  TsWindow w;

  window_of (node, &node->in[0]->shape, k->dim[0], k->dim[1], &w, NULL);
  in = (gsize) (w.in_h * w.in_w * w.channels) * ts_dtype_size (call->dtype);
  for (gint64 r = 0; r < ts_window_images (call, node->in[0]); r++) {
    const char *x = (const char *) call->in[0] + (gsize) r * in;
    if (needs_copy (&w)) {
      ts_window_pad (&w, ts_dtype_size (call->dtype), x, call->workspace);
      x = call->workspace;
    }
    convolve (call, &w, x, call->in[1], node->n_in == 3 ? call->in[2] : NULL, k->dim[3],
              (char *) call->out[0] + (gsize) r * out);
  }
}

static void
conv2d_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape;
  TsValue *dy = grad_out[0];
  TsParams p;

  ts_params_init (&p, grad_params);
  for (guint i = 0; i < 3; i++)
    p.v[i] = node->params.v[i];
  ts_params_set_list (&p, "size", (gint64[]){x->dim[1], x->dim[2], k->dim[0], k->dim[1]}, 4, NULL);
  if (want[0]) {
    TsValue *in[] = {dy, e->derive (e, "conv2d_turn", node->in[1])};
    grad_in[0] = e->emit (e, "conv2d_grad_input", in, 2, &p)->out[0];
  }
  if (want[1]) {
    TsValue *in[] = {node->in[0], dy};
    grad_in[1] = e->emit (e, "conv2d_grad_kernel", in, 2, &p)->out[0];
  }
  if (node->n_in == 3 && want[2])
    grad_in[2] = e->emit (e, "bias_grad", &dy, 1, NULL)->out[0];
}

static double
taps (gint64 pixels, const TsShape *kernel, gint64 batch, const TsShape *image)
{
  gint64 n = image->dim[0] == TS_ANY ? batch : image->dim[0];

  return 2.0 * (double) n * (double) pixels * (double) ts_shape_elems (kernel);
}

static double
conv2d_flops (const TsNode *node, gint64 batch)
{
  const TsShape *y = &node->out[0]->shape;

  return taps (y->dim[1] * y->dim[2], &node->in[1]->shape, batch, y);
}

/* ---- the turned kernel: [k_h, k_w, in, out] -> [k_h, k_w, out, in], both axes reversed */

static gboolean
turn_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *k = &node->in[0]->shape;

  ts_infer_like (node, out, 0, node->in[0]);
  if (k->rank != 4 || k->dim[0] == TS_ANY) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "conv2d_turn needs a kernel of rank 4");
    return FALSE;
  }
  out[0].shape = TS_SHAPE (k->dim[0], k->dim[1], k->dim[3], k->dim[2]);
  return TRUE;
}

/* Cut like the kernel in the optimizer's update: by lines of output channels. */
static TsPartition
turn_partition (const TsNode *node)
{
  TsPartition p = {.kind = TS_PART_BLOCKS, .cut_in = 1};

  ts_value_units (node->in[0], &p.extent, &p.unit_elems);
  return p;
}

static void
turn_forward (TsCall *call)
{
  const TsShape *k = &call->node->in[0]->shape;
  gint64 taps_n = k->dim[0] * k->dim[1], in = k->dim[2], out = k->dim[3];
  gsize size = ts_dtype_size (call->dtype);

  for (gint64 unit = call->begin; unit < call->end; unit++) {
    gint64 tap = unit / in, c = unit % in;
    const char *from = (const char *) call->in[0] + (gsize) ((unit - call->begin) * out) * size;
    char *to = (char *) call->out[0] + (gsize) ((taps_n - 1 - tap) * out * in + c) * size;
    call->k->transpose[call->dtype](from, (gsize) out, 1, (gsize) out, to, (gsize) in);
  }
}

static const TsOpClass conv2d_turn = {
    .name = "conv2d_turn",
    .formula = "y[i, j, o, c] = kernel[h - 1 - i, w - 1 - j, c, o]",
    .category = "image",
    .doc = "The kernel that convolves the gradient back to the image.",
    .in_names = "kernel",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = turn_infer,
    .partition = turn_partition,
    .forward = turn_forward,
};

/* ---- dx: dy with stride - 1 zeros between its pixels, convolved with the turned kernel */

static TsWindow
spread_window (const TsNode *node)
{
  TsWindow w = grad_window (node, node->in[1]->shape.dim[3]);
  TsWindow back = {.channels = node->in[0]->shape.dim[3],
                   .k_h = w.k_h,
                   .k_w = w.k_w,
                   .stride = 1,
                   .dilation = w.dilation,
                   .out_h = w.in_h,
                   .out_w = w.in_w};

  back.pad_top = (w.k_h - 1) * w.dilation - w.pad_top;
  back.pad_left = (w.k_w - 1) * w.dilation - w.pad_left;
  back.padded_h = w.in_h + (w.k_h - 1) * w.dilation;
  back.padded_w = w.in_w + (w.k_w - 1) * w.dilation;
  back.in_h = w.out_h;
  back.in_w = w.out_w;
  return back;
}

static gboolean
input_infer (TsNode *node, TsValue *out, GError **error)
{
  const gint64 *size = node->params.v[3].list;

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (node->in[0]->shape.dim[0], size[0], size[1], node->in[1]->shape.dim[3]);
  return TRUE;
}

static gsize
input_workspace (const TsNode *node)
{
  TsWindow back = spread_window (node);

  return padded_bytes (&back, node->out[0]->dtype);
}

static void
input_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsWindow back = spread_window (node);
  gint64 stride = node->params.v[0].i, channels = node->out[0]->shape.dim[3];
  gsize size = ts_dtype_size (call->dtype), pixel = (gsize) back.channels * size;
  gsize in = (gsize) (back.in_h * back.in_w) * pixel;
  gsize out = (gsize) (back.out_h * back.out_w * channels) * size;

  for (gint64 r = 0; r < ts_window_images (call, node->in[0]); r++) {
    const char *dy = (const char *) call->in[0] + (gsize) r * in;
    memset (call->workspace, 0, (gsize) (back.padded_h * back.padded_w) * pixel);
    for (gint64 i = 0; i < back.in_h; i++) {
      char *line = (char *) call->workspace +
                   (gsize) ((i * stride + back.pad_top) * back.padded_w + back.pad_left) * pixel;
      const char *from = dy + (gsize) (i * back.in_w) * pixel;
      if (stride == 1)
        memcpy (line, from, (gsize) back.in_w * pixel);
      else
        for (gint64 j = 0; j < back.in_w; j++)
          memcpy (line + (gsize) (j * stride) * pixel, from + (gsize) j * pixel, pixel);
    }
    convolve (call, &back, call->workspace, call->in[1], NULL, channels,
              (char *) call->out[0] + (gsize) r * out);
  }
}

static double
input_flops (const TsNode *node, gint64 batch)
{
  const TsShape *dy = &node->in[0]->shape;

  return taps (dy->dim[1] * dy->dim[2], &node->in[1]->shape, batch, dy);
}

static const TsOpClass conv2d_grad_input = {
    .name = "conv2d_grad_input",
    .formula = "dx = dy convolved with the turned kernel",
    .category = "image",
    .doc = "Gradient of conv2d with respect to its image.",
    .in_names = "dy, turned kernel",
    .min_in = 2,
    .max_in = 2,
    .params = grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = input_infer,
    .partition = ts_window_partition,
    .workspace = input_workspace,
    .forward = input_forward,
    .flops = input_flops,
};

/* ---- dkernel */

static gboolean
kernel_infer (TsNode *node, TsValue *out, GError **error)
{
  const gint64 *size = node->params.v[3].list;

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (size[2], size[3], node->in[0]->shape.dim[3], node->in[1]->shape.dim[3]);
  return TRUE;
}

static TsPartition
kernel_partition (const TsNode *node)
{
  const TsValue *k = node->out[0];

  if (node->in[0]->kind != TS_VALUE_ROWS)
    return ts_partition_whole (node);
  return (TsPartition){.kind = TS_PART_SLOTS,
                       .partial_bytes =
                           (gsize) ts_shape_elems (&k->shape) * ts_dtype_size (k->dtype)};
}

/* Lines of dy on the padded image's pitch: the products then run over all pixels in one go, and the
 * zeros between the lines take away what would wrap around. */
static gsize
pitched_bytes (const TsWindow *w, gint64 channels, TsDtype dtype)
{
  return ((gsize) (w->out_h * w->padded_w * channels) * ts_dtype_size (dtype) + 127) & ~(gsize) 63;
}

static gsize
kernel_workspace (const TsNode *node)
{
  TsWindow w = grad_window (node, node->in[0]->shape.dim[3]);

  return padded_bytes (&w, node->out[0]->dtype) +
         pitched_bytes (&w, node->in[1]->shape.dim[3], node->out[0]->dtype);
}

static void
kernel_of_image (const TsCall *call, const TsWindow *w, const char *x, const char *dy,
                 char *pitched, gint64 n, char *sum, gboolean accumulate)
{
  gsize size = ts_dtype_size (call->dtype), line = (gsize) (w->out_w * n) * size;
  gint64 pitch = w->padded_w * w->channels;
  TsGemm g = {.m = w->k_w * w->channels,
              .n = n,
              .segments = 1,
              .a_row = 1,
              .a_col = w->stride * w->channels,
              .b_row = n,
              .c_row = n,
              .accumulate = accumulate};

  if (w->stride == 1 && w->dilation == 1) {
    gsize wide = (gsize) (w->padded_w * n) * size;
    for (gint64 i = 0; i < w->out_h; i++) {
      memcpy (pitched + (gsize) i * wide, dy + (gsize) i * line, line);
      memset (pitched + (gsize) i * wide + line, 0, wide - line);
    }
    g.k = (w->out_h - 1) * w->padded_w + w->out_w;
    g.b = pitched;
    for (gint64 r = 0; r < w->k_h; r++) {
      g.a = x + (gsize) (r * pitch) * size;
      g.c = sum + (gsize) (r * g.m * n) * size;
      call->k->gemm[call->dtype](&g);
    }
    return;
  }
  g.m = w->channels;
  g.k = w->out_w;
  for (gint64 i = 0; i < w->out_h; i++)
    for (gint64 r = 0; r < w->k_h; r++)
      for (gint64 s = 0; s < w->k_w; s++) {
        g.a = x +
              (gsize) ((i * w->stride + r * w->dilation) * pitch + s * w->dilation * w->channels) *
                  size;
        g.b = dy + (gsize) i * line;
        g.c = sum + (gsize) ((r * w->k_w + s) * w->channels * n) * size;
        g.accumulate = accumulate || i > 0;
        call->k->gemm[call->dtype](&g);
      }
}

static void
kernel_forward (TsCall *call)
{
  const TsNode *node = call->node;
  gint64 n = node->in[1]->shape.dim[3];
  TsWindow w = grad_window (node, node->in[0]->shape.dim[3]);
  gsize size = ts_dtype_size (call->dtype), in = (gsize) (w.in_h * w.in_w * w.channels) * size;
  gsize out = (gsize) (w.out_h * w.out_w * n) * size;
  char *pitched = (char *) call->workspace + padded_bytes (&w, call->dtype);
  char *sum = call->partial ? call->partial : call->out[0];

  for (gint64 r = 0; r < ts_window_images (call, node->in[0]); r++) {
    const char *x = (const char *) call->in[0] + (gsize) r * in;
    if (needs_copy (&w)) {
      ts_window_pad (&w, size, x, call->workspace);
      x = call->workspace;
    }
    kernel_of_image (call, &w, x, (const char *) call->in[1] + (gsize) r * out, pitched, n, sum,
                     call->accumulate || r > 0);
  }
}

static double
kernel_flops (const TsNode *node, gint64 batch)
{
  const TsShape *dy = &node->in[1]->shape;

  return taps (dy->dim[1] * dy->dim[2], &node->out[0]->shape, batch, dy);
}

static const TsOpClass conv2d_grad_kernel = {
    .name = "conv2d_grad_kernel",
    .formula = "dkernel[h, w, c, o] = sum over images and pixels of x[i + h, j + w, c]·dy[i, j, o]",
    .category = "image",
    .doc = "Gradient of conv2d with respect to its kernel.",
    .in_names = "x, dy",
    .min_in = 2,
    .max_in = 2,
    .params = grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = kernel_infer,
    .partition = kernel_partition,
    .workspace = kernel_workspace,
    .forward = kernel_forward,
    .flops = kernel_flops,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6 5 2", "f 3 3 2 4", "f 4"}, .low = -1, .high = 1},
    {.in = {"rows 5 6 3", "f 3 2 3 4"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 7 7 2", "f 3 3 2 3"}, .params = "dilation=2", .low = -1, .high = 1},
    {.in = {"rows 5 6 1", "f 2 3 1 17"}, .params = "pad=valid", .low = -1, .high = 1},
    {.in = {"f 3 5 5 2", "f 3 3 2 4", "f 4"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_conv2d = {
    .name = "conv2d",
    .formula =
        "y[i, j, o] = bias[o] + sum of x[s·i + d·h - p, s·j + d·w - p, c]·kernel[h, w, c, o]",
    .category = "image",
    .doc =
        "Convolution of images [height, width, channels] with a kernel [height, width, in, out].",
    .in_names = "x, kernel, bias?",
    .min_in = 2,
    .max_in = 3,
    .params = params,
    .inplace = -1,
    .infer = conv2d_infer,
    .partition = ts_window_partition,
    .workspace = conv2d_workspace,
    .forward = conv2d_forward,
    .backward = conv2d_backward,
    .flops = conv2d_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts =
        (const TsOpClass *const[]){&conv2d_turn, &conv2d_grad_input, &conv2d_grad_kernel, NULL},
};
