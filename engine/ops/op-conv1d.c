/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/conv.h"
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    {"stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "steps between windows"},
    {"pad", TS_PARAM_WORD, .text = "same", .words = "same|valid|causal",
     .doc = "zeros around the sequence, none, or all of them before it"},
    {"dilation", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "steps between taps"},
    {"groups", TS_PARAM_INT, .number = 1, .min = 1, .max = 1 << 20,
     .doc = "parts of the channels that do not see each other"},
    {NULL},
};

static gboolean
conv_of (const TsNode *node, TsConv *c, GError **error)
{
  const TsShape *k = &node->in[1]->shape;
  TsShape x = ts_conv_image (&node->in[0]->shape);
  TsWindowSpec spec = ts_window_spec (&node->params);

  if (strcmp (node->params.v[1].s, "causal") == 0) {
    spec.n_pads = G_N_ELEMENTS (spec.pads);
    spec.pads[2] = (k->dim[0] - 1) * spec.dilation;
  }
  *c = (TsConv){.groups = node->params.v[3].i, .filters = k->dim[2]};
  return ts_window_init (&c->w, "conv1d", &x, 1, k->dim[0], &spec, error);
}

static gboolean
conv1d_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  TsConv c;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank != 3) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "conv1d needs a sequence [length, channels] but its input is %s", text);
    return FALSE;
  }
  if (!ts_conv_check ("conv1d", x, &node->in[1]->shape, node->n_in == 3 ? node->in[2] : NULL,
                      node->params.v[3].i, error) ||
      !conv_of (node, &c, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], c.w.out_w, c.filters);
  return TRUE;
}

static gsize
conv1d_workspace (const TsNode *node)
{
  TsConv c;

  conv_of (node, &c, NULL);
  return ts_conv_workspace (&c, node->out[0]->dtype);
}

static void
conv1d_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsConv c;

  conv_of (node, &c, NULL);
  ts_conv_forward (call, &c, ts_window_images (call, node->in[0]), call->in[0], call->in[1],
                   node->n_in == 3 ? call->in[2] : NULL, call->out[0]);
}

static void
conv1d_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsConv c;

  conv_of (node, &c, NULL);
  ts_conv_backward (e, node, &c, 1, grad_out[0], want, grad_in);
}

static double
conv1d_flops (const TsNode *node, gint64 batch)
{
  const TsShape *y = &node->out[0]->shape;

  return ts_conv_flops (y->dim[1], &node->in[1]->shape, batch, y);
}

static const TsOpExample examples[] = {
    {.in = {"rows 9 3", "f 3 3 4", "f 4"}, .low = -1, .high = 1},
    {.in = {"rows 9 2", "f 3 2 4"}, .params = "pad=causal, dilation=2", .low = -1, .high = 1},
    {.in = {"rows 10 2", "f 5 2 3", "f 3"}, .params = "stride=2", .low = -1, .high = 1},
    {.in = {"rows 8 4", "f 3 2 4"}, .params = "pad=valid, groups=2", .low = -1, .high = 1},
    {.in = {"f 2 8 3", "f 4 3 2", "f 2"}, .params = "stride=3, pad=causal", .low = -1, .high = 1},
};

const TsOpClass ts_op_conv1d = {
    .name = "conv1d",
    .formula = "y[i, o] = bias[o] + sum of x[s·i + d·k - p, c]·kernel[k, c, o]",
    .category = "image",
    .doc = "Convolution of sequences [length, channels] with a kernel [width, in / groups, out].",
    .in_names = "x, kernel, bias?",
    .min_in = 2,
    .max_in = 3,
    .params = params,
    .inplace = -1,
    .infer = conv1d_infer,
    .partition = ts_window_partition,
    .workspace = conv1d_workspace,
    .forward = conv1d_forward,
    .backward = conv1d_backward,
    .flops = conv1d_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
