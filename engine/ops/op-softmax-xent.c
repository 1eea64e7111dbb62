/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/op.h"

static gboolean
xent_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = node->in[1]->shape;
  ts_infer_like (node, out, 1, node->in[0]);
  return TRUE;
}

static TsPartition
xent_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

static void
xent_forward (TsCall *call)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];

  for (gint64 i = 0; i < lines; i++) {
    const char *x = (const char *) call->in[0] + i * n * size;
    double loss = call->k->softmax[call->dtype](x, (char *) call->out[1] + i * n * size, n);
    if (label[i] < 0 || label[i] >= (gint64) n) {
      ts_call_fault (call, call->begin + i, label[i], (gint64) n);
      loss = 0;
    } else if (call->dtype == TS_F32) {
      loss -= (double) ((const float *) x)[label[i]];
    } else {
      loss -= ((const double *) x)[label[i]];
    }
    call->k->fill[call->dtype](loss, (char *) call->out[0] + i * size, 1);
  }
}

static void
xent_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  if (want[0] && grad_out[0]) {
    TsValue *in[] = {node->out[1], node->in[1], grad_out[0]};
    grad_in[0] = e->emit (e, "softmax_xent_grad", in, 3, NULL)->out[0];
  }
}

static double
xent_flops (const TsNode *node, gint64 batch)
{
  const TsShape *x = &node->in[0]->shape;

  return 5.0 * (x->dim[0] == TS_ANY ? (double) batch * ts_shape_row_elems (x)
                                    : (double) ts_shape_elems (x));
}

static gboolean
xent_grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
xent_grad_forward (TsCall *call)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];

  for (gint64 i = 0; i < lines; i++) {
    const char *p = (const char *) call->in[0] + i * n * size;
    char *dx = (char *) call->out[0] + i * n * size;
    gboolean valid = label[i] >= 0 && label[i] < (gint64) n;
    double dl = call->dtype == TS_F32 ? (double) ((const float *) call->in[2])[i]
                                      : ((const double *) call->in[2])[i];
    double hit = !valid                  ? 0
                 : call->dtype == TS_F32 ? (double) ((const float *) p)[label[i]]
                                         : ((const double *) p)[label[i]];
    call->k->scale[call->dtype](p, valid ? dl : 0, dx, n);
    if (valid)
      call->k->fill[call->dtype]((hit - 1) * dl, dx + (gsize) label[i] * size, 1);
  }
}

static const TsOpClass softmax_xent_grad = {
    .name = "softmax_xent_grad",
    .formula = "dlogits = (softmax (logits) - one_hot (labels))·dloss",
    .category = "loss",
    .doc = "Gradient of softmax_xent; a line with a bad label has none.",
    .in_names = "probabilities, labels, dloss",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = xent_grad_infer,
    .partition = xent_partition,
    .forward = xent_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7", "labels 7"}, .low = -3, .high = 3},
    {.in = {"f 4 5", "int 4 5"}, .low = -3, .high = 3},
};

const TsOpClass ts_op_softmax_xent = {
    .name = "softmax_xent",
    .formula = "loss = log (sum of exp (logits)) - logits[label]",
    .category = "loss",
    .doc =
        "Cross-entropy of each line of logits with its class number; the second output holds the "
        "probabilities.",
    .in_names = "logits, labels",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_LOGITS,
    .inplace = -1,
    .no_gradient = 1 << 1,
    .infer = xent_infer,
    .partition = xent_partition,
    .forward = xent_forward,
    .backward = xent_backward,
    .flops = xent_flops,
    .fault_text = ts_label_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softmax_xent_grad, NULL},
};
