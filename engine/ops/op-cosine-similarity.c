/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/ops/pair-loss.h"

static gboolean
cosine_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_pair_infer (node, out, TS_PAIR_LINES, error);
}

static void
cosine_forward (TsCall *call)
{
  gsize n, lines = ts_pair_lines (call, call->node->in[0], &n);
  gsize size = ts_dtype_size (call->dtype), line = n * size;

  for (gsize i = 0; i < lines; i++)
    call->k->fill[call->dtype](call->k->cosine[call->dtype]((const char *) call->in[0] + i * line,
                                                            (const char *) call->in[1] + i * line,
                                                            n),
                               (char *) call->out[0] + i * size, 1);
}

/* The similarity is symmetric: one gradient with the inputs exchanged. */
static void
cosine_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  for (guint i = 0; i < 2; i++) {
    TsValue *in[] = {node->in[i], node->in[1 - i], grad_out[0]};
    if (want[i])
      grad_in[i] = e->emit (e, "cosine_similarity_grad", in, 3, NULL)->out[0];
  }
}

static void
grad_forward (TsCall *call)
{
  gsize n, lines = ts_pair_lines (call, call->node->in[0], &n);
  gsize size = ts_dtype_size (call->dtype), line = n * size;

  for (gsize i = 0; i < lines; i++) {
    double dy;
    call->k->convert[TS_F64](call->dtype, (const char *) call->in[2] + i * size, &dy, 1, 1);
    call->k->cosine_grad[call->dtype]((const char *) call->in[0] + i * line,
                                      (const char *) call->in[1] + i * line, dy,
                                      (char *) call->out[0] + i * line, n);
  }
}

static const TsOpClass cosine_similarity_grad = {
    .name = "cosine_similarity_grad",
    .formula = "da = dy·(b / |b| - y·a / |a|) / |a|",
    .category = "loss",
    .doc = "Gradient of cosine_similarity.",
    .in_names = "a, b, dy",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_pair_grad_infer,
    .partition = ts_pair_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5", "rows 5"}, .low = -2, .high = 2},
    {.in = {"f 3 4", "f 3 4"}, .low = -2, .high = 2},
};

const TsOpClass ts_op_cosine_similarity = {
    .name = "cosine_similarity",
    .formula = "y = a·b / (|a|·|b|) over the last axis",
    .category = "loss",
    .doc =
        "Cosine of the angle between two lines of numbers, from -1 to 1; 0 where one of them is 0.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .infer = cosine_infer,
    .partition = ts_pair_partition,
    .forward = cosine_forward,
    .backward = cosine_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&cosine_similarity_grad, NULL},
};
