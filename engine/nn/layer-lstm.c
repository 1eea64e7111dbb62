/* SPDX-License-Identifier: MIT */
#include "engine/nn/recurrent.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {TS_RECURRENT_PARAMS, {NULL}};

static TsValue *
lstm_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  TsParams op;

  ts_params_init (&op, ts_op_lookup ("lstm")->params);
  return ts_recurrent_build (layer, graph, in[0], "lstm", 4, 1, "unit_forget", &op, error);
}

const TsLayerClass ts_layer_lstm = {
    .name = "lstm",
    .doc = "Long short-term memory: a recurrent layer with a memory that gates protect.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = lstm_build,
};
