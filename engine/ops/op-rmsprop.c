/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    TS_PARAM_RHO (0.9),
    {"momentum", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 1,
     .doc = "share of the velocity kept; 0: none"},
    {"centered", TS_PARAM_BOOL,
     .doc = "divide by the deviation instead of the root of the mean of squares"},
    TS_PARAM_EPS,
    TS_PARAM_FORM ("eps under the root and the rate in the velocity, or beside both"),
    TS_PARAMS_DECAY (0),
    {NULL},
};

/* The slots behind the mean of squares: what there is of mean and velocity, in this order. */
static void
rmsprop_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  gboolean under = ts_params_text (p, "form")[0] == 'k';
  double eps = ts_params_float (p, "eps");
  TsUpdate u = ts_update_begin (call);

  if (!ts_params_bool (p, "centered")) {
    u.slot[2] = u.slot[1];
    u.slot[1] = NULL;
  }
  u.c[0] = ts_update_number (call, 0);
  u.c[1] = ts_params_float (p, "rho");
  u.c[2] = ts_params_float (p, "momentum");
  u.c[3] = under ? eps : 0;
  u.c[4] = under ? 0 : eps;
  u.c[5] = under;
  call->k->update[TS_UPDATE_RMSPROP][call->dtype](&u);
}

const TsOpClass ts_op_rmsprop = {
    .name = "rmsprop",
    .formula = "v = rho·v + (1 - rho)·g²; [m = rho·m + (1 - rho)·g;] "
               "b = momentum·b + lr·g / sqrt (v - m² + eps); w = w - b",
    .category = "update",
    .doc = "One step of RMSprop on one variable (Hinton 2012; centered: Graves 2013).",
    .in_names = "variable, gradient, lr, squares, mean?, velocity?",
    .min_in = 4,
    .max_in = 6,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16 | 32,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = rmsprop_forward,
};
