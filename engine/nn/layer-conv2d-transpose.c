/* SPDX-License-Identifier: MIT */
#include "engine/nn/conv-layer.h"

static const TsParamSpec params[] = {
    {"filters", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20,
     .doc = "channels of the output"},
    {"kernel", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 64,
     .doc = "height and width of the window"},
    {"act", TS_PARAM_WORD, .text = "linear", .words = TS_ACTIVATION_WORDS, .doc = "activation"},
    {"stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64,
     .doc = "how many times larger the image becomes"},
    {"pad", TS_PARAM_WORD, .text = "same", .words = "same|valid|explicit",
     .doc = "the padding of the convolution that this one undoes"},
    TS_CONV_LAYER_COMMON,
    {"pads", TS_PARAM_SHAPE, .doc = "pixels around the output: top, bottom, left, right"},
    {"output", TS_PARAM_SHAPE, .doc = "height and width of the output; empty: the usual"},
    {NULL},
};

static TsValue *
transpose_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gint64 k = ts_params_int (p, "kernel"), filters = ts_params_int (p, "filters");

  if (!ts_conv_layer_check (layer, in[0], 4, error))
    return NULL;
  TsConvLayer what = {.op = "conv2d_transpose",
                      .n_kernels = 1,
                      .names = {"kernel"},
                      .kernels = {TS_SHAPE (k, k, filters, in[0]->shape.dim[3])},
                      .channels = filters};
  return ts_conv_layer_build (layer, graph, in[0], &what, error);
}

const TsLayerClass ts_layer_conv2d_transpose = {
    .name = "conv2d_transpose",
    .doc = "The transpose of a convolution: makes images larger.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = transpose_build,
};
