/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For ops that change variables: input 0 is the variable, input 1 its gradient, then its slots (all
 * of one shape and type), then scalars.  No outputs. */
gboolean ts_infer_update (TsNode *node, TsValue *out, GError **error);

/* Blocks of the variable; everything shaped like it is cut along. */
TsPartition ts_partition_update (const TsNode *node);

/* Elements in this call. */
gsize ts_update_elems (const TsCall *call);

/* Element @i of the f64 input @input. */
double ts_call_scalar (const TsCall *call, guint input, guint i);

G_END_DECLS
