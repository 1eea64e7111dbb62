/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/sets/set.h"
#include "engine/base/hparam.h"
#include "engine/model/model.h"
#include "engine/optim/optimizer.h"
#include "engine/optim/schedule.h"
#include "engine/train/callbacks.h"

G_BEGIN_DECLS

/* Metrics that a model may have beside its loss. */
#define TS_METRICS_MAX 8

/* Everything that decides how a training goes, apart from the model itself: what the model file says,
 * changed by what the user says.  A plain value. */
typedef struct {
  const TsSetClass *set;
  TsParams set_params;
  const TsOptimizerClass *optimizer;
  TsParams optimizer_params;
  TsOption schedule, clip, stop, reduce; /* of ts_schedules, ts_clips, ts_stops, ts_reductions */
  gint64 accumulate;                     /* batches for one update */
  double ema;                            /* decay of averaged weights; 0: none */
  gboolean terminate_on_nan;             /* a loss that is not finite ends the run as failed */
  gint64 batch;
  gint64 epochs, steps; /* the smaller ends the run; 0: no such limit, but not both */
  gint64 seed;
  guint threads;         /* 0: by the work there is; never changes a result */
  gboolean record;       /* FALSE: only the pulse and checkpoints */
  guint histogram_every; /* steps between histograms; 0: none */
} TsTrainConfig;

/* Which result of @model the `monitor` of @option names, "val.loss" or "val.METRIC": -1 the loss, else the
 * metric's number; -2 after an error: NAME. */
int ts_train_config_find_monitored (const TsModel *model, const TsOption *option, GError **error);

/* From the model's `train` section.  Unknown sets, optimizers and arguments are reported at their
 * place in the text, and what of the model cannot be trained (fit.h).  FALSE when there was an error. */
gboolean ts_train_config_init (TsTrainConfig *config, const TsModel *model, TsDiags *diags);

/* One change by its dotted key: batch, epochs, steps, seed, threads, histogram_every, data,
 * data.KEY, optimizer, optimizer.KEY, accumulate, ema, terminate_on_nan, and schedule, clip, stop, reduce,
 * each with its KEYs ("none" switches it off).  Errors: PARAM, NAME, listing what exists. */
gboolean ts_train_config_set (TsTrainConfig *config, const char *key, const char *value,
                              GError **error);

/* Anything missing that a run needs?  (No data set, no limit …) */
gboolean ts_train_config_check (const TsTrainConfig *config, GError **error);

/* All of it as hyperparameters, sorted by key (transfer full, an array of TsHparam with interned texts;
 * threads are left out: they change nothing). */
GArray *ts_train_config_dup_hparams (const TsTrainConfig *config);

G_END_DECLS
