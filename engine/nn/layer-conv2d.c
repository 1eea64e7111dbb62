/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {
    {"filters", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20,
     .doc = "channels of the output"},
    {"kernel", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 64,
     .doc = "height and width of the window"},
    {"act", TS_PARAM_WORD, .text = "linear", .words = TS_ACTIVATION_WORDS, .doc = "activation"},
    {"stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between windows"},
    {"pad", TS_PARAM_WORD, .text = "same", .words = "same|valid",
     .doc = "zeros around the image, or none"},
    {"dilation", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between taps"},
    {"bias", TS_PARAM_BOOL, .number = 1, .doc = "add a bias"},
    {"init", TS_PARAM_WORD, .text = "glorot_uniform", .words = ts_initializer_words,
     .doc = "initial kernel"},
    {NULL},
};

static TsValue *
conv2d_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  const TsShape *x = &in[0]->shape;
  gint64 k = ts_params_int (p, "kernel"), filters = ts_params_int (p, "filters");
  gboolean bias = ts_params_bool (p, "bias");
  TsValue *all[3] = {in[0]};
  TsParams op;

  if (x->rank != 4 || !ts_dtype_is_float (in[0]->dtype)) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "conv2d needs an image [height, width, channels] but its input is %s", text);
    return NULL;
  }
  all[1] =
      ts_layer_variable (layer, graph, "kernel", in[0]->dtype, &TS_SHAPE (k, k, x->dim[3], filters),
                         ts_params_text (p, "init"), error);
  if (!all[1])
    return NULL;
  if (bias && !(all[2] = ts_layer_variable (layer, graph, "bias", in[0]->dtype, &TS_SHAPE (filters),
                                            "zeros", error)))
    return NULL;
  ts_params_init (&op, ts_op_lookup ("conv2d")->params);
  ts_params_set_number (&op, "stride", (double) ts_params_int (p, "stride"), NULL);
  ts_params_set_number (&op, "dilation", (double) ts_params_int (p, "dilation"), NULL);
  ts_params_set_text (&op, "pad", ts_params_text (p, "pad"), NULL);
  TsNode *node = ts_graph_add (graph, "conv2d", NULL, all, bias ? 3 : 2, &op, error);
  return node ? ts_layer_activate (graph, ts_params_text (p, "act"), node->out[0], error) : NULL;
}

const TsLayerClass ts_layer_conv2d = {
    .name = "conv2d",
    .doc = "Slides filters over an image.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = conv2d_build,
};
