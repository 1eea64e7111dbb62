/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/broadcast.h"

G_BEGIN_DECLS

/* What the element-wise ops of two and three inputs share: the formulas are in
 * engine/tensor/kernel-binary-list.inc, an op names its own in `kernel`. */

/* The inputs have one type and broadcast.  DTYPE and SHAPE name the op and what does not fit.
 * float, number: the output has that type; compare: numbers give booleans; bool: booleans throughout. */
gboolean ts_binary_infer_float (TsNode *node, TsValue *out, GError **error);
gboolean ts_binary_infer_number (TsNode *node, TsValue *out, GError **error);
gboolean ts_binary_infer_compare (TsNode *node, TsValue *out, GError **error);
gboolean ts_binary_infer_bool (TsNode *node, TsValue *out, GError **error);
/* (boolean, numbers…) gives numbers. */
gboolean ts_binary_infer_select (TsNode *node, TsValue *out, GError **error);

/* Ops with `fault_text` report integer divisors that are 0. */
void ts_binary_forward (TsCall *call);
char *ts_binary_fault_text (const TsNode *node, const TsFault *fault);

/* The first output of a new node on two or three values (@c may be NULL). */
TsValue *ts_emit_op (TsEmitter *e, const char *op, TsValue *a, TsValue *b, TsValue *c);

/* For ops whose first two parts are the gradients of a and b on (dy, a, b). */
void ts_binary_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                         TsValue **grad_in);

/* A gradient class on (dy, …) of the op's stretched shape. */
#define TS_BINARY_GRAD(NAME, INPUTS, N_IN, FORMULA, INFER)                                         \
  static const TsOpClass NAME = {                                                                  \
      .name = #NAME,                                                                               \
      .formula = FORMULA,                                                                          \
      .category = "element-wise",                                                                  \
      .doc = "Part of a gradient, before what was stretched is summed.",                           \
      .in_names = INPUTS,                                                                          \
      .min_in = N_IN,                                                                              \
      .max_in = N_IN,                                                                              \
      .flags = TS_OP_INTERNAL | TS_OP_BROADCAST,                                                   \
      .inplace = -1,                                                                               \
      .kernel = TS_BINARY_##NAME,                                                                  \
      .infer = INFER,                                                                              \
      .forward = ts_binary_forward,                                                                \
  }

G_END_DECLS
