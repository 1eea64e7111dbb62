/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {
    {"entries", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 26,
     .doc = "how many different numbers there are"},
    {"units", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20, .doc = "size of a vector"},
    {"init", TS_PARAM_WORD, .text = "uniform", .words = ts_initializer_words,
     .doc = "initial vectors"},
    {NULL},
};

static TsValue *
embedding_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  TsShape shape = TS_SHAPE (ts_params_int (p, "entries"), ts_params_int (p, "units"));
  TsValue *all[2] = {in[0]};

  if (in[0]->dtype != TS_I32) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "embedding needs whole numbers but its input is %s",
                 ts_dtype_is_float (in[0]->dtype) ? "float" : ts_dtype_name (in[0]->dtype));
    return NULL;
  }
  all[1] =
      ts_layer_variable (layer, graph, "table", TS_F32, &shape, ts_params_text (p, "init"), error);
  TsNode *node =
      all[1] ? ts_graph_add (graph, "embedding_lookup", NULL, all, 2, NULL, error) : NULL;
  return node ? node->out[0] : NULL;
}

const TsLayerClass ts_layer_embedding = {
    .name = "embedding",
    .doc = "A vector of its own for every number.",
    .in_names = "ids",
    .n_in = 1,
    .params = params,
    .build = embedding_build,
};
