/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"
#include "engine/train/callbacks.h"

G_BEGIN_DECLS

/* Checkpoints: the whole state of a training as one safetensors file (u64 little-endian size of the
 * header, a JSON header, raw little-endian data): variables, optimizer slots, the step, the place in
 * the data, the best result so far.  The bytes depend on nothing else: no time, path, host, run or
 * thread count, so equal states give equal files. */

typedef struct {
  gint64 step;               /* optimizer steps done */
  guint64 epoch, epoch_rows; /* where the next batch starts */
  guint64 seed;
  gboolean has_best;
  double best_value, best_loss;
  gint64 best_step, best_epoch;
  TsCallbackState callbacks; /* as ts_callbacks_init left it when the file does not say */
} TsCheckpointState;

/* Writes all variables of @session's graph: temporary file, fsync, rename, fsync of the folder.
 * Errors: G_FILE_ERROR, with the path. */
gboolean ts_checkpoint_save (const char *path, TsSession *session, const TsCheckpointState *state,
                             guint8 sha256[32], gint64 *size_bytes, GError **error);

/* Reads it back into @session.  @state may be NULL.  @weights_only: trainable variables only, the
 * rest of the session stays.  Errors: G_FILE_ERROR; FORMAT naming file and offset when it is not
 * a checkpoint, is damaged or cut short; SHAPE, NAME when it belongs to another model.  The session
 * is unchanged then. */
gboolean ts_checkpoint_load (const char *path, TsSession *session, gboolean weights_only,
                             TsCheckpointState *state, GError **error);

/* Is the file, byte for byte, the one that was saved?  Errors: G_FILE_ERROR; FORMAT when it is
 * another. */
gboolean ts_checkpoint_verify (const char *path, const guint8 sha256[32], GError **error);

G_END_DECLS
