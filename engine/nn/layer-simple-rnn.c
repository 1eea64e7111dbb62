/* SPDX-License-Identifier: MIT */
#include "engine/nn/recurrent.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {TS_RECURRENT_PARAMS, {NULL}};

static TsValue *
simple_rnn_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  TsParams op;

  ts_params_init (&op, ts_op_lookup ("simple_rnn")->params);
  return ts_recurrent_build (layer, graph, in[0], "simple_rnn", 1, 1, "zeros", &op, error);
}

const TsLayerClass ts_layer_simple_rnn = {
    .name = "simple_rnn",
    .doc = "The plainest recurrent layer: h = tanh (x·kernel + h·recurrent + bias).",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = simple_rnn_build,
};
