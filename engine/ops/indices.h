/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/layout.h"

G_BEGIN_DECLS

/* What ops that pick elements by number share, and those that go along one axis: the parameter `axis`
 * of all of them counts the batch as 0. */

/* A shape around one axis: outer·n·inner elements. */
typedef struct {
  gint64 outer, n, inner;
} TsAxisView;

TsAxisView ts_axis_view (const TsShape *s, guint axis);

/* The axis that the parameter `axis` means on input 0, and whether there is one (PARAM). */
guint ts_axis_of (const TsNode *node);
gboolean ts_infer_axis (const TsNode *node, GError **error);

/* By rows, unless the axis is the batch itself. */
TsPartition ts_axis_partition (const TsNode *node);

/* Input @i is of integers: DTYPE. */
gboolean ts_infer_indices (const TsNode *node, guint i, GError **error);

/* Inputs @first and @second have the same shape, except, unless @whole, on the axis: SHAPE. */
gboolean ts_infer_along (const TsNode *node, guint first, guint second, gboolean whole,
                         GError **error);

gint64 ts_index_get (TsDtype dtype, const void *indices, gint64 i);
/* The number of index 0 of this call among all of @indices: the position in a fault. */
gint64 ts_index_first (const TsCall *call, const TsValue *indices);
char *ts_index_fault (const TsNode *node, const TsFault *f);

/* sum[o, indices[o, j, i], i] += x[o, j, i] along the axis, in order; @n: the size of sum's axis.  x and sum are
 * of output 0's type: floats, i32 or i64.  What is out of range is left out, and is a fault with @report. */
void ts_add_along (TsCall *call, const TsValue *indices, const void *at, const void *x, gint64 n,
                   void *sum, gboolean report);

/* Where tuple @i of @k indices points in the first axes of @s, in elements; -1 when it is outside, which is a
 * fault with @report. */
gint64 ts_tuple_offset (TsCall *call, const TsValue *indices, const void *at, gint64 i,
                        const TsShape *s, gboolean report);

/* sum[indices[i]] += x[i], where an element of x and sum is all that the tuples leave open; sum has shape
 * @s and starts with zeros.  Types as above. */
void ts_add_tuples (TsCall *call, const TsValue *indices, const void *at, const void *x,
                    const TsShape *s, void *sum, gboolean report);

G_END_DECLS
