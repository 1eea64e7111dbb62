/* SPDX-License-Identifier: MIT */
#include "engine/ops/conv.h"

#include <string.h>

const TsParamSpec ts_conv_grad_params[] = {
    TS_PARAM_STRIDE,
    TS_PARAM_DILATION,
    {"groups", TS_PARAM_INT, .number = 1, .min = 1, .max = 1 << 20,
     .doc = "parts of the channels that do not see each other"},
    TS_PARAM_PADS,
    {"size", TS_PARAM_SHAPE, .doc = "size of the image and of the kernel"},
    {NULL},
};

void
ts_conv_set_grad_params (TsParams *p, const TsConv *c, guint axes)
{
  const TsWindow *w = &c->w;
  gint64 size[] = {w->in_h, w->in_w, w->k_h, w->k_w}, flat[] = {w->in_w, w->k_w};

  ts_params_init (p, ts_conv_grad_params);
  ts_params_set_number (p, "stride", (double) w->stride_w, NULL);
  ts_params_set_number (p, "dilation", (double) w->dilation, NULL);
  ts_params_set_number (p, "groups", (double) c->groups, NULL);
  ts_params_set_list (p, "pads", (gint64[]){w->pad_top, w->pad_bottom, w->pad_left, w->pad_right},
                      4, NULL);
  ts_params_set_list (p, "size", axes == 1 ? flat : size, axes * 2, NULL);
}

guint
ts_conv_grad_axes (const TsNode *node)
{
  return node->params.v[4].n_list / 2;
}

TsConv
ts_conv_of_grad (const TsNode *node, gint64 channels, gint64 filters)
{
  const gint64 *s = node->params.v[4].list;
  gboolean flat = ts_conv_grad_axes (node) == 1;
  TsShape x = TS_SHAPE (TS_ANY, flat ? 1 : s[0], flat ? s[0] : s[1], channels);
  TsWindowSpec spec = ts_window_spec (&node->params);
  TsConv c = {.groups = node->params.v[2].i, .filters = filters};

  if (!ts_window_init (&c.w, node->op->name, &x, flat ? 1 : s[2], flat ? s[1] : s[3], &spec, NULL))
    g_assert_not_reached ();
  return c;
}

TsShape
ts_conv_image (const TsShape *x)
{
  return x->rank == 3 ? TS_SHAPE (x->dim[0], 1, x->dim[1], x->dim[2]) : *x;
}

TsShape
ts_conv_shape (gint64 batch, gint64 h, gint64 w, gint64 channels, guint axes)
{
  return axes == 1 ? TS_SHAPE (batch, w, channels) : TS_SHAPE (batch, h, w, channels);
}

gboolean
ts_conv_check (const char *op, const TsShape *x, const TsShape *k, const TsValue *bias,
               gint64 groups, GError **error)
{
  guint rank = x->rank;
  gint64 filters = k->rank ? k->dim[k->rank - 1] : 0;

  if (k->rank != rank || k->dim[rank - 2] * groups != x->dim[rank - 1] || filters % groups != 0 ||
      (bias && (bias->shape.rank != 1 || bias->shape.dim[0] != filters))) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tk = ts_shape_dup_text (k);
    g_autofree char *split =
        groups > 1 ? g_strdup_printf (" in %" G_GINT64_FORMAT " groups", groups) : g_strdup ("");
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the kernel %s does not fit the %s %s%s; it must be (%s, channels in%s, "
                 "channels out)",
                 op, tk, rank == 3 ? "sequence" : "image", tx, split,
                 rank == 3 ? "width" : "height, width", groups > 1 ? " / groups" : "");
    return FALSE;
  }
  return ts_window_check (op, x, k, error);
}

/* Products of single taps, group by group: the channels of a group are no line of neighbours. */
static void
convolve_groups (const TsCall *call, const TsWindow *w, gint64 groups, const char *padded,
                 const char *kernel, gint64 b_row, gint64 b_group, const char *bias, gint64 n,
                 char *out)
{
  gsize size = ts_dtype_size (call->dtype);
  gint64 c_in = w->channels / groups, c_out = n / groups;
  TsGemm g = {.m = w->out_w,
              .n = c_out,
              .k = c_in,
              .segments = 1,
              .a_row = w->stride_w * w->channels,
              .a_col = 1,
              .b_row = b_row,
              .c_row = n};

  for (gint64 i = 0; i < w->out_h; i++)
    for (gint64 part = 0; part < groups; part++)
      for (gint64 tap = 0; tap < w->k_h * w->k_w; tap++) {
        gint64 y = i * w->stride_h + tap / w->k_w * w->dilation, x = tap % w->k_w * w->dilation;
        g.a = padded + (gsize) ((y * w->padded_w + x) * w->channels + part * c_in) * size;
        g.b = kernel + (gsize) (tap * c_in * n + part * b_group) * size;
        g.bias = bias ? bias + (gsize) (part * c_out) * size : NULL;
        g.c = out + (gsize) (i * w->out_w * n + part * c_out) * size;
        g.accumulate = tap > 0;
        call->k->gemm[call->dtype](&g);
      }
}

/* out[line of n_x pixels, n] (+)= padded image (stride between pixels, rows of taps) · kernel */
static void
convolve (const TsCall *call, const TsWindow *w, const char *padded, const void *kernel,
          const void *bias, gint64 n, char *out)
{
  gsize size = ts_dtype_size (call->dtype);
  gint64 line = w->padded_w * w->channels, lines = w->out_h;
  TsGemm g = {.m = w->out_w,
              .n = n,
              .k = w->k_w * w->channels,
              .segments = w->k_h,
              .a_row = w->stride_w * w->channels,
              .a_col = 1,
              .a_segment = w->dilation * line,
              .b = kernel,
              .b_row = n,
              .bias = bias,
              .c_row = n};

  if (w->k_h * w->k_w == 1 && w->stride_h == 1 && w->stride_w == 1 && w->padded_w == w->out_w) {
    g.m *= lines; /* a matrix product over all pixels */
    lines = 1;
  }
  for (gint64 i = 0; i < lines; i++) {
    g.c = out + (gsize) (i * w->out_w * n) * size;
    g.a = padded + (gsize) (i * w->stride_h * line) * size;
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

gboolean
ts_conv_is_three (const TsCall *call, const TsWindow *w, gint64 groups, gint64 filters, TsConv3 *g)
{
  *g = (TsConv3){.in_h = w->in_h,
                 .in_w = w->in_w,
                 .out_h = w->out_h,
                 .out_w = w->out_w,
                 .top = w->pad_top,
                 .left = w->pad_left,
                 .k_h = w->k_h,
                 .channels = w->channels,
                 .filters = filters};
  return w->k_w == 3 && w->stride_h == 1 && w->stride_w == 1 && w->dilation == 1 && groups == 1 &&
         filters % call->k->lanes[call->dtype] == 0;
}

gsize
ts_conv_workspace (const TsConv *c, TsDtype dtype)
{
  return ts_window_padded_bytes (&c->w, dtype);
}

void
ts_conv_forward (const TsCall *call, const TsConv *c, gint64 images, const void *x,
                 const void *kernel, const void *bias, void *y)
{
  const TsWindow *w = &c->w;
  gsize size = ts_dtype_size (call->dtype);
  gsize in = (gsize) (w->in_h * w->in_w * w->channels) * size;
  gsize out = (gsize) (w->out_h * w->out_w * c->filters) * size;
  TsConv3 g;
  gboolean three = ts_conv_is_three (call, w, c->groups, c->filters, &g);

  for (gint64 r = 0; r < images; r++) {
    const char *image = (const char *) x + (gsize) r * in;
    char *to = (char *) y + (gsize) r * out;
    if (three) {
      g.x = image, g.k = kernel, g.bias = bias, g.y = to;
      call->k->conv3[call->dtype](&g);
      continue;
    }
    if (ts_window_needs_copy (w)) {
      ts_window_pad (w, size, image, call->workspace);
      image = call->workspace;
    }
    if (c->groups == 1)
      convolve (call, w, image, kernel, bias, c->filters, to);
    else
      convolve_groups (call, w, c->groups, image, kernel, c->filters, c->filters / c->groups, bias,
                       c->filters, to);
  }
}

void
ts_conv_turn (const TsCall *call, const TsShape *k, gint64 begin, gint64 end, const void *from,
              void *turned)
{
  gint64 in = k->dim[k->rank - 2], out = k->dim[k->rank - 1];
  gint64 taps = ts_shape_elems (k) / (in * out);
  gsize size = ts_dtype_size (call->dtype);

  for (gint64 line = begin, n; line < end; line += n) {
    gint64 tap = line / in, c = line % in;
    n = MIN (in - c, end - line);
    call->k->transpose[call->dtype](
        (const char *) from + (gsize) ((line - begin) * out) * size, (gsize) out, (gsize) n,
        (gsize) out, (char *) turned + (gsize) ((taps - 1 - tap) * out * in + c) * size,
        (gsize) in);
  }
}

/* ---- dx, stride 1 (and the rare mixtures): dy with stride - 1 zeros between its pixels, convolved
 * with the turned kernel */

TsWindow
ts_conv_back_window (const TsConv *c)
{
  const TsWindow *w = &c->w;
  gint64 reach_h = (w->k_h - 1) * w->dilation, reach_w = (w->k_w - 1) * w->dilation;

  return (TsWindow){.in_h = w->out_h,
                    .in_w = w->out_w,
                    .channels = c->filters,
                    .k_h = w->k_h,
                    .k_w = w->k_w,
                    .stride_h = 1,
                    .stride_w = 1,
                    .dilation = w->dilation,
                    .out_h = w->in_h,
                    .out_w = w->in_w,
                    .pad_top = reach_h - w->pad_top,
                    .pad_left = reach_w - w->pad_left,
                    .padded_h = w->in_h + reach_h,
                    .padded_w = w->in_w + reach_w};
}

static void
back_spread (const TsCall *call, const TsConv *c, const char *dy, const void *turned,
             const void *bias, char *dx, char *padded)
{
  const TsWindow *w = &c->w, back = ts_conv_back_window (c);
  gsize pixel = (gsize) c->filters * ts_dtype_size (call->dtype);
  TsConv3 g;

  if (w->stride_w == 1 && w->stride_h == 1 &&
      ts_conv_is_three (call, &back, c->groups, w->channels, &g)) {
    g.x = dy, g.k = turned, g.bias = bias, g.y = dx;
    call->k->conv3[call->dtype](&g);
    return;
  }
  memset (padded, 0, (gsize) (back.padded_h * back.padded_w) * pixel);
  for (gint64 i = 0; i < back.in_h; i++) {
    char *line =
        padded + (gsize) ((i * w->stride_h + back.pad_top) * back.padded_w + back.pad_left) * pixel;
    const char *from = dy + (gsize) (i * back.in_w) * pixel;
    if (w->stride_w == 1)
      memcpy (line, from, (gsize) back.in_w * pixel);
    else
      for (gint64 j = 0; j < back.in_w; j++)
        memcpy (line + (gsize) (j * w->stride_w) * pixel, from + (gsize) j * pixel, pixel);
  }
  if (c->groups == 1)
    convolve (call, &back, padded, turned, bias, w->channels, dx);
  else
    convolve_groups (call, &back, c->groups, padded, turned, w->channels / c->groups,
                     c->filters / c->groups * (w->channels / c->groups), bias, w->channels, dx);
}

/* ---- dx, stride s: the pixels of dx fall into s·s phases; each is a convolution of dy, without any
 * stride, with every s-th tap of the kernel */

typedef struct {
  gint64 taps, reach; /* of the longest phase; last pixel of dy that is asked for, + 1 */
  gint64 stride, k, pad, in;
} Axis;

static Axis
axis_of (gint64 in, gint64 k, gint64 stride, gint64 pad)
{
  return (Axis){.taps = (k + stride - 1) / stride,
                .reach = (in - 1 + pad) / stride + 1,
                .stride = stride,
                .k = k,
                .pad = pad,
                .in = in};
}

static gint64
phase_taps (const Axis *a, gint64 phase)
{
  return phase < a->k ? (a->k - phase + a->stride - 1) / a->stride : 0;
}

/* First pixel of dx in @phase. */
static gint64
phase_begin (const Axis *a, gint64 phase)
{
  return ((phase - a->pad) % a->stride + a->stride) % a->stride;
}

/* The turned kernel phase by phase, its taps in the order of dy's pixels. */
static void
sort_taps (const TsConv *c, const Axis *h, const Axis *w, const char *turned, gsize tap, char *to)
{
  for (gint64 p = 0; p < h->stride; p++)
    for (gint64 q = 0; q < w->stride; q++)
      for (gint64 r = phase_taps (h, p); r-- > 0;)
        for (gint64 s = phase_taps (w, q); s-- > 0; to += tap) {
          gint64 y = p + r * h->stride, x = q + s * w->stride;
          memcpy (to, turned + (gsize) ((h->k - 1 - y) * w->k + w->k - 1 - x) * tap, tap);
        }
}

static void
back_phases (const TsCall *call, const TsConv *c, const Axis *h, const Axis *w, const char *padded,
             const char *sorted, const void *bias, char *dx)
{
  gsize size = ts_dtype_size (call->dtype);
  gint64 n = c->w.channels, o = c->filters, line = (w->reach + w->taps - 1) * o;

  for (gint64 p = 0; p < h->stride; p++)
    for (gint64 q = 0; q < w->stride; q++) {
      gint64 rows = phase_taps (h, p), cols = phase_taps (w, q), x = phase_begin (w, q);
      gboolean none = rows * cols == 0;
      TsGemm g = {.m = (w->in - x + w->stride - 1) / w->stride,
                  .n = n,
                  .k = none ? 0 : cols * o,
                  .segments = none ? 1 : rows,
                  .a_row = o,
                  .a_col = 1,
                  .a_segment = line,
                  .b = sorted,
                  .b_row = n,
                  .bias = bias,
                  .c_row = w->stride * n};
      sorted += (gsize) (rows * cols * o * n) * size;
      for (gint64 y = phase_begin (h, p); y < h->in && g.m > 0; y += h->stride) {
        gint64 top = (y + h->pad) / h->stride + h->taps - rows;
        gint64 left = (x + w->pad) / w->stride + w->taps - cols;
        g.a = padded + (gsize) (top * line + left * o) * size;
        g.c = dx + (gsize) ((y * w->in + x) * n) * size;
        call->k->gemm[call->dtype](&g);
      }
    }
}

static void
pad_phases (const TsConv *c, const Axis *h, const Axis *w, const char *dy, gsize pixel,
            char *padded)
{
  gsize line = (gsize) (w->reach + w->taps - 1) * pixel, copy = (gsize) c->w.out_w * pixel;

  memset (padded, 0, (gsize) (h->reach + h->taps - 1) * line);
  for (gint64 i = 0; i < c->w.out_h; i++)
    memcpy (padded + (gsize) (i + h->taps - 1) * line + (gsize) (w->taps - 1) * pixel,
            dy + (gsize) i * copy, copy);
}

static gboolean
has_phases (const TsConv *c)
{
  return (c->w.stride_h > 1 || c->w.stride_w > 1) && c->w.dilation == 1 && c->groups == 1;
}

static gsize
sorted_bytes (const TsConv *c, TsDtype dtype)
{
  return ((gsize) (c->w.k_h * c->w.k_w * c->w.channels * c->filters) * ts_dtype_size (dtype) +
          127) &
         ~(gsize) 63;
}

gsize
ts_conv_back_workspace (const TsConv *c, TsDtype dtype)
{
  if (!has_phases (c)) {
    TsWindow back = ts_conv_back_window (c);
    return ts_window_padded_bytes (&back, dtype);
  }
  Axis h = axis_of (c->w.in_h, c->w.k_h, c->w.stride_h, c->w.pad_top);
  Axis w = axis_of (c->w.in_w, c->w.k_w, c->w.stride_w, c->w.pad_left);
  gint64 pixels = (h.reach + h.taps - 1) * (w.reach + w.taps - 1);
  return sorted_bytes (c, dtype) + (gsize) (pixels * c->filters) * ts_dtype_size (dtype) + 64;
}

void
ts_conv_back (const TsCall *call, const TsConv *c, gint64 images, const void *dy,
              const void *turned, const void *bias, void *dx, void *workspace)
{
  gsize size = ts_dtype_size (call->dtype), pixel = (gsize) c->filters * size;
  gsize in = (gsize) (c->w.out_h * c->w.out_w) * pixel;
  gsize out = (gsize) (c->w.in_h * c->w.in_w * c->w.channels) * size;
  Axis h = axis_of (c->w.in_h, c->w.k_h, c->w.stride_h, c->w.pad_top);
  Axis w = axis_of (c->w.in_w, c->w.k_w, c->w.stride_w, c->w.pad_left);
  char *padded = (char *) workspace + sorted_bytes (c, call->dtype);

  if (has_phases (c))
    sort_taps (c, &h, &w, turned, pixel * (gsize) c->w.channels, workspace);
  for (gint64 r = 0; r < images; r++) {
    const char *from = (const char *) dy + (gsize) r * in;
    char *to = (char *) dx + (gsize) r * out;
    if (!has_phases (c)) {
      back_spread (call, c, from, turned, bias, to, workspace);
      continue;
    }
    pad_phases (c, &h, &w, from, pixel, padded);
    back_phases (call, c, &h, &w, padded, workspace, bias, to);
  }
}

/* ---- nodes */

void
ts_conv_backward (TsEmitter *e, TsNode *node, const TsConv *c, guint axes, TsValue *dy,
                  const gboolean *want, TsValue **grad_in)
{
  TsParams p;

  ts_conv_set_grad_params (&p, c, axes);
  if (want[0]) {
    TsValue *in[] = {dy, e->derive (e, "conv_turn", node->in[1])};
    grad_in[0] = e->emit (e, "conv_grad_input", in, 2, &p)->out[0];
  }
  if (want[1]) {
    TsValue *in[] = {node->in[0], dy};
    grad_in[1] = e->emit (e, "conv_grad_kernel", in, 2, &p)->out[0];
  }
  if (node->n_in == 3 && want[2])
    grad_in[2] = e->emit (e, "bias_grad", &dy, 1, NULL)->out[0];
}

double
ts_conv_flops (gint64 pixels, const TsShape *kernel, gint64 batch, const TsShape *image)
{
  gint64 n = image->dim[0] == TS_ANY ? batch : image->dim[0];

  return 2.0 * (double) n * (double) pixels * (double) ts_shape_elems (kernel);
}
