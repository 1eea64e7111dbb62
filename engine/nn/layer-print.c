/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"

static const TsParamSpec params[] = {
    {"message", TS_PARAM_STRING, .text = "", .doc = "what is said before the numbers"},
    {"first_n", TS_PARAM_INT, .number = -1, .min = -1, .max = 1e15,
     .doc = "print so many times only; -1: always"},
    {"summarize", TS_PARAM_INT, .number = 3, .min = -1, .max = 1e15,
     .doc = "how many elements are shown; -1: as many as fit into a line"},
    {NULL},
};

static TsValue *
print_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);

  return ts_graph_print (graph, in[0], ts_params_text (p, "message"), ts_params_int (p, "first_n"),
                         ts_params_int (p, "summarize"), error);
}

const TsLayerClass ts_layer_print = {
    .name = "print",
    .doc = "Passes a tensor on and says its first elements at every run.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = print_build,
};
