/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "engine/optim/option.h"

G_BEGIN_DECLS

/* What looks at the validation results of every epoch and acts on them, with the semantics of Keras 3. */

/* `stop early(…)` and `reduce on_plateau(…)`; the first parameter of each, `monitor`, says what it looks at:
 * val.loss, val.METRIC. */
extern const TsOptionClass ts_stops[];
extern const TsOptionClass ts_reductions[];

/* All that they remember.  Numbers only: a checkpoint keeps them as they are, and new ones
 * come last, as older checkpoints lack them. */
typedef struct {
  double lr_scale; /* what the schedule's rate is multiplied by: live edits and reductions */
  double stop_best, stop_wait, stop_step,
      stopped; /* best: NaN at first; step: of the best, 0: none */
  double reduce_best, reduce_wait, reduce_cooldown;
  double stop_epoch; /* that of stop_step */
} TsCallbackState;

void ts_callbacks_init (TsCallbackState *state);

/* Is more better?  @less_is_better: what `mode=auto` goes by. */
gboolean ts_callback_rises (const TsOption *option, gboolean less_is_better);

/* One epoch's value; @epoch counts complete ones, @step is where it ended.  TRUE: stop now.  @is_best:
 * remember the weights. */
gboolean ts_stop_early (const TsOption *stop, gboolean rises, TsCallbackState *state, double value,
                        gint64 epoch, gint64 step, gboolean *is_best);

/* Does what ended a training still end it?  Its settings may have changed since. */
gboolean ts_stop_holds (const TsOption *stop, const TsCallbackState *state);

/* The rate from now on: @lr or a smaller one. */
double ts_reduce_on_plateau (const TsOption *reduce, gboolean rises, TsCallbackState *state,
                             double value, double lr);

G_END_DECLS
