/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/conv.h"
#include "engine/ops/op.h"

/* The gradient of a convolution with respect to its image, as an op: the "image" is this op's output
 * and the kernel [h, w, out, in] is that convolution's [h, w, in, out].  So its own gradients are the
 * convolution and the convolution's kernel gradient with image and dy exchanged. */

static const TsParamSpec params[] = {
    TS_PARAM_STRIDE,
    {"pad", TS_PARAM_WORD, .text = "same", .words = TS_PAD_WORDS,
     .doc = "the padding of the convolution that this one undoes"},
    TS_PARAM_DILATION,
    TS_PARAM_PADS,
    {"output", TS_PARAM_SHAPE, .doc = "height and width of the output; empty: the usual"},
    {NULL},
};

static gint64
usual_size (gint64 in, gint64 k, gint64 stride, const TsWindowSpec *spec, guint first_pad)
{
  gint64 reach = (k - 1) * spec->dilation + 1;

  if (spec->n_pads)
    return (in - 1) * stride + reach - spec->pads[first_pad] - spec->pads[first_pad + 1];
  return spec->same ? in * stride : in * stride + MAX (reach - stride, 0);
}

/* The convolution that makes input 0 from the output. */
static gboolean
conv_of (const TsNode *node, TsConv *c, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape;
  const gint64 *output = node->params.v[4].list;
  TsWindowSpec spec = ts_window_spec (&node->params);
  TsShape y = TS_SHAPE (TS_ANY, usual_size (x->dim[1], k->dim[0], spec.stride_h, &spec, 0),
                        usual_size (x->dim[2], k->dim[1], spec.stride_w, &spec, 2), k->dim[2]);

  if (node->params.v[4].n_list == 2) {
    y.dim[1] = output[0];
    y.dim[2] = output[1];
  }
  if (y.dim[1] < 1 || y.dim[2] < 1) {
    g_autofree char *ty = ts_shape_dup_row_text (&y);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "conv2d_transpose: the output %s is empty; smaller pads leave something of it",
                 ty);
    return FALSE;
  }
  *c = (TsConv){.groups = 1, .filters = k->dim[3]};
  if (!ts_window_init (&c->w, "conv2d_transpose", &y, k->dim[0], k->dim[1], &spec, error))
    return FALSE;
  if ((node->params.v[4].n_list && node->params.v[4].n_list != 2) || c->w.out_h != x->dim[1] ||
      c->w.out_w != x->dim[2]) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *ty = ts_shape_dup_row_text (&y);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "conv2d_transpose: no convolution with these strides and pads makes %s from the "
                 "output %s",
                 tx, ty);
    return FALSE;
  }
  return TRUE;
}

static gboolean
transpose_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape;
  TsConv c;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank != 4 || k->rank != 4 || k->dim[3] != x->dim[3] ||
      (node->n_in == 3 &&
       (node->in[2]->shape.rank != 1 || node->in[2]->shape.dim[0] != k->dim[2]))) {
    g_autofree char *tx = ts_shape_dup_row_text (x), *tk = ts_shape_dup_text (k);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "conv2d_transpose: the kernel %s does not fit the image %s; it must be (height, "
                 "width, channels out, channels in)",
                 tk, tx);
    return FALSE;
  }
  if (!ts_window_check ("conv2d_transpose", x, k, error) || !conv_of (node, &c, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], c.w.in_h, c.w.in_w, c.w.channels);
  return TRUE;
}

static gsize
turned_bytes (const TsNode *node)
{
  return (ts_value_row_bytes (node->in[1]) + 127) & ~(gsize) 63;
}

static gsize
transpose_workspace (const TsNode *node)
{
  TsConv c;

  conv_of (node, &c, NULL);
  return turned_bytes (node) + ts_conv_back_workspace (&c, node->out[0]->dtype);
}

static void
transpose_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsShape *k = &node->in[1]->shape;
  TsConv c;

  conv_of (node, &c, NULL);
  ts_conv_turn (call, k, 0, ts_shape_elems (k) / k->dim[3], call->in[1], call->workspace);
  ts_conv_back (call, &c, ts_window_images (call, node->in[0]), call->in[0], call->workspace,
                node->n_in == 3 ? call->in[2] : NULL, call->out[0],
                (char *) call->workspace + turned_bytes (node));
}

static void
transpose_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  TsValue *dy = grad_out[0];
  TsParams p;
  TsConv c;

  conv_of (node, &c, NULL);
  if (want[0]) {
    TsValue *in[] = {dy, node->in[1]};
    gint64 pads[] = {c.w.pad_top, c.w.pad_bottom, c.w.pad_left, c.w.pad_right};
    ts_params_init (&p, ts_op_lookup ("conv2d")->params);
    ts_params_set_number (&p, "stride", (double) c.w.stride_h, NULL);
    ts_params_set_number (&p, "dilation", (double) c.w.dilation, NULL);
    ts_params_set_list (&p, "pads", pads, G_N_ELEMENTS (pads), NULL);
    grad_in[0] = e->emit (e, "conv2d", in, 2, &p)->out[0];
  }
  if (want[1]) {
    TsValue *in[] = {dy, node->in[0]};
    ts_conv_set_grad_params (&p, &c, 2);
    grad_in[1] = e->emit (e, "conv_grad_kernel", in, 2, &p)->out[0];
  }
  if (node->n_in == 3 && want[2])
    grad_in[2] = e->emit (e, "bias_grad", &dy, 1, NULL)->out[0];
}

static double
transpose_flops (const TsNode *node, gint64 batch)
{
  const TsShape *x = &node->in[0]->shape;

  return ts_conv_flops (x->dim[1] * x->dim[2], &node->in[1]->shape, batch, x);
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4 2", "f 3 3 4 2", "f 4"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 3 4 2", "f 3 2 3 2"}, .params = "stride=2, pad=valid", .low = -1, .high = 1},
    {.in = {"rows 4 4 2", "f 3 3 3 2", "f 3"}, .low = -1, .high = 1},
    {.in = {"f 2 3 3 2", "f 3 3 2 2"},
     .params = "stride=2, pads=[1, 1, 1, 1], output=[6, 6]",
     .low = -1,
     .high = 1},
    {.in = {"rows 3 3 2", "f 1 2 3 2", "f 3"}, .params = "stride=3", .low = -1, .high = 1},
};

const TsOpClass ts_op_conv2d_transpose = {
    .name = "conv2d_transpose",
    .formula = "y[s·i + d·h - p, s·j + d·w - p, o] += x[i, j, c]·kernel[h, w, o, c]",
    .category = "image",
    .doc = "The transpose of a convolution, which makes images larger: its kernel is [height, "
           "width, out, in].",
    .in_names = "x, kernel, bias?",
    .min_in = 2,
    .max_in = 3,
    .params = params,
    .inplace = -1,
    .infer = transpose_infer,
    .partition = ts_window_partition,
    .workspace = transpose_workspace,
    .forward = transpose_forward,
    .backward = transpose_backward,
    .flops = transpose_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
