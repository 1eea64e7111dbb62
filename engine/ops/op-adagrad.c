/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

static const TsParamSpec params[] = {
    TS_PARAM_EPS,
    TS_PARAM_FORM ("eps under the root, or beside it"),
    TS_PARAMS_DECAY (0),
    {NULL},
};

static void
adagrad_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  gboolean under = ts_params_text (p, "form")[0] == 'k';
  double eps = ts_params_float (p, "eps");

  u.c[0] = ts_update_number (call, 0);
  u.c[1] = under ? eps : 0;
  u.c[2] = under ? 0 : eps;
  call->k->update[TS_UPDATE_ADAGRAD][call->dtype](&u);
}

const TsOpClass ts_op_adagrad = {
    .name = "adagrad",
    .formula = "s = s + g²; w = w - lr·g / sqrt (s + eps)",
    .category = "update",
    .doc = "One step of Adagrad on one variable (Duchi, Hazan, Singer 2011).",
    .in_names = "variable, gradient, lr, squares",
    .min_in = 4,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = adagrad_forward,
};
