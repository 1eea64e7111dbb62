/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/sets/dataset.h"

G_BEGIN_DECLS

/* Draws batches of training rows, each epoch in a new order.
 *
 * The order of epoch e is a Fisher-Yates shuffle of the training rows driven by Philox with the
 * seed and the stream "shuffle" salted by e: it depends on nothing that happened before, so a
 * position is two integers and restoring one costs at most one shuffle.  The last batch of an epoch
 * is shorter when the rows do not divide evenly; none is left out.  Owned by one thread.
 * Validation and test walk their rows in order and need no sampler. */

typedef struct {
  guint64 epoch; /* from 0 */
  guint64 index; /* rows of this epoch already drawn, less than all of them */
} TsSamplerPosition;

typedef struct TsSampler TsSampler;

/* Keeps a reference to @set.  @batch: at least 1; larger than the training split means all of it.
 */
TsSampler *ts_sampler_new (TsDataset *set, gsize batch, guint64 seed);
void ts_sampler_free (TsSampler *sampler);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsSampler, ts_sampler_free)

/* The next batch: @rows (borrowed, valid until the next call) and how many, at least 1.  Allocates
 * nothing.  @last (may be NULL): the epoch ends with this batch. */
gsize ts_sampler_next (TsSampler *sampler, const gint32 **rows, gboolean *last);

/* Where the next batch starts; after the last batch of an epoch that is (epoch + 1, 0). */
TsSamplerPosition ts_sampler_get_position (const TsSampler *sampler);

/* From here on batches come as they did, or would have come, after @position.  Errors:
 * TS_SETS_ERROR_PARAM when the index lies outside the training split (a position of another set).
 */
gboolean ts_sampler_set_position (TsSampler *sampler, TsSamplerPosition position, GError **error);

gsize ts_sampler_get_batches_per_epoch (const TsSampler *sampler);

G_END_DECLS
