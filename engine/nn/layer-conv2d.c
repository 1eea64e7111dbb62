/* SPDX-License-Identifier: MIT */
#include "engine/nn/conv-layer.h"

static const TsParamSpec params[] = {
    {"filters", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20,
     .doc = "channels of the output"},
    {"kernel", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 64,
     .doc = "height and width of the window"},
    {"act", TS_PARAM_WORD, .text = "linear", .words = TS_ACTIVATION_WORDS, .doc = "activation"},
    {"stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between windows"},
    {"pad", TS_PARAM_WORD, .text = "same", .words = "same|valid|explicit",
     .doc = "zeros around the image, none, or what pads says"},
    {"dilation", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between taps"},
    TS_CONV_LAYER_COMMON,
    {"groups", TS_PARAM_INT, .number = 1, .min = 1, .max = 1 << 20,
     .doc = "parts of the channels that do not see each other"},
    {"pads", TS_PARAM_SHAPE, .doc = "pixels around the image: top, bottom, left, right"},
    {NULL},
};

static TsValue *
conv2d_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gint64 k = ts_params_int (p, "kernel"), filters = ts_params_int (p, "filters");

  if (!ts_conv_layer_check (layer, in[0], 4, error))
    return NULL;
  gint64 channels = ts_conv_layer_kernel_channels (layer, in[0]->shape.dim[3], error);
  if (!channels)
    return NULL;
  TsConvLayer what = {.op = "conv2d",
                      .n_kernels = 1,
                      .names = {"kernel"},
                      .kernels = {TS_SHAPE (k, k, channels, filters)},
                      .channels = filters};
  return ts_conv_layer_build (layer, graph, in[0], &what, error);
}

const TsLayerClass ts_layer_conv2d = {
    .name = "conv2d",
    .doc = "Slides filters over an image.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = conv2d_build,
};
