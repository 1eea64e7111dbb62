/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/conv.h"
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    TS_PARAM_STRIDE,
    {"pad", TS_PARAM_WORD, .text = "same", .words = TS_PAD_WORDS,
     .doc = "zeros around the image, none, or what pads says"},
    TS_PARAM_DILATION,
    {"groups", TS_PARAM_INT, .number = 1, .min = 1, .max = 1 << 20,
     .doc = "parts of the channels that do not see each other"},
    TS_PARAM_PADS,
    {NULL},
};

static gboolean
conv_of (const TsNode *node, TsConv *c, GError **error)
{
  const TsShape *k = &node->in[1]->shape;
  TsWindowSpec spec = ts_window_spec (&node->params);

  *c = (TsConv){.groups = node->params.v[3].i, .filters = k->rank == 4 ? k->dim[3] : 0};
  return ts_window_init (&c->w, "conv2d", &node->in[0]->shape, k->rank == 4 ? k->dim[0] : 1,
                         k->rank == 4 ? k->dim[1] : 1, &spec, error);
}

static gboolean
conv2d_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape;
  TsConv c;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank == 4 && !ts_conv_check ("conv2d", x, k, node->n_in == 3 ? node->in[2] : NULL,
                                      node->params.v[3].i, error))
    return FALSE;
  if (!conv_of (node, &c, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], c.w.out_h, c.w.out_w, c.filters);
  return TRUE;
}

static gsize
conv2d_workspace (const TsNode *node)
{
  TsConv c;

  conv_of (node, &c, NULL);
  return ts_conv_workspace (&c, node->out[0]->dtype);
}

static void
conv2d_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsConv c;

  conv_of (node, &c, NULL);
  ts_conv_forward (call, &c, ts_window_images (call, node->in[0]), call->in[0], call->in[1],
                   node->n_in == 3 ? call->in[2] : NULL, call->out[0]);
}

static void
conv2d_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsConv c;

  conv_of (node, &c, NULL);
  ts_conv_backward (e, node, &c, 2, grad_out[0], want, grad_in);
}

static double
conv2d_flops (const TsNode *node, gint64 batch)
{
  const TsShape *y = &node->out[0]->shape;

  return ts_conv_flops (y->dim[1] * y->dim[2], &node->in[1]->shape, batch, y);
}

/* ---- the turned kernel */

static gboolean
turn_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *k = &node->in[0]->shape;
  guint n = k->rank;

  if (n < 3 || k->dim[0] == TS_ANY) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "conv_turn needs a kernel with axes of taps");
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape.dim[n - 2] = k->dim[n - 1];
  out[0].shape.dim[n - 1] = k->dim[n - 2];
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
  ts_conv_turn (call, &call->node->in[0]->shape, call->begin, call->end, call->in[0], call->out[0]);
}

static const TsOpClass conv_turn = {
    .name = "conv_turn",
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

/* ---- dx */

static TsConv
input_conv (const TsNode *node)
{
  const TsShape *dy = &node->in[0]->shape, *turned = &node->in[1]->shape;

  return ts_conv_of_grad (node, turned->dim[turned->rank - 1] * node->params.v[2].i,
                          dy->dim[dy->rank - 1]);
}

static gboolean
input_infer (TsNode *node, TsValue *out, GError **error)
{
  TsConv c = input_conv (node);

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = ts_conv_shape (node->in[0]->shape.dim[0], c.w.in_h, c.w.in_w, c.w.channels,
                                ts_conv_grad_axes (node));
  return TRUE;
}

static gsize
input_workspace (const TsNode *node)
{
  TsConv c = input_conv (node);

  return ts_conv_back_workspace (&c, node->out[0]->dtype);
}

static void
input_forward (TsCall *call)
{
  TsConv c = input_conv (call->node);

  ts_conv_back (call, &c, ts_window_images (call, call->node->in[0]), call->in[0], call->in[1],
                NULL, call->out[0], call->workspace);
}

static double
input_flops (const TsNode *node, gint64 batch)
{
  TsConv c = input_conv (node);

  return ts_conv_flops (c.w.out_h * c.w.out_w, &node->in[1]->shape, batch, &node->in[0]->shape);
}

static const TsOpClass conv_grad_input = {
    .name = "conv_grad_input",
    .formula = "dx = dy convolved with the turned kernel",
    .category = "image",
    .doc = "Gradient of a convolution with respect to its image.",
    .in_names = "dy, turned kernel",
    .min_in = 2,
    .max_in = 2,
    .params = ts_conv_grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = input_infer,
    .partition = ts_window_partition,
    .workspace = input_workspace,
    .forward = input_forward,
    .flops = input_flops,
};

/* ---- dkernel */

static TsConv
kernel_conv (const TsNode *node)
{
  const TsShape *x = &node->in[0]->shape, *dy = &node->in[1]->shape;

  return ts_conv_of_grad (node, x->dim[x->rank - 1], dy->dim[dy->rank - 1]);
}

static gboolean
kernel_infer (TsNode *node, TsValue *out, GError **error)
{
  TsConv c = kernel_conv (node);
  TsShape k = TS_SHAPE (c.w.k_h, c.w.k_w, c.w.channels / c.groups, c.filters);

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = ts_conv_grad_axes (node) == 1 ? TS_SHAPE (k.dim[1], k.dim[2], k.dim[3]) : k;
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
pitched_bytes (const TsConv *c, TsDtype dtype)
{
  return ((gsize) (c->w.out_h * c->w.padded_w * c->filters) * ts_dtype_size (dtype) + 127) &
         ~(gsize) 63;
}

static gsize
kernel_workspace (const TsNode *node)
{
  TsConv c = kernel_conv (node);

  return ts_window_padded_bytes (&c.w, node->out[0]->dtype) +
         pitched_bytes (&c, node->out[0]->dtype);
}

static void
kernel_of_pitched (const TsCall *call, const TsConv *c, const char *x, const char *dy,
                   char *pitched, char *sum, gboolean accumulate)
{
  const TsWindow *w = &c->w;
  gsize size = ts_dtype_size (call->dtype), line = (gsize) (w->out_w * c->filters) * size;
  gsize wide = (gsize) (w->padded_w * c->filters) * size;
  TsGemm g = {.m = w->k_w * w->channels,
              .n = c->filters,
              .k = (w->out_h - 1) * w->padded_w + w->out_w,
              .segments = 1,
              .a_row = 1,
              .a_col = w->channels,
              .b = pitched,
              .b_row = c->filters,
              .c_row = c->filters,
              .accumulate = accumulate};

  for (gint64 i = 0; i < w->out_h; i++) {
    memcpy (pitched + (gsize) i * wide, dy + (gsize) i * line, line);
    memset (pitched + (gsize) i * wide + line, 0, wide - line);
  }
  for (gint64 r = 0; r < w->k_h; r++) {
    g.a = x + (gsize) (r * w->padded_w * w->channels) * size;
    g.c = sum + (gsize) (r * g.m * c->filters) * size;
    call->k->gemm[call->dtype](&g);
  }
}

/* One product per kernel row (dilated or grouped: per tap) over strided pixels, a line of dy a
 * segment. */
static void
kernel_of_strided (const TsCall *call, const TsConv *c, const char *x, const char *dy, char *sum,
                   gboolean accumulate)
{
  const TsWindow *w = &c->w;
  gsize size = ts_dtype_size (call->dtype);
  gboolean lines = w->dilation == 1 && c->groups == 1;
  gint64 pitch = w->padded_w * w->channels, n = c->filters, c_in = w->channels / c->groups;
  TsGemm g = {.m = lines ? w->k_w * w->channels : c_in,
              .n = n / c->groups,
              .k = w->out_w,
              .segments = w->out_h,
              .a_row = 1,
              .a_col = w->stride_w * w->channels,
              .a_segment = w->stride_h * pitch,
              .b_row = n,
              .c_row = n,
              .accumulate = accumulate};

  for (gint64 r = 0; r < w->k_h; r++)
    for (gint64 s = 0; s < (lines ? 1 : w->k_w); s++)
      for (gint64 part = 0; part < c->groups; part++) {
        g.a = x + (gsize) (r * w->dilation * pitch + s * w->dilation * w->channels + part * c_in) *
                      size;
        g.b = dy + (gsize) (part * g.n) * size;
        g.c = sum + (gsize) ((r * w->k_w + s) * c_in * n + part * g.n) * size;
        call->k->gemm[call->dtype](&g);
      }
}

static void
kernel_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsConv c = kernel_conv (node);
  const TsWindow *w = &c.w;
  gsize size = ts_dtype_size (call->dtype), in = (gsize) (w->in_h * w->in_w * w->channels) * size;
  gsize out = (gsize) (w->out_h * w->out_w * c.filters) * size;
  char *pitched = (char *) call->workspace + ts_window_padded_bytes (w, call->dtype);
  char *sum = call->partial ? call->partial : call->out[0];
  TsConv3 g;
  gboolean three = ts_conv_is_three (call, w, c.groups, c.filters, &g);

  if (three && !call->accumulate)
    memset (sum, 0, (gsize) ts_shape_elems (&node->out[0]->shape) * size);
  for (gint64 r = 0; r < ts_window_images (call, node->in[0]); r++) {
    const char *x = (const char *) call->in[0] + (gsize) r * in;
    const char *dy = (const char *) call->in[1] + (gsize) r * out;
    if (three) {
      g.x = x, g.y = (char *) dy, g.dk = sum;
      call->k->conv3_grad_kernel[call->dtype](&g);
      continue;
    }
    if (ts_window_needs_copy (w)) {
      ts_window_pad (w, size, x, call->workspace);
      x = call->workspace;
    }
    if (w->stride_h == 1 && w->stride_w == 1 && w->dilation == 1 && c.groups == 1)
      kernel_of_pitched (call, &c, x, dy, pitched, sum, call->accumulate || r > 0);
    else
      kernel_of_strided (call, &c, x, dy, sum, call->accumulate || r > 0);
  }
}

static double
kernel_flops (const TsNode *node, gint64 batch)
{
  TsConv c = kernel_conv (node);

  return ts_conv_flops (c.w.out_h * c.w.out_w, &node->out[0]->shape, batch, &node->in[1]->shape);
}

static const TsOpClass conv_grad_kernel = {
    .name = "conv_grad_kernel",
    .formula = "dkernel[h, w, c, o] = sum over images and pixels of x[i + h, j + w, c]·dy[i, j, o]",
    .category = "image",
    .doc = "Gradient of a convolution with respect to its kernel.",
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
    .flops = kernel_flops,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3 4 2", "f 2 3 2 8", "f 8"}, .low = -1, .high = 1}, /* whole vectors of filters */
    {.in = {"f 2 2 4 8", "f 2 3 8 8"}, .params = "pads=[1, 0, 2, 1]", .low = -1, .high = 1},
    {.in = {"rows 6 5 2", "f 3 3 2 4", "f 4"}, .low = -1, .high = 1},
    {.in = {"rows 5 6 3", "f 3 2 3 4"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 7 7 2", "f 3 3 2 3"}, .params = "dilation=2", .low = -1, .high = 1},
    {.in = {"rows 5 6 1", "f 2 3 1 17"}, .params = "pad=valid", .low = -1, .high = 1},
    {.in = {"f 3 5 5 2", "f 3 3 2 4", "f 4"}, .low = -1, .high = 1},
    {.in = {"rows 6 7 2", "f 5 4 2 3"}, .params = "stride=3", .low = -1, .high = 1},
    {.in = {"rows 6 5 3", "f 1 1 3 4", "f 4"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 6 5 3", "f 1 1 3 4"}, .low = -1, .high = 1},
    {.in = {"rows 4 5 4", "f 3 2 2 6", "f 6"}, .params = "groups=2", .low = -1, .high = 1},
    {.in = {"f 2 5 6 2", "f 3 3 2 3"},
     .params = "stride=2, pads=[2, 0, 1, 2]",
     .low = -1,
     .high = 1},
    {.in = {"rows 6 6 4", "f 3 3 2 2"},
     .params = "groups=2, stride=2, dilation=2, pads=[2, 2, 2, 2]",
     .low = -1,
     .high = 1},
};

const TsOpClass ts_op_conv2d = {
    .name = "conv2d",
    .formula =
        "y[i, j, o] = bias[o] + sum of x[s·i + d·h - p, s·j + d·w - p, c]·kernel[h, w, c, o]",
    .category = "image",
    .doc = "Convolution of images [height, width, channels] with a kernel [height, width, in / "
           "groups, out].",
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
    .parts = (const TsOpClass *const[]){&conv_turn, &conv_grad_input, &conv_grad_kernel, NULL},
};
