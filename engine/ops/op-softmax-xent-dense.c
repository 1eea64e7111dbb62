/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static gboolean
dense_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_pair_infer (node, out, TS_PAIR_LINES, error))
    return FALSE;
  ts_infer_like (node, out, 1, node->in[0]);
  return TRUE;
}

static void
dense_forward (TsCall *call)
{
  gsize n, lines = ts_pair_lines (call, call->node->in[0], &n);
  gsize size = ts_dtype_size (call->dtype), line = n * size;

  for (gsize i = 0; i < lines; i++) {
    const char *x = (const char *) call->in[0] + i * line;
    double lse = call->k->softmax[call->dtype](x, (char *) call->out[1] + i * line, n);
    double loss =
        call->k->dense_xent[call->dtype](x, (const char *) call->in[1] + i * line, lse, n);
    call->k->fill[call->dtype](loss, (char *) call->out[0] + i * size, 1);
  }
}

static void
dense_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  TsValue *in[] = {node->out[1], node->in[1], grad_out[0]};

  if (want[0] && grad_out[0])
    grad_in[0] = e->emit (e, "softmax_xent_dense_grad", in, 3, NULL)->out[0];
}

static void
grad_forward (TsCall *call)
{
  gsize n, lines = ts_pair_lines (call, call->node->in[0], &n);
  gsize size = ts_dtype_size (call->dtype), line = n * size;

  for (gsize i = 0; i < lines; i++) {
    double dl;
    call->k->convert[TS_F64](call->dtype, (const char *) call->in[2] + i * size, &dl, 1, 1);
    call->k->dense_xent_grad[call->dtype]((const char *) call->in[0] + i * line,
                                          (const char *) call->in[1] + i * line, dl,
                                          (char *) call->out[0] + i * line, n);
  }
}

static const TsOpClass softmax_xent_dense_grad = {
    .name = "softmax_xent_dense_grad",
    .formula = "dlogits = (softmax (logits)·(sum of labels) - labels)·dloss",
    .category = "loss",
    .doc = "Gradient of softmax_xent_dense.",
    .in_names = "probabilities, labels, dloss",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = ts_pair_grad_infer,
    .partition = ts_pair_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6", "rows 6"}, .low = -2, .high = 2},
    {.in = {"f 3 5", "f 3 5"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_softmax_xent_dense = {
    .name = "softmax_xent_dense",
    .formula = "loss = sum over classes of label·(log (sum of exp (logits)) - logits)",
    .category = "loss",
    .doc = "Cross-entropy of each line of logits with a distribution over the classes; the second "
           "output holds the probabilities, and no gradient flows to the labels.",
    .in_names = "logits, labels",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_LOGITS,
    .less_is_better = TRUE,
    .inplace = -1,
    .no_gradient = 1 << 1,
    .infer = dense_infer,
    .partition = ts_pair_partition,
    .forward = dense_forward,
    .backward = dense_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softmax_xent_dense_grad, NULL},
};
