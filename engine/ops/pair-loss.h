/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* Losses of a prediction and a target of one shape: per element, or (TS_PAIR_LINES) summed over the
 * last axis, one number per line.  A file of such a loss states its kernel and its words and uses
 * TS_PAIR_LOSS_FUNCS. */

typedef enum {
  TS_PAIR_ELEMENTS, /* the output has the inputs' shape */
  TS_PAIR_LINES,    /* the last axis is summed */
} TsPairForm;

/* Inputs 0 and 1 are floats of one shape; output 0 as @form says. */
gboolean ts_pair_infer (TsNode *node, TsValue *out, TsPairForm form, GError **error);
gsize ts_pair_workspace (const TsNode *node, TsPairForm form);
TsPartition ts_pair_partition (const TsNode *node);

/* @p0, @p1: of the kernel. */
void ts_pair_forward (TsCall *call, TsPairForm form, TsPairLoss loss, double p0, double p1);
/* Inputs are prediction, target, dloss; parameter _wrt says for which. */
void ts_pair_grad_forward (TsCall *call, TsPairForm form, TsPairLoss loss, double p0, double p1);
/* Emits @grad_op for the wanted inputs, of which the first @n_inputs have a gradient. */
void ts_pair_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                       TsValue **grad_in, const char *grad_op, guint n_inputs);
gboolean ts_pair_grad_infer (TsNode *node, TsValue *out, GError **error);

/* Lines of the last axis in a rows or whole call on @x, and their length. */
gsize ts_pair_lines (const TsCall *call, const TsValue *x, gsize *n);

/* Last entry of a loss' parameters: which input its gradient is for. */
#define TS_PAIR_PARAM_WRT                                                                          \
  {                                                                                                \
    "_wrt", TS_PARAM_INT, .min = 0, .max = 1, .doc = "0: the prediction, 1: the target"            \
  }

/* The functions and the gradient class of the loss @id, called @text; P0 and P1 may use `p`, the node's
 * parameters.  N: inputs with a gradient. */
#define TS_PAIR_LOSS_FUNCS(id, text, FORM, LOSS, P0, P1, N)                                        \
  static gboolean id##_infer (TsNode *node, TsValue *out, GError **error)                          \
  {                                                                                                \
    return ts_pair_infer (node, out, FORM, error);                                                 \
  }                                                                                                \
  static gsize id##_workspace (const TsNode *node)                                                 \
  {                                                                                                \
    return ts_pair_workspace (node, FORM);                                                         \
  }                                                                                                \
  static void id##_forward (TsCall *call)                                                          \
  {                                                                                                \
    G_GNUC_UNUSED const TsParams *p = &call->node->params;                                         \
    ts_pair_forward (call, FORM, LOSS, P0, P1);                                                    \
  }                                                                                                \
  static void id##_grad_forward (TsCall *call)                                                     \
  {                                                                                                \
    G_GNUC_UNUSED const TsParams *p = &call->node->params;                                         \
    ts_pair_grad_forward (call, FORM, LOSS, P0, P1);                                               \
  }                                                                                                \
  static void id##_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out,                 \
                             const gboolean *want, TsValue **grad_in)                              \
  {                                                                                                \
    ts_pair_backward (e, node, grad_out, want, grad_in, text "_grad", N);                          \
  }                                                                                                \
  static const TsOpClass id##_grad = {                                                             \
      .name = text "_grad",                                                                        \
      .formula = "dx = dloss·(derivative of the loss)",                                            \
      .category = "loss",                                                                          \
      .doc = "Gradient of " text " with respect to its prediction or its target.",                 \
      .in_names = "prediction, target, dloss",                                                     \
      .min_in = 3,                                                                                 \
      .max_in = 3,                                                                                 \
      .params = params,                                                                            \
      .flags = TS_OP_INTERNAL,                                                                     \
      .inplace = -1,                                                                               \
      .infer = ts_pair_grad_infer,                                                                 \
      .partition = ts_pair_partition,                                                              \
      .workspace = id##_workspace,                                                                 \
      .forward = id##_grad_forward,                                                                \
  }

/* The fields of the loss' own class that follow from the above. */
#define TS_PAIR_LOSS_FIELDS(id)                                                                    \
  .category = "loss", .less_is_better = TRUE, .min_in = 2, .max_in = 2, .params = params,          \
  .inplace = -1, .infer = id##_infer, .partition = ts_pair_partition, .workspace = id##_workspace, \
  .forward = id##_forward, .backward = id##_backward, .examples = examples,                        \
  .n_examples = G_N_ELEMENTS (examples), .parts = (const TsOpClass *const[])                       \
  {                                                                                                \
    &id##_grad, NULL                                                                               \
  }

G_END_DECLS
