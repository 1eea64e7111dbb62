/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* What ops share that take the last axis of their first input line by line. */

/* Output 0 is like input 0, floats with a last axis of at least one entry; else DTYPE or SHAPE. */
gboolean ts_softmax_infer (TsNode *node, TsValue *out, GError **error);

/* By rows of the batch, or by lines. */
TsPartition ts_softmax_partition (const TsNode *node);

/* How many lines of *n elements a call has. */
gint64 ts_softmax_lines (const TsCall *call, gsize *n);

/* @grad on every line: inputs (y, dy), output dx. */
void ts_softmax_grad_forward (TsCall *call,
                              void (*grad) (const void *y, const void *dy, void *dx, gsize n));

/* The gradient by the op's first part, on (y, dy). */
void ts_softmax_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out,
                          const gboolean *want, TsValue **grad_in);

G_END_DECLS
