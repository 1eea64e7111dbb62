/* SPDX-License-Identifier: MIT */
#include "engine/ops/softmax.h"

static void
log_softmax_forward (TsCall *call)
{
  gsize n;
  gint64 lines = ts_softmax_lines (call, &n);
  gsize bytes = n * ts_dtype_size (call->dtype);

  for (gint64 i = 0; i < lines; i++)
    call->k->log_softmax[call->dtype]((const char *) call->in[0] + i * bytes,
                                      (char *) call->out[0] + i * bytes, n);
}

static void
log_softmax_grad_forward (TsCall *call)
{
  ts_softmax_grad_forward (call, call->k->log_softmax_grad[call->dtype]);
}

static const TsOpClass log_softmax_grad = {
    .name = "log_softmax_grad",
    .formula = "dx = dy - exp (y)·sum (dy)",
    .category = "activation",
    .doc = "Gradient of log_softmax.",
    .in_names = "y, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 1,
    .infer = ts_softmax_infer,
    .partition = ts_softmax_partition,
    .forward = log_softmax_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5"}, .low = -2, .high = 2},
    {.in = {"f 3 4 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_log_softmax = {
    .name = "log_softmax",
    .formula = "y[i] = x[i] - log (sum of exp (x))",
    .category = "activation",
    .doc = "Logarithms of the probabilities over the last axis; a NaN makes its whole line NaN.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_PROBABILITIES,
    .inplace = 0,
    .infer = ts_softmax_infer,
    .partition = ts_softmax_partition,
    .forward = log_softmax_forward,
    .backward = ts_softmax_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&log_softmax_grad, NULL},
};
