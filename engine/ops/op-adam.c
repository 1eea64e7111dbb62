/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

#include <math.h>

static const TsParamSpec params[] = {
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAMS_DECAY (0),
    {NULL},
};

static const TsParamSpec rate_params[] = {
    TS_PARAM_BETA1 (0.9),
    TS_PARAM_BETA2 (0.999, "mean of squares"),
    TS_PARAM_EPS,
    TS_PARAM_FORM ("where eps is added: to sqrt (v) before or after its bias correction"),
    {NULL},
};

static void
adam_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  for (guint i = 0; i < 3; i++)
    u.c[i] = ts_update_number (call, i + 1);
  u.c[3] = ts_params_float (p, "beta1");
  u.c[4] = ts_params_float (p, "beta2");
  call->k->update[TS_UPDATE_ADAM][call->dtype](&u);
}

static gboolean
rate_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_numbers (node, out, 4);
}

/* Both forms are one update with its own rate and eps: with c1, c2 the corrections, torch's
 * lr·(m/c1)/(sqrt (v/c2) + eps) is (lr·sqrt (c2)/c1)·m/(sqrt (v) + eps·sqrt (c2)). */
static void
rate_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  double lr = *(const double *) call->in[0], *step = (void *) call->in[1], *out = call->out[0];

  *step += 1;
  double c1 = 1 - pow (ts_params_float (p, "beta1"), *step);
  double c2 = 1 - pow (ts_params_float (p, "beta2"), *step);
  double eps = ts_params_float (p, "eps");
  out[0] = lr;
  out[1] = lr * sqrt (c2) / c1;
  out[2] = ts_params_text (p, "form")[0] == 't' ? eps * sqrt (c2) : eps;
  out[3] = 1;
}

static const TsOpClass adam_rate = {
    .name = "adam_rate",
    .formula = "t = t + 1; rate = lr·sqrt (1 - beta2^t) / (1 - beta1^t)",
    .category = "update",
    .doc = "Counts the step and corrects the bias of both moments for all variables at once: "
           "lr, rate, eps, share of the root.",
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

const TsOpClass ts_op_adam = {
    .name = "adam",
    .formula = "m = beta1·m + (1 - beta1)·g; v = beta2·v + (1 - beta2)·g²; "
               "w = w - rate·m / (share·sqrt (v) + eps)",
    .category = "update",
    .doc = "One step of Adam on one variable (Kingma, Ba 2015, with the correction in the rate); "
           "with a "
           "third slot it divides by the largest v so far (AMSGrad; Reddi, Kale, Kumar 2018).",
    .in_names = "variable, gradient, numbers, m, v, largest?",
    .min_in = 5,
    .max_in = 6,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16 | 32,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = adam_forward,
    .parts = (const TsOpClass *const[]){&adam_rate, NULL},
};
