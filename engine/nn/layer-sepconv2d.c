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
    {"multiplier", TS_PARAM_INT, .number = 1, .min = 1, .max = 1024,
     .doc = "depthwise kernels for each channel of the input"},
    TS_CONV_LAYER_COMMON,
    {"pads", TS_PARAM_SHAPE, .doc = "pixels around the image: top, bottom, left, right"},
    {NULL},
};

static TsValue *
sepconv2d_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gint64 k = ts_params_int (p, "kernel"), filters = ts_params_int (p, "filters");
  gint64 multiplier = ts_params_int (p, "multiplier");

  if (!ts_conv_layer_check (layer, in[0], 4, error))
    return NULL;
  gint64 channels = in[0]->shape.dim[3];
  TsConvLayer what = {.op = "separable_conv2d",
                      .n_kernels = 2,
                      .names = {"depthwise", "pointwise"},
                      .kernels = {TS_SHAPE (k, k, channels, multiplier),
                                  TS_SHAPE (1, 1, channels * multiplier, filters)},
                      .channels = filters};
  return ts_conv_layer_build (layer, graph, in[0], &what, error);
}

const TsLayerClass ts_layer_sepconv2d = {
    .name = "sepconv2d",
    .doc = "Filters every channel of an image by itself, then mixes the channels.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = sepconv2d_build,
};
