/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

#include <math.h>

static const TsParamSpec rate_params[] = {
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,
    {NULL},
};

static gboolean
rate_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_numbers (node, out, 4);
}

/* While the variance of v cannot be estimated (rho up to 5), the step is not divided by its root. */
static void
rate_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  double lr = *(const double *) call->in[0], *step = (void *) call->in[1], *out = call->out[0];
  double beta2 = ts_params_float (p, "beta2");

  *step += 1;
  double t = *step, power = pow (beta2, t);
  double c1 = 1 - pow (ts_params_float (p, "beta1"), t), c2 = 1 - power;
  double most = 2 / (1 - beta2) - 1, rho = most - 2 * t * power / c2;
  gboolean divides = rho > 5;
  double r = divides ? sqrt ((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho)) : 1;
  out[0] = lr;
  out[1] = divides ? lr * r * sqrt (c2) / c1 : lr / c1;
  out[2] = divides ? ts_params_float (p, "eps") : 1;
  out[3] = divides;
}

const TsOpClass ts_op_radam_rate = {
    .name = "radam_rate",
    .formula = "t = t + 1; rate = lr·r (t)·sqrt (1 - beta2^t) / (1 - beta1^t)",
    .category = "update",
    .doc = "The numbers of a step of Adam whose rate grows as the estimate of the variance gets "
           "reliable "
           "(Liu et al. 2020).",
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
