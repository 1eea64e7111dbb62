/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

#include <math.h>

static const TsParamSpec params[] = {
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "largest gradient"),
    TS_PARAM_EPS,
    TS_PARAM_FORM ("eps beside the norm, or on every gradient that it is the largest of"),
    TS_PARAMS_DECAY (0),
    {NULL},
};

static const TsParamSpec rate_params[] = {
    TS_PARAM_BETA1 (0.9),
    {NULL},
};

static void
adamax_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  gboolean inside = ts_params_text (p, "form")[0] == 't';
  double eps = ts_params_float (p, "eps");

  u.c[0] = ts_update_number (call, 1);
  u.c[1] = ts_params_float (p, "beta1");
  u.c[2] = ts_params_float (p, "beta2");
  u.c[3] = inside ? eps : 0;
  u.c[4] = inside ? 0 : eps;
  call->k->update[TS_UPDATE_ADAMAX][call->dtype](&u);
}

static gboolean
rate_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_numbers (node, out, 2);
}

static void
rate_forward (TsCall *call)
{
  double lr = *(const double *) call->in[0], *step = (void *) call->in[1], *out = call->out[0];

  *step += 1;
  out[0] = lr;
  out[1] = lr / (1 - pow (ts_params_float (&call->node->params, "beta1"), *step));
}

static const TsOpClass adamax_rate = {
    .name = "adamax_rate",
    .formula = "t = t + 1; rate = lr / (1 - beta1^t)",
    .category = "update",
    .doc = "Counts the step and corrects the bias of the mean.",
    .in_names = "lr, t",
    .min_in = 2,
    .max_in = 2,
    .params = rate_params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 2,
    .infer = rate_infer,
    .partition = ts_partition_whole,
    .forward = rate_forward,
};

const TsOpClass ts_op_adamax = {
    .name = "adamax",
    .formula = "m = beta1·m + (1 - beta1)·g; u = max (beta2·u, |g|); w = w - rate·m / (u + eps)",
    .category = "update",
    .doc = "One step of Adamax on one variable (Kingma, Ba 2015).",
    .in_names = "variable, gradient, numbers, m, norm",
    .min_in = 5,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = adamax_forward,
    .parts = (const TsOpClass *const[]){&adamax_rate, NULL},
};
