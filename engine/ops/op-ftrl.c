/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    {"power", TS_PARAM_FLOAT, .number = -0.5, .min = -1, .max = 0,
     .doc = "how the rate falls with the sum of squares"},
    {"l1", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6,
     .doc = "strength of |w|: makes weights exactly 0"},
    {"l2", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6, .doc = "strength of w²"},
    {"shrinkage", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6,
     .doc = "strength of w² in the gradient only"},
    {"beta", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1e6, .doc = "beta of the paper"},
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
ftrl_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  double lr = ts_update_number (call, 0);

  u.c[0] = lr;
  u.c[1] = -ts_params_float (p, "power");
  u.c[2] = ts_params_float (p, "l1");
  u.c[3] = 2 * ts_params_float (p, "l2") + ts_params_float (p, "beta") / lr;
  u.c[4] = 2 * ts_params_float (p, "shrinkage");
  call->k->update[TS_UPDATE_FTRL][call->dtype](&u);
}

const TsOpClass ts_op_ftrl = {
    .name = "ftrl",
    .formula = "s' = s + g²; z = z + g - (s'^-power - s^-power)/lr·w; "
               "w = (clip (z, -l1, l1) - z) / (s'^-power/lr + 2·l2 + beta/lr)",
    .category = "update",
    .doc = "One step of FTRL-Proximal on one variable (McMahan et al. 2013).",
    .in_names = "variable, gradient, lr, squares, z",
    .min_in = 5,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = ftrl_forward,
};
