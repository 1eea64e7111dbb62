/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* What the element-wise ops of one input share: the formulas are in engine/tensor/kernel-unary-list.inc,
 * an op names its own in `kernel`.  The first two FLOAT parameters are the formula's p and q. */

/* The output is like the input: a float; or a float, i32 or i64; or a boolean. */
gboolean ts_unary_infer (TsNode *node, TsValue *out, GError **error);
gboolean ts_unary_infer_number (TsNode *node, TsValue *out, GError **error);
/* Booleans about floats. */
gboolean ts_unary_infer_test (TsNode *node, TsValue *out, GError **error);

void ts_unary_forward (TsCall *call);

/* Emits the op's first part, which TS_UNARY_GRAD made, on (x or y, dy) with the same parameters. */
void ts_unary_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                        TsValue **grad_in);
void ts_unary_grad_forward (TsCall *call);

/* The same with another member and numbers of its own, for ops of several forms. */
void ts_unary_forward_as (TsCall *call, TsUnary kernel, double p, double q);
void ts_unary_grad_forward_as (TsCall *call, TsUnary kernel, double p, double q);

/* The gradient class NAME_grad of the op NAME.  @INPUT: "x" or "y", what it is computed from. */
#define TS_UNARY_GRAD(NAME, INPUT, FORMULA, PARAMS, FORWARD)                                       \
  static const TsOpClass NAME##_grad = {                                                           \
      .name = #NAME "_grad",                                                                       \
      .formula = FORMULA,                                                                          \
      .category = "element-wise",                                                                  \
      .doc = "Gradient of " #NAME ".",                                                             \
      .in_names = INPUT ", dy",                                                                    \
      .min_in = 2,                                                                                 \
      .max_in = 2,                                                                                 \
      .params = PARAMS,                                                                            \
      .flags = TS_OP_INTERNAL,                                                                     \
      .inplace = 1,                                                                                \
      .kernel = TS_UNARY_##NAME,                                                                   \
      .infer = ts_unary_infer,                                                                     \
      .forward = FORWARD,                                                                          \
  }

G_END_DECLS
