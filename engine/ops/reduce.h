/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* What the reductions share: which axes they reduce, and the sums.  Sums are kept in double: inside a
 * row in eight lanes or along its elements, over the batch one partial per slot, added by the fixed
 * tree.  Other reductions go line by line (lines.h). */

extern const TsParamSpec ts_reduce_params[]; /* axes: a list, empty means all; keepdims */

/* Bit i: axis i of @x is reduced.  `infer` has checked the parameter. */
guint ts_reduce_axes (const TsNode *node, const TsValue *x);

/* @x with every reduced axis of size 1: what its values are spread from. */
TsShape ts_reduce_kept (const TsNode *node, const TsValue *x);

/* How many elements go into one output element of @node or, for a gradient (dy, x), went into it. */
double ts_reduce_count (const TsCall *call);

/* Floats, or booleans, of the input's shape without the reduced axes.  PARAM names an axis outside. */
gboolean ts_reduce_infer (TsNode *node, TsValue *out, GError **error);
gboolean ts_reduce_infer_bool (TsNode *node, TsValue *out, GError **error);
/* Only the checks, for ops whose first parameter is `axes`, too. */
gboolean ts_reduce_infer_axes (const TsNode *node, GError **error);

/* The output is factor · sum. */
TsPartition ts_sum_partition (const TsNode *node);
gsize ts_sum_workspace (const TsNode *node);
void ts_sum_forward (TsCall *call, double factor);
void ts_sum_combine (TsCall *call, double factor);

/* Sums the rows of input 0, each of shape @row, to @target, of the same rank or less: one sum for every
 * row when @own, else one for all, kept in the call's partial. */
void ts_sum_rows (TsCall *call, const TsShape *row, const TsShape *target, gint64 rows,
                  gboolean own, double factor);

/* The gradient spreads dy·factor over input 1's shape: inputs (dy, x), output like x. */
gboolean ts_spread_infer (TsNode *node, TsValue *out, GError **error);
TsPartition ts_spread_partition (const TsNode *node);
void ts_spread_forward (TsCall *call, double factor);

/* @value, of the reduction @node's output shape, spread over its input's shape. */
TsValue *ts_emit_spread (TsEmitter *e, const TsNode *node, TsValue *value);

G_END_DECLS
