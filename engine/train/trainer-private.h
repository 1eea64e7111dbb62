/* SPDX-License-Identifier: MIT */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "data/sets/sampler.h"
#include "engine/base/queue.h"
#include "engine/train/checkpoint.h"
#include "engine/train/trainer.h"

G_BEGIN_DECLS

/* Rows that validation and test take at once: as many as a step has memory for, within these. */
#define TS_EVAL_BATCH_MIN 32
#define TS_EVAL_BATCH_MAX 128

/* One batch size's programs; made when first needed. */
typedef struct {
  gint64 batch;
  TsProgram *plain[2],
      *recorded[2]; /* recorded: the gradients are fetched, too; [1]: only adds up */
} TsStepPrograms;

typedef struct {
  gint64 batch;
  TsProgram *program;
} TsEvalProgram;

struct TsTrainer {
  TsModel *model;
  TsDataset *data;
  TsTrainConfig config;
  TsTrainerOptions options;
  char *folder;

  /* the training's own state: touched by its thread alone once that runs */
  TsMinimize minimize;
  TsSession *session;
  TsPlanMemory *memory; /* of the programs below */
  TsValue *feeds[2];    /* x, t */
  TsValue *loss, *metrics[TS_METRICS_MAX];
  TsValue *tallies
      [TS_METRICS_MAX]; /* what the metric of a whole split follows from; NULL: a mean over rows */
  gboolean less_is_better[TS_METRICS_MAX];
  const char *loss_tag[TS_N_SPLITS], *metric_tag[TS_N_SPLITS][TS_METRICS_MAX];
  TsCallbackState callbacks;
  TsValue *
      *stop_weights; /* variables that hold the kept ones as they are to be restored, or NULL */
  int stop_watch, reduce_watch; /* which result: -1 the loss, else a metric */
  const char **weight_tags, **gradient_tags;
  guint n_metrics, n_threads;
  TsStepPrograms full, tail;
  TsEvalProgram eval[4];
  guint n_eval;
  TsSampler *sampler;
  TsRecorder *recorder;
  gint64 step, total_steps, last_checkpoint_step;
  gint64 last_checkpoint_us;
  gint64 epoch;
  gboolean histograms; /* somebody wants them */
  gboolean warned_nonfinite;
  gboolean has_best;
  double best_value, best_loss;
  gint64 best_step, best_epoch;
  GPtrArray *said; /* lines of print, until the step is over */
  /* what the best is remembered of: all variables that are no slots (moving averages of batch norm,
   * too), without the learning rate */
  TsValue **kept;
  guint n_kept;
  char *best_weights; /* the kept ones one after another; NULL: none yet */
  gsize weights_bytes;
  TsTrainResult result;

  /* shared */
  pthread_t thread;
  gboolean started;
  TsQueue *commands;
  pthread_mutex_t pulse_lock;
  TsPulse pulse;
  atomic_bool done;

  /* of the running thread */
  gboolean paused, stop;
  gint64 notified_us, rate_us, rate_step;
  double run_seconds;
  gint64 resumed_us; /* since when it has been running; 0 while paused */
};

/* trainer-setup.c */
gboolean ts_trainer_setup (TsTrainer *trainer, GError **error);
/* @adds_up: the gradients are added to what waits for an update. */
TsProgram *ts_trainer_step_program (TsTrainer *trainer, gint64 batch, gboolean recorded,
                                    gboolean adds_up, GError **error);
TsProgram *ts_trainer_eval_program (TsTrainer *trainer, gint64 batch, GError **error);

/* trainer-step.c */
/* One batch: step, record, pulse. */
gboolean ts_trainer_do_step (TsTrainer *trainer, gboolean *epoch_ends, GError **error);
double ts_trainer_seconds (const TsTrainer *trainer, gint64 now);
void ts_trainer_notify (TsTrainer *trainer);

/* trainer-eval.c */
/* Loss and metrics of a whole split: from all rows together, never means of batch means. */
gboolean ts_trainer_evaluate (TsTrainer *trainer, TsSplit split, double *loss, double *metrics,
                              GError **error);
/* Validates, records, remembers the best; *is_best tells whether this was it. */
gboolean ts_trainer_validate (TsTrainer *trainer, gboolean *is_best, GError **error);
/* Test results of the best variables (or the last ones when nothing was validated). */
gboolean ts_trainer_test (TsTrainer *trainer, GError **error);
gboolean ts_trainer_save (TsTrainer *trainer, TsCheckpointKind kind, gboolean is_best,
                          GError **error);
void ts_trainer_copy_weights (TsTrainer *trainer, char *to, const char *from);

/* trainer-callbacks.c */
/* Makes what the callbacks need.  Before the session is made.  Errors: PARAM, NAME. */
gboolean ts_trainer_setup_callbacks (TsTrainer *trainer, GError **error);
double ts_trainer_get_lr (TsTrainer *trainer);
/* The rate of the next step, and by the same ratio of those after it. */
void ts_trainer_change_lr (TsTrainer *trainer, double lr);
/* Sets the rate that the schedule gives the next step. */
void ts_trainer_schedule_lr (TsTrainer *trainer);
/* After a validation, while the weights are those that were validated.  TRUE: they are the ones to be
 * restored. */
gboolean ts_trainer_watch (TsTrainer *trainer, double loss, const double *metrics);
/* Does `stop early` say which weights are the best?  It does when it will restore them by the number that the
 * best epoch is found by, once it looks at all. */
gboolean ts_trainer_stop_decides (const TsTrainer *trainer);
/* At the end: the best weights in place of the last ones, when that was asked for. */
void ts_trainer_restore_best (TsTrainer *trainer);
/* Averages and weights change places; does nothing while there are no averages. */
void ts_trainer_swap_averages (TsTrainer *trainer);
/* FALSE when the loss is not finite and that ends the run. */
gboolean ts_trainer_check_loss (TsTrainer *trainer, double loss, GError **error);

G_END_DECLS
