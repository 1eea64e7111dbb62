/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* What sum and mean share.  The reduced axes are one run of neighbours, so a value is seen as
 * [outer, reduced, inner].  Sums are kept in double: inside a row in eight lanes, over the batch one
 * partial per slot, added by the fixed tree. */

extern const TsParamSpec ts_reduce_params[]; /* axes: a list; empty means all */

typedef struct {
  gint64 outer, reduced, inner; /* of one row for ROWS inputs, of everything else */
  gboolean batch;               /* the batch axis is among the reduced ones (then outer is 1) */
} TsReduceView;

/* @node's view of input 0, whose axes `infer` has checked. */
TsReduceView ts_reduce_view (const TsNode *node);

/* How many elements go into one output element. */
double ts_reduce_count (const TsCall *call);

gboolean ts_reduce_infer (TsNode *node, TsValue *out, GError **error);
TsPartition ts_reduce_partition (const TsNode *node);

/* Output = factor · sum. */
void ts_reduce_forward (TsCall *call, double factor);
void ts_reduce_combine (TsCall *call, double factor);

/* The gradient spreads dy·factor over input 0's shape: inputs (dy, x), output like x. */
gboolean ts_spread_infer (TsNode *node, TsValue *out, GError **error);
TsPartition ts_spread_partition (const TsNode *node);
void ts_spread_forward (TsCall *call, double factor);

G_END_DECLS
