/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"
#include "engine/train/config.h"
#include "engine/train/recorder.h"

G_BEGIN_DECLS

/* A training: one thread (with its workers) that owns graph, variables, optimizer, random numbers and
 * the place in the data.  Others talk to it by commands, which it takes between two steps, and look
 * at its pulse.  What it finds goes to the sink as events.
 *
 * Steps count from 1: what is recorded at step s was computed by the s-th step, or from the variables
 * as they were after s steps. */
typedef struct TsTrainer TsTrainer;

typedef struct {
  TsRunState state;
  gint64 step, total_steps; /* total_steps: as planned */
  gint64 epoch;             /* complete ones */
  gint64 steps_per_epoch;
  double loss, accuracy; /* of the last step; accuracy: the first metric, NaN when there is none */
  double val_loss, val_metric; /* of the last validation, NaN before */
  gint64 val_epoch;            /* after how many complete epochs that was */
  double grad_norm, lr;
  double steps_per_s; /* over about the last half second */
  double seconds;     /* spent training, pauses left out */
} TsPulse;

/* How a training ended. */
typedef struct {
  TsRunState state; /* FINISHED, STOPPED, FAILED */
  GError *error;    /* FAILED: why; owned by the trainer */
  gint64 steps, epochs;
  double seconds;
  const char *metric; /* of best_value: "val/accuracy"; NULL when nothing was validated */
  double best_value;
  gint64 best_step, best_epoch;
  guint n_results; /* "val/loss", "val/accuracy", "test/loss", … */
  TsScalar results[2 * (1 + TS_METRICS_MAX)];
  gint64 test_step,
      test_epoch; /* of the weights that the test results are of; -1: none were tested */
  gboolean stopped_early;
  const char *stop_tag; /* what had not got better then: "val/accuracy" */
  gint64 stop_epoch;    /* when it was best */
  gboolean restored;    /* the weights at the end are those of stop_epoch */
  guint8 sha256[32];    /* of the final state; zero when no checkpoint was written */
} TsTrainResult;

/* One step, for those who write their own.  Valid during the call, on the trainer's thread. */
typedef struct {
  TsSession *session; /* step number set */
  const TsMinimize *minimize;
  TsValue *const *feeds; /* the model's x and t */
  guint n_feeds;
  const TsFeedSource *sources; /* this batch of each feed */
  gint64 batch, step;          /* rows; from 1 */
  TsProgram *program;          /* the built-in step: ts_train_step_run */
  TsNode *target;              /* what it runs: the update, or with `accumulate` mostly a sum */
  TsValue *loss_value, *const *metric_values;
  /* what is recorded: set by ts_train_step_run or by hand; metrics as many as the model declares */
  double loss, norm, metrics[TS_METRICS_MAX];
  guint n_metrics;
  gboolean has_gradients; /* the program has run: histograms of gradients can be read from it */
} TsTrainStep;

/* Forward, backward and the optimizer's update, as the trainer does them itself.  Errors: those of
 * ts_program_run. */
gboolean ts_train_step_run (TsTrainStep *step, GError **error);

typedef struct {
  const char *resume_path; /* a checkpoint to go on from; NULL: start anew */
  const char *best_path;   /* the best checkpoint of the run that is resumed, or NULL */
  /* Called on the trainer's thread when the pulse has changed (at most some times a second) and when
   * the training has ended; it must only wake somebody up. */
  void (*notify) (gpointer data);
  gpointer notify_data;
  /* Does the steps instead of ts_train_step_run, on the trainer's thread; FALSE ends the training as
   * failed. */
  gboolean (*train_step) (TsTrainStep *step, gpointer data, GError **error);
  gpointer train_step_data;
} TsTrainerOptions;

/* Binds the model to the data and builds everything; adds gradients to the model's graph.  @config
 * is copied, @model and @data are kept.  Errors: SHAPE and the like when model and data do not fit;
 * those of ts_checkpoint_load. */
TsTrainer *ts_trainer_new (TsModel *model, TsDataset *data, const TsTrainConfig *config,
                           const TsTrainerOptions *options, GError **error);

/* Stops the training if need be, and waits for it. */
void ts_trainer_free (TsTrainer *trainer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTrainer, ts_trainer_free)

/* Where events go (borrowed until the trainer is freed) and where checkpoints are written (an
 * existing folder).  Before start; without it nothing is recorded and no checkpoint written. */
void ts_trainer_attach (TsTrainer *trainer, TsSink *sink, const char *checkpoint_folder);

/* Starts the thread; once.  @paused: waits for resume or step first. */
void ts_trainer_start (TsTrainer *trainer, gboolean paused);

/* Commands; return at once, are obeyed after the current step.  Any thread. */
void ts_trainer_pause (TsTrainer *trainer);
void ts_trainer_resume (TsTrainer *trainer);
void ts_trainer_step (TsTrainer *trainer); /* one step, then paused */
void ts_trainer_stop (TsTrainer *trainer); /* saves a checkpoint, ends as stopped */
/* The rate of the next step.  Under a schedule all later rates change by the same ratio. */
void ts_trainer_set_lr (TsTrainer *trainer, double lr);

/* Of a resumed training, before start: it had stopped early and its settings leave it at that, so there is
 * nothing left to do. */
gboolean ts_trainer_has_stopped_early (TsTrainer *trainer);

/* A copy of the latest pulse.  Any thread, never waits for a step. */
void ts_trainer_get_pulse (TsTrainer *trainer, TsPulse *pulse);

/* Has the thread ended?  Then the result is final. */
gboolean ts_trainer_is_done (TsTrainer *trainer);

/* Waits for the end.  Borrowed, valid as long as the trainer. */
const TsTrainResult *ts_trainer_wait (TsTrainer *trainer);

TsModel *ts_trainer_get_model (TsTrainer *trainer);
TsDataset *ts_trainer_get_data (TsTrainer *trainer);
/* Threads in use, this one's included. */
guint ts_trainer_get_threads (TsTrainer *trainer);

G_END_DECLS
