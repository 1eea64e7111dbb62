/* SPDX-License-Identifier: MIT */
#include "engine/optim/optimizer.h"

static const TsParamSpec params[] = {
    {"lr", TS_PARAM_FLOAT, .number = 0.01, .min = 0, .max = 1e6, .doc = "learning rate"},
    {"momentum", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1,
     .doc = "share of the velocity kept"},
    {"nesterov", TS_PARAM_BOOL, .doc = "look ahead along the velocity"},
    {NULL},
};

static TsNode *
momentum_update (TsGraph *graph, const TsParams *p, TsValue *variable, TsValue *gradient,
                 TsValue *rate, GError **error)
{
  TsValue *velocity = ts_optimizer_slot (graph, variable, "momentum", "velocity", error);
  TsValue *in[] = {variable, gradient, velocity, rate};
  TsParams own;

  if (!velocity)
    return NULL;
  ts_params_init (&own, ts_op_lookup ("momentum")->params);
  ts_params_set_number (&own, "momentum", ts_params_float (p, "momentum"), NULL);
  ts_params_set_bool (&own, "nesterov", ts_params_bool (p, "nesterov"), NULL);
  return ts_graph_add (graph, "momentum", NULL, in, 4, &own, error);
}

const TsOptimizerClass ts_optim_momentum = {
    .name = "momentum",
    .doc = "Gradient descent with a velocity: v = momentum·v + g; w = w - lr·v.",
    .params = params,
    .update = momentum_update,
};
