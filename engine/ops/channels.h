/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For ops that see a value as lines of channels, its last axis. */

gint64 ts_channels (const TsValue *x);
/* Lines of one batch row, or of the whole value when it has no batch. */
gint64 ts_channel_lines (const TsValue *x);
/* Lines in a rows or whole call. */
gsize ts_call_channel_lines (const TsCall *call, const TsValue *x);

/* SHAPE unless every input from @first on is one vector with an entry per channel of input 0. */
gboolean ts_infer_per_channel (const TsNode *node, guint first, GError **error);

/* Sums over lines of @n_sums vectors of channels: by slots of double partials, or at once into the
 * workspace when there is no batch.  A forward function asks for the sums to add to (zero at first),
 * and calls ts_sums_finish when it is done; `combine` is ts_sums_combine.  Outputs are the vectors. */
TsPartition ts_sums_partition (const TsNode *node, gint64 channels, guint n_sums);
gsize ts_sums_bytes (gint64 channels, guint n_sums);
double *ts_sums_begin (const TsCall *call, gint64 channels, guint n_sums);
void ts_sums_finish (const TsCall *call, gint64 channels, guint n_sums);
void ts_sums_combine (TsCall *call);

/* Pooling over all pixels: [batch, …, channels] -> [batch, channels]. */
gboolean ts_infer_global_pool (TsNode *node, TsValue *out, GError **error);
/* Pixels of one image. */
gsize ts_global_pixels (const TsValue *x);
/* Output 0 has input 1's shape. */
gboolean ts_infer_like_second (TsNode *node, TsValue *out, GError **error);

G_END_DECLS
