/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"
#include "data/store/writer.h"
#include "engine/train/trainer.h"

G_BEGIN_DECLS

/* The one place where trainer, store and models meet: it opens a workspace for writing, begins or
 * resumes runs in it, and ties a trainer to each.  The command line and the window both stand on it.
 * Used from one thread, the main one. */
typedef struct TsWorkbench TsWorkbench;

/* Opens (or creates) the workspace.  Errors: those of ts_writer_open. */
TsWorkbench *ts_workbench_new (const char *path, GError **error);

/* Ends the training if one runs, commits everything, closes.  FALSE: the last commit failed. */
gboolean ts_workbench_close (TsWorkbench *workbench, GError **error);

/* One change of a setting, as a user writes it. */
typedef struct {
  const char *key, *value;
} TsSetting;

typedef struct {
  TsSource *source;   /* the model, borrowed; NULL when @resume says which run to go on with */
  const char *resume; /* run: uuid, unique prefix, or unique name */
  const char *name;   /* of a new run; NULL: made from the model's */
  const TsSetting *settings; /* over what model or resumed run say, in this order */
  guint n_settings;
  gboolean record;
  void (*notify) (gpointer data); /* as in TsTrainerOptions */
  gpointer notify_data;
} TsTrainRequest;

/* Reads the model, loads the data, builds the trainer, begins (or resumes) the run; the caller starts
 * the trainer.  Problems of the model's text are added to @diags (made here when there is a source to
 * blame; freed by the caller) and FORMAT is returned; other errors as they come, with nothing written
 * to the workspace. */
TsTrainer *ts_workbench_prepare (TsWorkbench *workbench, const TsTrainRequest *request,
                                 TsDiags **diags, GError **error);

/* What the last prepare did not find as it was left, in words: a checkpoint that is damaged, so that
 * an older one serves.  NULL: nothing.  Borrowed until the next prepare. */
const char *ts_workbench_get_warning (TsWorkbench *workbench);
/* The run of the last prepare.  Borrowed. */
const TsRunRef *ts_workbench_get_run (TsWorkbench *workbench);
TsTrainer *ts_workbench_get_trainer (TsWorkbench *workbench);
TsWriter *ts_workbench_get_writer (TsWorkbench *workbench);

G_END_DECLS
