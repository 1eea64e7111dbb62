/* SPDX-License-Identifier: MIT */
#include "engine/ops/update.h"

#include <math.h>

static const TsParamSpec params[] = {
    {"beta1", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "decay of the first moment"},
    {"beta2", TS_PARAM_FLOAT, .number = 0.999, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "decay of the second moment"},
    {NULL},
};

static const TsParamSpec rate_params[] = {
    {"beta1", TS_PARAM_FLOAT, .number = 0.9, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "decay of the first moment"},
    {"beta2", TS_PARAM_FLOAT, .number = 0.999, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "decay of the second moment"},
    {"eps", TS_PARAM_FLOAT, .number = 1e-7, .min = 0, .max = 1, .doc = "keeps the division finite"},
    {"form", TS_PARAM_WORD, .text = "keras", .words = "keras|torch",
     .doc = "where eps is added: to sqrt (v) before or after its bias correction"},
    {NULL},
};

static void
adam_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;

  call->k->adam[call->dtype]((void *) call->in[0], (void *) call->in[2], (void *) call->in[3],
                             call->in[1], ts_update_elems (call), ts_call_scalar (call, 4, 0),
                             ts_call_scalar (call, 4, 1), ts_params_float (p, "beta1"),
                             ts_params_float (p, "beta2"));
}

static gboolean
rate_infer (TsNode *node, TsValue *out, GError **error)
{
  node->n_out = 1;
  out[0].dtype = TS_F64;
  out[0].shape = TS_SHAPE (2);
  return TRUE;
}

/* Both forms are one update with its own rate and eps: with c1, c2 the corrections, torch's
 * lr·(m/c1)/(sqrt (v/c2) + eps) is (lr·sqrt (c2)/c1)·m/(sqrt (v) + eps·sqrt (c2)). */
static void
rate_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  double lr = ts_call_scalar (call, 0, 0), *step = (void *) call->in[1], *out = call->out[0];

  *step += 1;
  double c1 = 1 - pow (ts_params_float (p, "beta1"), *step);
  double c2 = 1 - pow (ts_params_float (p, "beta2"), *step);
  double eps = ts_params_float (p, "eps");
  out[0] = lr * sqrt (c2) / c1;
  out[1] = ts_params_text (p, "form")[0] == 't' ? eps * sqrt (c2) : eps;
}

static const TsOpClass adam_rate = {
    .name = "adam_rate",
    .formula = "t = t + 1; rate = lr·sqrt (1 - beta2^t) / (1 - beta1^t)",
    .category = "update",
    .doc = "Counts the step and corrects the bias of both moments for all variables at once.",
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
               "w = w - rate·m / (sqrt (v) + eps)",
    .category = "update",
    .doc = "One step of Adam on one variable (Kingma, Ba 2015, with the correction in the rate).",
    .in_names = "variable, gradient, m, v, rate",
    .min_in = 5,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1 | 4 | 8,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = adam_forward,
    .parts = (const TsOpClass *const[]){&adam_rate, NULL},
};
