/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"

static TsValue *
flatten_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("reshape")->params);
  ts_params_set_list (&p, "shape", (gint64[]){-1}, 1, NULL);
  TsNode *node = ts_graph_add (graph, "reshape", NULL, in, 1, &p, error);
  return node ? node->out[0] : NULL;
}

const TsLayerClass ts_layer_flatten = {
    .name = "flatten",
    .doc = "All axes of a row as one vector; costs nothing.",
    .in_names = "x",
    .n_in = 1,
    .build = flatten_build,
};
