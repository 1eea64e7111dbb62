/* SPDX-License-Identifier: MIT */
#include "data/sets/sampler.h"

#include <string.h>

#include "data/sets/error.h"
#include "engine/base/rng.h"

struct TsSampler {
  TsDataset *set;
  gsize n, batch;
  guint64 seed;
  TsSamplerPosition at;
  gint32 *order;
  guint64 order_epoch; /* of which epoch order is; G_MAXUINT64: none yet */
};

TsSampler *
ts_sampler_new (TsDataset *set, gsize batch, guint64 seed)
{
  g_return_val_if_fail (batch >= 1 && set->split[TS_SPLIT_TRAIN].n >= 1, NULL);
  TsSampler *sampler = g_new0 (TsSampler, 1);

  sampler->set = ts_dataset_ref (set);
  sampler->n = set->split[TS_SPLIT_TRAIN].n;
  sampler->batch = MIN (batch, sampler->n);
  sampler->seed = seed;
  sampler->order = g_new (gint32, sampler->n);
  sampler->order_epoch = G_MAXUINT64;
  return sampler;
}

void
ts_sampler_free (TsSampler *sampler)
{
  ts_dataset_unref (sampler->set);
  g_free (sampler->order);
  g_free (sampler);
}

/* Shuffled only when a batch is asked for: the last batch of an epoch stays valid until then. */
static void
prepare (TsSampler *sampler)
{
  if (sampler->order_epoch == sampler->at.epoch)
    return;
  memcpy (sampler->order, sampler->set->split[TS_SPLIT_TRAIN].rows,
          sampler->n * sizeof *sampler->order);
  ts_rng_shuffle ((TsRng){sampler->seed, ts_rng_stream ("shuffle", sampler->at.epoch)},
                  sampler->order, sampler->n);
  sampler->order_epoch = sampler->at.epoch;
}

gsize
ts_sampler_next (TsSampler *sampler, const gint32 **rows, gboolean *last)
{
  prepare (sampler);
  gsize n = MIN (sampler->batch, sampler->n - sampler->at.index);

  *rows = sampler->order + sampler->at.index;
  sampler->at.index += n;
  if (last)
    *last = sampler->at.index == sampler->n;
  if (sampler->at.index == sampler->n)
    sampler->at = (TsSamplerPosition){sampler->at.epoch + 1, 0};
  return n;
}

TsSamplerPosition
ts_sampler_get_position (const TsSampler *sampler)
{
  return sampler->at;
}

gboolean
ts_sampler_set_position (TsSampler *sampler, TsSamplerPosition position, GError **error)
{
  if (position.index >= sampler->n || position.epoch == G_MAXUINT64) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_PARAM,
                 "%s: position %" G_GUINT64_FORMAT " of epoch %" G_GUINT64_FORMAT
                 " lies outside the %zu training rows: it was saved with another set",
                 sampler->set->name, position.index, position.epoch, sampler->n);
    return FALSE;
  }
  sampler->at = position;
  return TRUE;
}

gsize
ts_sampler_get_batches_per_epoch (const TsSampler *sampler)
{
  return (sampler->n + sampler->batch - 1) / sampler->batch;
}
