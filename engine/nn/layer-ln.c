/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"

static const TsParamSpec params[] = {
    {"eps", TS_PARAM_FLOAT, .number = 1e-3, .min = 0, .max = 1,
     .doc = "added to the variance, so that it is never 0"},
    {NULL},
};

static TsValue *
ln_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsShape *x = &in[0]->shape;
  TsShape channels = TS_SHAPE (x->rank ? x->dim[x->rank - 1] : 1);
  TsValue *all[3] = {in[0]};
  TsParams op;

  if (x->rank < 2) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "ln needs an axis of channels but its input is %s", text);
    return NULL;
  }
  all[1] = ts_layer_variable (layer, graph, "gamma", in[0]->dtype, &channels, "ones", error);
  if (!all[1])
    return NULL;
  all[2] = ts_layer_variable (layer, graph, "beta", in[0]->dtype, &channels, "zeros", error);
  if (!all[2])
    return NULL;
  ts_params_init (&op, ts_op_lookup ("layer_norm")->params);
  ts_params_set_number (&op, "eps", ts_params_float (ts_layer_get_params (layer), "eps"),
                        NULL);
  TsNode *node = ts_graph_add (graph, "layer_norm", NULL, all, 3, &op, error);
  return node ? node->out[0] : NULL;
}

const TsLayerClass ts_layer_ln = {
    .name = "ln",
    .doc = "Layer normalisation: every line of the last axis by its own mean and variance.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = ln_build,
};
