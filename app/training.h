/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/models/desk.h"

G_BEGIN_DECLS

/* What the window does with the workbench.  One worker thread is the only one that touches it
 * (opening, loading data, preparing, renaming, closing); the trainer itself takes its commands from
 * the main thread.  Results go to the desk: live figures, the shown run, notices, refreshes.
 *
 * Main thread.  The workspace is opened for writing when something is first to be written, so that
 * looking at one never locks it. */
typedef struct TsTraining TsTraining;

/* @desk outlives it.  @changed: what can be done now is something else. */
TsTraining *ts_training_new (TsDesk *desk, void (*changed) (gpointer data), gpointer data);
/* After the closed of ts_training_close, or when nothing was ever started. */
void ts_training_free (TsTraining *training);

/* Fills the desk's templates, or looks anew which are available. */
void ts_training_load_templates (TsTraining *training);

/* Another workspace: ends the training (saved), closes the old one, then the desk shows the new. */
void ts_training_set_workspace (TsTraining *training, const char *path);

/* --- Starting.  Each does nothing while a training is active. --- */

/* @paused: shows the model and waits for resume or step. */
void ts_training_start_template (TsTraining *training, const char *name, gboolean paused);
/* The same model with the same settings as a new run. */
void ts_training_start_again (TsTraining *training, TsRunItem *item);
/* Goes on from its last checkpoint.  @one_step: and pauses after one. */
void ts_training_continue (TsTraining *training, TsRunItem *item, gboolean one_step);

/* --- Commands to the active training; nothing without one. --- */

gboolean ts_training_is_active (TsTraining *training); /* preparing counts */
void ts_training_pause (TsTraining *training);
void ts_training_resume (TsTraining *training);
void ts_training_step (TsTraining *training);
void ts_training_stop (TsTraining *training);
void ts_training_set_lr (TsTraining *training, double lr);

/* Errors become a notice. */
void ts_training_rename (TsTraining *training, gint64 run_id, const char *name);

/* Ends the training (saved as stopped), commits, closes; then calls @closed once. */
void ts_training_close (TsTraining *training, void (*closed) (gpointer data), gpointer data);

G_END_DECLS
