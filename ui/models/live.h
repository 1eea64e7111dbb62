/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "engine/base/event.h"

G_BEGIN_DECLS

/* What is training now, as header and Train page show it: the latest word, not yet the stored truth
 * (charts draw committed points).  Main thread.
 *
 * Signal "changed": any of the figures is another one. */

typedef struct {
  gboolean active;    /* a training goes on, paused ones too */
  gboolean preparing; /* its data is being loaded; nothing else is known but the name */
  gboolean stopping;  /* told to stop, saving a checkpoint */
  TsRunState state;
  gint64 run_id;    /* 0: none yet */
  const char *name; /* of the run */
  gint64 step, total_steps, epoch, steps_per_epoch;
  double loss, accuracy, val_loss, val_metric, grad_norm, lr; /* NaN: not known */
  double steps_per_s, seconds;
} TsFigures;

#define TS_TYPE_LIVE (ts_live_get_type ())
G_DECLARE_FINAL_TYPE (TsLive, ts_live, TS, LIVE, GObject)

TsLive *ts_live_new (void);

/* Copies the figures, the name too. */
void ts_live_set (TsLive *live, const TsFigures *figures);
const TsFigures *ts_live_get (TsLive *live);

/* Seconds until the end at this speed; NaN when that cannot be said. */
double ts_figures_get_left (const TsFigures *figures);

G_END_DECLS
