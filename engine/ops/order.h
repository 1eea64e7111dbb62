/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/indices.h"

G_BEGIN_DECLS

/* The order of elements of any type: a NaN is the largest, of equals the lower index comes first. */

/* Lines along the axis of input 0. */
typedef struct {
  TsDtype dtype;
  const void *x;
  gint64 n, step; /* elements of a line, and how far apart */
  gboolean descending;
} TsOrder;

/* Element @i of the line comes before element @j. */
gboolean ts_order_before (const TsOrder *o, gint64 i, gint64 j);

/* index[0], index[step], … = the first k of the line, in order. */
void ts_order_first (const TsOrder *o, gint64 k, gint32 *index);

/* Indices in output @which of the first @k of each line and, unless that is output 0, the elements in
 * output 0. */
void ts_order_forward (TsCall *call, gint64 k, gboolean descending, guint which);

/* Outputs 0 (like x) and 1 (indices), with @k elements on the axis; or only indices. */
void ts_order_infer (TsNode *node, TsValue *out, gint64 k, gboolean values);

/* The gradient of the values (output 0) goes where they came from (output 1). */
void ts_order_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                        TsValue **grad_in);

/* argmax, argmin: the index of the first element of each line in order; `axis` goes away. */
gboolean ts_extreme_infer (TsNode *node, TsValue *out, GError **error);
void ts_extreme_forward (TsCall *call, gboolean largest);

G_END_DECLS
