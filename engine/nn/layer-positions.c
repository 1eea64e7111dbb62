/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {
    {"init", TS_PARAM_WORD, .text = "uniform", .words = ts_initializer_words,
     .doc = "initial vectors"},
    {NULL},
};

static TsValue *
positions_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsShape *x = &in[0]->shape;
  TsValue *both[2] = {in[0]};

  if (x->rank != 3 || !ts_dtype_is_float (in[0]->dtype)) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "positions needs a sequence of vectors [steps, features] but its input is %s",
                 text);
    return NULL;
  }
  both[1] =
      ts_layer_variable (layer, graph, "table", in[0]->dtype, &TS_SHAPE (x->dim[1], x->dim[2]),
                         ts_params_text (ts_layer_get_params (layer), "init"), error);
  TsNode *node = both[1] ? ts_graph_add (graph, "add", NULL, both, 2, NULL, error) : NULL;
  return node ? node->out[0] : NULL;
}

const TsLayerClass ts_layer_positions = {
    .name = "positions",
    .doc = "Adds a learned vector to every step of a sequence.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = positions_build,
};
