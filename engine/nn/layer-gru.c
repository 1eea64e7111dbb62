/* SPDX-License-Identifier: MIT */
#include "engine/nn/recurrent.h"
#include "engine/ops/initializer.h"

static const TsParamSpec params[] = {
    TS_RECURRENT_PARAMS,
    {"reset_after", TS_PARAM_BOOL, .number = 1,
     .doc = "apply the reset gate after the recurrent product"},
    {NULL},
};

static TsValue *
gru_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  gboolean after = ts_params_bool (ts_layer_get_params (layer), "reset_after");
  TsParams op;

  ts_params_init (&op, ts_op_lookup ("gru")->params);
  ts_params_set_bool (&op, "reset_after", after, NULL);
  return ts_recurrent_build (layer, graph, in[0], "gru", 3, after ? 2 : 1, "zeros", &op, error);
}

const TsLayerClass ts_layer_gru = {
    .name = "gru",
    .doc = "Gated recurrent unit: a recurrent layer with an update and a reset gate.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = gru_build,
};
