/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {
    {"units", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 24,
     .doc = "size of the output"},
    {"act", TS_PARAM_WORD, .text = "linear", .words = TS_ACTIVATION_WORDS, .doc = "activation"},
    {"bias", TS_PARAM_BOOL, .number = 1, .doc = "add a bias"},
    {"init", TS_PARAM_WORD, .text = "glorot_uniform", .words = ts_initializer_words,
     .doc = "initial kernel"},
    {NULL},
};

static TsValue *
dense_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  const TsShape *x = &in[0]->shape;
  gint64 units = ts_params_int (p, "units");
  guint row_rank = x->rank - (in[0]->kind == TS_VALUE_ROWS);

  if (!ts_dtype_is_float (in[0]->dtype)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "dense needs numbers but its input is %s", ts_dtype_name (in[0]->dtype));
    return NULL;
  }
  if (row_rank < 1 || row_rank > 2 || x->dim[x->rank - 1] < 1) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "dense needs a vector or a sequence of vectors but its input is %s%s", text,
                 row_rank > 2 ? "\nput flatten() before it" : "");
    return NULL;
  }
  TsValue *all[3] = {in[0]};
  gboolean bias = ts_params_bool (p, "bias");
  all[1] =
      ts_layer_variable (layer, graph, "kernel", in[0]->dtype,
                         &TS_SHAPE (x->dim[x->rank - 1], units), ts_params_text (p, "init"), error);
  if (!all[1])
    return NULL;
  if (bias) {
    all[2] =
        ts_layer_variable (layer, graph, "bias", in[0]->dtype, &TS_SHAPE (units), "zeros", error);
    if (!all[2])
      return NULL;
  }
  TsNode *node = ts_graph_add (graph, "dense", NULL, all, bias ? 3 : 2, NULL, error);
  return node ? ts_layer_activate (graph, ts_params_text (p, "act"), node->out[0], error) : NULL;
}

const TsLayerClass ts_layer_dense = {
    .name = "dense",
    .doc = "Fully connected: every output sees every input.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = dense_build,
};
