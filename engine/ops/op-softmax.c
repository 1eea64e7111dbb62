/* SPDX-License-Identifier: MIT */
#include "engine/ops/softmax.h"

static void
softmax_forward (TsCall *call)
{
  gsize n;
  gint64 lines = ts_softmax_lines (call, &n);
  gsize bytes = n * ts_dtype_size (call->dtype);

  for (gint64 i = 0; i < lines; i++)
    call->k->softmax[call->dtype]((const char *) call->in[0] + i * bytes,
                                  (char *) call->out[0] + i * bytes, n);
}

static void
softmax_grad_forward (TsCall *call)
{
  ts_softmax_grad_forward (call, call->k->softmax_grad[call->dtype]);
}

static const TsOpClass softmax_grad = {
    .name = "softmax_grad",
    .formula = "dx = y·(dy - sum (y·dy))",
    .category = "activation",
    .doc = "Gradient of softmax.",
    .in_names = "y, dy",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 1,
    .infer = ts_softmax_infer,
    .partition = ts_softmax_partition,
    .forward = softmax_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5"}, .low = -2, .high = 2},
    {.in = {"f 3 4 6"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_softmax = {
    .name = "softmax",
    .formula = "y[i] = exp (x[i]) / sum of exp (x)",
    .category = "activation",
    .doc = "Turns the last axis into probabilities; a NaN makes its whole line NaN.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .flags = TS_OP_PROBABILITIES,
    .inplace = 0,
    .infer = ts_softmax_infer,
    .partition = ts_softmax_partition,
    .forward = softmax_forward,
    .backward = ts_softmax_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softmax_grad, NULL},
};
