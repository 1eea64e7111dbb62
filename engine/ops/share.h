/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For metrics that are the share of lines (@line elements of input 0 each) that are right: the
 * only output is an f64 scalar, the hits over the lines of the whole batch.  Hits are counted
 * per slot. */
void ts_share_infer (TsNode *node, TsValue *out);
TsPartition ts_share_partition (const TsNode *node);

/* Lines in this call. */
gint64 ts_share_lines (const TsCall *call, gint64 line);

/* @hits: of this call's lines. */
void ts_share_forward (TsCall *call, double hits, gint64 line);
void ts_share_combine (TsCall *call, gint64 line);

/* The first largest of n entries; NaN counts as largest. */
gint64 ts_first_largest (TsDtype dtype, const void *x, gsize n);

static inline double
ts_element_at (TsDtype dtype, const void *x, gsize i)
{
  return dtype == TS_F32   ? (double) ((const float *) x)[i]
         : dtype == TS_F64 ? ((const double *) x)[i]
                           : (double) ((const gint32 *) x)[i];
}

G_END_DECLS
