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
    {"momentum_decay", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e6,
     .doc = "how fast the momentum warms up: 1 as in Keras, 0.004 as in PyTorch"},
    TS_PARAM_FORM ("the product of momenta that corrects the mean as in Keras or in PyTorch"),
    {NULL},
};

static void
nadam_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  TsUpdate u = ts_update_begin (call);

  u.c[0] = ts_update_number (call, 1);
  u.c[1] = ts_update_number (call, 2);
  u.c[2] = ts_update_number (call, 3);
  u.c[3] = ts_params_float (p, "beta1");
  u.c[4] = ts_params_float (p, "beta2");
  call->k->update[TS_UPDATE_NADAM][call->dtype](&u);
}

static gboolean
rate_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_infer_numbers (node, out, 4);
}

static double
momentum_at (const TsParams *p, double t)
{
  return ts_params_float (p, "beta1") *
         (1 - 0.5 * pow (0.96, t * ts_params_float (p, "momentum_decay")));
}

/* m and g are each corrected by the product of the momenta so far; sqrt (1 - beta2^t) is taken into the
 * rates and eps.  PyTorch has the momentum of the step twice in the product that corrects m. */
static void
rate_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  double lr = *(const double *) call->in[0], *out = call->out[0];
  double *step = (void *) call->in[1], *product = (void *) call->in[2];

  *step += 1;
  double mu = momentum_at (p, *step), next = momentum_at (p, *step + 1);
  *product *= mu;
  double ahead = *product * next * (ts_params_text (p, "form")[0] == 't' ? mu : 1);
  double root = sqrt (1 - pow (ts_params_float (p, "beta2"), *step));
  out[0] = lr;
  out[1] = lr * root * next / (1 - ahead);
  out[2] = lr * root * (1 - mu) / (1 - *product);
  out[3] = ts_params_float (p, "eps") * root;
}

static const TsOpClass nadam_rate = {
    .name = "nadam_rate",
    .formula = "mu (t) = beta1·(1 - 0.5·0.96^(t·momentum_decay)); P = product of mu",
    .category = "update",
    .doc = "Counts the step and works out the rates of mean and gradient; P starts at 1.",
    .in_names = "lr, t, P",
    .min_in = 3,
    .max_in = 3,
    .params = rate_params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 2 | 4,
    .infer = rate_infer,
    .partition = ts_partition_whole,
    .forward = rate_forward,
};

const TsOpClass ts_op_nadam = {
    .name = "nadam",
    .formula = "m = beta1·m + (1 - beta1)·g; v = beta2·v + (1 - beta2)·g²; "
               "w = w - (rate1·m + rate2·g) / (sqrt (v) + eps)",
    .category = "update",
    .doc = "One step of Nadam on one variable: Adam that looks ahead (Dozat 2016).",
    .in_names = "variable, gradient, numbers, m, v",
    .min_in = 5,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 8 | 16,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = nadam_forward,
    .parts = (const TsOpClass *const[]){&nadam_rate, NULL},
};
