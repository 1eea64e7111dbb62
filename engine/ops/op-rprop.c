/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    {"shrink", TS_PARAM_FLOAT, .number = 0.5, .min = 0, .max = 1,
     .doc = "factor of the step where the gradient turned"},
    {"grow", TS_PARAM_FLOAT, .number = 1.2, .min = 1, .max = 100,
     .doc = "factor of the step where it did not"},
    {"min_step", TS_PARAM_FLOAT, .number = 1e-6, .min = 0, .max = 1e6, .doc = "smallest step"},
    {"max_step", TS_PARAM_FLOAT, .number = 50, .min = 0, .max = 1e6, .doc = "largest step"},
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
rprop_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  u.c[0] = ts_params_float (p, "shrink");
  u.c[1] = ts_params_float (p, "grow");
  u.c[2] = ts_params_float (p, "min_step");
  u.c[3] = ts_params_float (p, "max_step");
  call->k->update[TS_UPDATE_RPROP][call->dtype](&u);
}

const TsOpClass ts_op_rprop = {
    .name = "rprop",
    .formula = "step = step·(g·before > 0 ? grow : shrink); w = w - step·sign (g)",
    .category = "update",
    .doc = "One step of resilient propagation on one variable (Riedmiller, Braun 1993): only the "
           "signs of "
           "gradients count; meant for whole data sets as one batch.",
    .in_names = "variable, gradient, lr, before, step",
    .min_in = 5,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = rprop_forward,
};
