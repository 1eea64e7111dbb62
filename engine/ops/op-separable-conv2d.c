/* SPDX-License-Identifier: MIT */
#include "engine/ops/depthwise.h"
#include "engine/ops/op.h"

/* A depthwise convolution, then a 1 by 1 convolution of its channels.  What lies between is the second
 * output: the gradients of the two parts need it. */

static gboolean
separable_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  TsDepthwiseConv c;

  if (!ts_infer_floats (node, error) || !ts_depthwise_of (node, &c, error))
    return FALSE;
  TsShape between = TS_SHAPE (x->dim[0], c.w.out_h, c.w.out_w, c.w.channels * c.multiplier);
  const TsShape *k = &node->in[2]->shape;
  if (!ts_conv_check ("separable_conv2d", &between, k, node->n_in == 4 ? node->in[3] : NULL, 1,
                      error))
    return FALSE;
  if (k->dim[0] != 1 || k->dim[1] != 1) {
    g_autofree char *text = ts_shape_dup_text (k);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "separable_conv2d: the second kernel %s must be 1 by 1", text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  ts_infer_like (node, out, 1, node->in[0]);
  out[0].shape = out[1].shape = between;
  out[0].shape.dim[3] = k->dim[3];
  return TRUE;
}

static gsize
separable_workspace (const TsNode *node)
{
  TsDepthwiseConv c;

  ts_depthwise_of (node, &c, NULL);
  return ts_depthwise_workspace (&c, node->out[0]->dtype);
}

static void
separable_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsShape *k = &node->in[2]->shape;
  gint64 images = ts_window_images (call, node->in[0]);
  TsDepthwiseConv c;

  ts_depthwise_of (node, &c, NULL);
  ts_depthwise_forward (call, &c, images, call->in[0], call->in[1], NULL, call->out[1]);
  call->k->gemm[call->dtype](&(TsGemm){.m = images * c.w.out_h * c.w.out_w,
                                       .n = k->dim[3],
                                       .k = k->dim[2],
                                       .segments = 1,
                                       .a = call->out[1],
                                       .a_row = k->dim[2],
                                       .a_col = 1,
                                       .b = call->in[2],
                                       .b_row = k->dim[3],
                                       .bias = node->n_in == 4 ? call->in[3] : NULL,
                                       .c = call->out[0],
                                       .c_row = k->dim[3]});
}

static void
separable_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  const TsValue *between = node->out[1];
  TsValue *dy = grad_out[0], *d_between = NULL;
  TsConv point = {.groups = 1, .filters = node->out[0]->shape.dim[3]};
  TsWindowSpec spec = {.stride_h = 1, .stride_w = 1, .dilation = 1};
  TsDepthwiseConv c;
  TsParams p;

  if (!dy)
    return;
  ts_depthwise_of (node, &c, NULL);
  ts_window_init (&point.w, "separable_conv2d", &between->shape, 1, 1, &spec, NULL);
  ts_conv_set_grad_params (&p, &point, 2);
  if (want[0] || want[1]) {
    TsValue *in[] = {dy, e->derive (e, "conv_turn", node->in[2])};
    d_between = e->emit (e, "conv_grad_input", in, 2, &p)->out[0];
    ts_depthwise_backward (e, node, &c, d_between, want, grad_in);
  }
  if (want[2]) {
    TsValue *in[] = {node->out[1], dy};
    grad_in[2] = e->emit (e, "conv_grad_kernel", in, 2, &p)->out[0];
  }
  if (node->n_in == 4 && want[3])
    grad_in[3] = e->emit (e, "bias_grad", &dy, 1, NULL)->out[0];
}

static double
separable_flops (const TsNode *node, gint64 batch)
{
  const TsShape *y = &node->out[0]->shape;

  return ts_conv_flops (y->dim[1] * y->dim[2], &node->in[1]->shape, batch, y) +
         ts_conv_flops (y->dim[1] * y->dim[2], &node->in[2]->shape, batch, y);
}

static const TsOpExample examples[] = {
    {.in = {"rows 5 4 2", "f 3 3 2 2", "f 1 1 4 3", "f 3"}, .low = -1, .high = 1},
    {.in = {"rows 5 5 3", "f 3 2 3 1", "f 1 1 3 2"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"f 2 4 5 2", "f 2 2 2 1", "f 1 1 2 5", "f 5"},
     .params = "pad=valid",
     .low = -1,
     .high = 1},
};

const TsOpClass ts_op_separable_conv2d = {
    .name = "separable_conv2d",
    .formula = "y = conv2d (depthwise_conv2d (x, depthwise), pointwise) + bias",
    .category = "image",
    .doc = "Convolution of every channel by itself, then of the channels with each other; the "
           "second output is what lies between.",
    .in_names = "x, depthwise, pointwise, bias?",
    .min_in = 3,
    .max_in = 4,
    .params = ts_depthwise_params,
    .inplace = -1,
    .no_gradient = 1 << 1,
    .infer = separable_infer,
    .partition = ts_window_partition,
    .workspace = separable_workspace,
    .forward = separable_forward,
    .backward = separable_backward,
    .flops = separable_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
