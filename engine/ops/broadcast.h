/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* Broadcasting as NumPy does it: shapes are aligned at the right, axes of size 1 stretch.  The batch
 * axis takes part as axis 0; what has no batch axis, or one of size 1, is the same for every row. */

#define TS_BROADCAST_MAX 3

/* How operands are read while the output is written from its first element to its last: axes with
 * their neighbours merged where all operands go on evenly, and each operand's step in elements, 0
 * where it is stretched.  The innermost steps are 0 or 1. */
typedef struct {
  guint rank; /* at least 1 */
  gint64 dim[TS_SHAPE_MAX];
  gint64 step[TS_BROADCAST_MAX][TS_SHAPE_MAX];
} TsBroadcast;

/* The common shape of @a and @b.  SHAPE names the op of @node and both shapes. */
gboolean ts_broadcast_shapes (const TsNode *node, const TsShape *a, const TsShape *b, TsShape *out,
                              GError **error);

/* @out is known in full; operands have at most its rank, TS_ANY stands for out's first axis. */
void ts_broadcast_init (TsBroadcast *w, const TsShape *out, const TsShape *const *in, guint n_in);

/* Where operand @i lies when the output is at element @at, in elements. */
gint64 ts_broadcast_offset (const TsBroadcast *w, guint i, gint64 at);

/* @shape as one row of a value of rank @rank sees it: without the batch axis, or the axis of size 1 in
 * its place. */
TsShape ts_broadcast_row (const TsShape *shape, guint rank);

/* A gradient @g of the stretched shape, summed to the shape of @like; @g itself when it has it. */
TsValue *ts_emit_sum_to (TsEmitter *e, TsValue *g, TsValue *like);

G_END_DECLS
