/* SPDX-License-Identifier: MIT */
#include "app/training.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "app/template-list.h"
#include "app/templates.h"
#include "app/workbench.h"
#include "data/store/error.h"
#include "engine/base/error.h"
#include "ui/models/worker.h"

struct TsTraining {
  TsDesk *desk;
  void (*changed) (gpointer data);
  gpointer changed_data;
  TsWorker *worker;

  /* main thread */
  char *path;
  TsTrainer *trainer; /* the workbench's; NULL while another one is prepared or it is closed */
  TsRunRef run;
  char *preparing;   /* name of what is prepared, or NULL */
  gboolean stopping; /* asked to stop; while preparing: as soon as it is prepared */
  gboolean ended;    /* the trainer's result has been told */
  gboolean closing;
  guint generation;       /* counts closings: what was prepared before one is gone */
  gboolean store_trouble; /* the notice says that the disk refuses */

  /* the worker's */
  TsWorkbench *workbench;

  /* wake-ups: one pending source each */
  atomic_int pulse_pending, saved_pending;
  pthread_mutex_t mutex; /* guards store_error */
  char *store_error;     /* of the last watermark */
};

static void
tell (TsTraining *t)
{
  t->changed (t->changed_data);
}

/* --- Live figures --- */

static void
show_figures (TsTraining *t)
{
  TsFigures f = {.loss = NAN,
                 .accuracy = NAN,
                 .val_loss = NAN,
                 .val_metric = NAN,
                 .grad_norm = NAN,
                 .lr = NAN,
                 .name = t->preparing,
                 .preparing = t->preparing != NULL,
                 .stopping = t->stopping};
  TsPulse p;

  if (t->trainer && !t->preparing) {
    ts_trainer_get_pulse (t->trainer, &p);
    f.active = !t->ended;
    f.state = p.state;
    f.run_id = t->run.run_id;
    f.name = t->run.name;
    f.step = p.step;
    f.total_steps = p.total_steps;
    f.epoch = p.epoch;
    f.steps_per_epoch = p.steps_per_epoch;
    f.loss = p.loss;
    f.accuracy = p.accuracy;
    f.val_loss = p.val_loss;
    f.val_metric = p.val_metric;
    f.grad_norm = p.grad_norm;
    f.lr = p.lr;
    f.steps_per_s = p.steps_per_s;
    f.seconds = p.seconds;
  }
  ts_live_set (ts_desk_get_live (t->desk), &f);
  tell (t);
}

static void push_flush (TsTraining *t);

static void
take_end (TsTraining *t)
{
  const TsTrainResult *result = ts_trainer_wait (t->trainer);

  t->ended = TRUE;
  t->stopping = FALSE;
  if (result->state == TS_RUN_FAILED) {
    g_autofree char *title =
        g_strdup_printf ("%s failed after %" G_GINT64_FORMAT " steps", t->run.name, result->steps);
    ts_desk_set_notice (t->desk, &(TsNotice){TS_SEVERITY_ERROR, title,
                                             result->error ? result->error->message : NULL,
                                             "New training", "win.welcome"});
  }
  push_flush (t);
}

static gboolean
on_pulse (gpointer data)
{
  TsTraining *t = data;

  atomic_store (&t->pulse_pending, 0);
  if (t->trainer && !t->ended && ts_trainer_is_done (t->trainer))
    take_end (t);
  show_figures (t);
  return G_SOURCE_REMOVE;
}

/* On the trainer's thread. */
static void
notify (gpointer data)
{
  TsTraining *t = data;

  if (atomic_exchange (&t->pulse_pending, 1) == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_pulse, t, NULL);
}

/* --- Commits --- */

static gboolean
on_saved (gpointer data)
{
  TsTraining *t = data;
  g_autofree char *message = NULL;

  atomic_store (&t->saved_pending, 0);
  pthread_mutex_lock (&t->mutex);
  message = g_strdup (t->store_error);
  pthread_mutex_unlock (&t->mutex);
  if (message) {
    g_autofree char *text = g_strconcat (
        message, ". The training waits and goes on by itself when it can be written.", NULL);
    t->store_trouble = TRUE;
    ts_desk_set_notice (
        t->desk, &(TsNotice){TS_SEVERITY_ERROR, "The run cannot be saved", text, NULL, NULL});
  } else if (t->store_trouble) {
    t->store_trouble = FALSE;
    ts_desk_set_notice (t->desk, NULL);
  }
  ts_desk_refresh (t->desk);
  return G_SOURCE_REMOVE;
}

/* On the writer's thread. */
static void
on_watermark (const TsWatermark *watermark, gpointer data)
{
  TsTraining *t = data;

  pthread_mutex_lock (&t->mutex);
  g_free (t->store_error);
  t->store_error = watermark->error ? g_strdup (watermark->error->message) : NULL;
  pthread_mutex_unlock (&t->mutex);
  if (atomic_exchange (&t->saved_pending, 1) == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_saved, t, NULL);
}

/* --- Jobs --- */

/* What all jobs have; each fills what it needs. */
typedef struct {
  TsJob job;
  TsTraining *t;
  char *path; /* of the workspace when the job was pushed */
  GError *error;
  /* start */
  TsSource *source;
  char *resume, *name;
  GArray *settings; /* of TsSetting with owned texts */
  gboolean one_step, paused;
  TsTrainer *trainer;
  TsRunRef run;
  guint generation;
  char *problems; /* of the model's text */
  char *warning;  /* of the start, which worked */
  gint64 run_id;  /* rename */
  void (*closed) (gpointer data);
  gpointer closed_data;
} Work;

static void
free_work (TsJob *job)
{
  Work *work = (Work *) job;

  g_clear_pointer (&work->source, ts_source_unref);
  g_clear_pointer (&work->settings, g_array_unref);
  g_clear_error (&work->error);
  g_free (work->path);
  g_free (work->resume);
  g_free (work->name);
  g_free (work->problems);
  g_free (work->warning);
  g_free (work);
}

static Work *
new_work (TsTraining *t, void (*run) (TsJob *job), void (*done) (TsJob *job))
{
  Work *work = g_new0 (Work, 1);

  work->job = (TsJob){run, done, free_work};
  work->t = t;
  work->path = g_strdup (t->path);
  work->generation = t->generation;
  return work;
}

static gboolean
open_workbench (Work *work)
{
  TsTraining *t = work->t;

  if (t->workbench)
    return TRUE;
  t->workbench = ts_workbench_new (work->path, &work->error);
  if (t->workbench)
    ts_writer_set_watermark_func (ts_workbench_get_writer (t->workbench), on_watermark, t);
  return t->workbench != NULL;
}

/* Where the text is wrong, one line each. */
static char *
dup_problems (TsDiags *diags)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ts_diags_get_n (diags) && i < 5; i++) {
    const TsDiag *diag = ts_diags_get (diags, i);
    guint line, column, length;
    if (diag->level != TS_DIAG_ERROR)
      continue;
    ts_diags_locate (diags, diag->span, &line, &column, &length);
    g_string_append_printf (text, "%s%s:%u:%u: %s", text->len ? "\n" : "",
                            ts_source_get_name (ts_diags_get_source (diags)), line, column,
                            diag->message);
  }
  return g_string_free (text, FALSE);
}

static void
run_start (TsJob *job)
{
  Work *work = (Work *) job;
  TsDiags *diags = NULL;

  if (!open_workbench (work))
    return;
  TsTrainRequest request = {
      .source = work->source,
      .resume = work->resume,
      .settings = work->settings ? (const TsSetting *) (gpointer) work->settings->data : NULL,
      .n_settings = work->settings ? work->settings->len : 0,
      .record = TRUE,
      .notify = notify,
      .notify_data = work->t};
  work->trainer = ts_workbench_prepare (work->t->workbench, &request, &diags, &work->error);
  if (work->trainer) {
    work->run = *ts_workbench_get_run (work->t->workbench);
    work->warning = g_strdup (ts_workbench_get_warning (work->t->workbench));
  } else if (diags && ts_diags_get_n_errors (diags))
    work->problems = dup_problems (diags);
  g_clear_pointer (&diags, ts_diags_free);
}

static void
show_start_error (Work *work)
{
  TsDesk *desk = work->t->desk;
  const char *text = work->problems ? work->problems : work->error->message;
  TsNotice notice = {TS_SEVERITY_ERROR,
                     work->problems ? "The model cannot be built" : "The training cannot start",
                     text, "Choose another", "win.welcome"};

  if (g_error_matches (work->error, TS_STORE_ERROR, TS_STORE_ERROR_LOCKED)) {
    notice.title = "Another program writes this workspace";
    notice.button = "Use another workspace";
    notice.action = "win.new-workspace";
  } else if (work->error->domain == TS_STORE_ERROR) {
    notice.title = "The workspace cannot be written";
    notice.button = "Use another workspace";
    notice.action = "win.new-workspace";
  }
  ts_desk_set_notice (desk, &notice);
}

static void
started (TsJob *job)
{
  Work *work = (Work *) job;
  TsTraining *t = work->t;

  if (work->generation != t->generation)
    return; /* a closing that was asked for since ends it */
  g_clear_pointer (&t->preparing, g_free);
  if (!work->trainer) {
    t->stopping = FALSE;
    show_start_error (work);
    show_figures (t);
    return;
  }
  if (work->warning)
    ts_desk_set_notice (t->desk, &(TsNotice){TS_SEVERITY_WARNING, "A checkpoint is damaged",
                                             work->warning, NULL, NULL});
  t->trainer = work->trainer;
  t->run = work->run;
  t->ended = FALSE;
  ts_trainer_start (t->trainer, work->one_step || work->paused || t->stopping);
  if (t->stopping)
    ts_trainer_stop (t->trainer);
  else if (work->one_step)
    ts_trainer_step (t->trainer);
  show_figures (t);
  ts_recents_add (ts_desk_get_recents (t->desk), work->path);
  ts_desk_refresh_runs (t->desk);
  ts_desk_show_run (t->desk, t->run.run_id);
}

/* @work has all but the common part. */
static void
start (TsTraining *t, Work *work, const char *name)
{
  t->preparing = g_strdup (name);
  t->trainer = NULL;
  t->stopping = FALSE;
  ts_desk_set_notice (t->desk, NULL);
  ts_worker_push (t->worker, &work->job);
  show_figures (t);
}

static gboolean
can_start (TsTraining *t)
{
  return t->path && !t->closing && !ts_training_is_active (t);
}

void
ts_training_start_template (TsTraining *t, const char *name, gboolean paused)
{
  TsSource *source = can_start (t) ? ts_template_lookup (name) : NULL;
  Work *work;

  if (!source)
    return;
  work = new_work (t, run_start, started);
  work->source = source;
  work->paused = paused;
  start (t, work, name);
}

static void
clear_setting (gpointer data)
{
  TsSetting *setting = data;

  g_free ((char *) setting->key);
  g_free ((char *) setting->value);
}

/* As numbers they keep all their digits. */
static char *
dup_exact (const TsHparam *h)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (h->kind == TS_HPARAM_REAL)
    return g_strdup (g_ascii_dtostr (text, sizeof text, h->r));
  return ts_hparam_dup_text (h);
}

static GArray *
dup_settings (const TsRun *run)
{
  GArray *settings = g_array_new (FALSE, FALSE, sizeof (TsSetting));

  g_array_set_clear_func (settings, clear_setting);
  for (guint i = 0; i < run->n_hparams; i++) {
    g_autofree char *value = dup_exact (&run->hparams[i]);
    if (run->hparams[i].kind == TS_HPARAM_NULL || !*value)
      continue;
    TsSetting setting = {g_strdup (run->hparams[i].key), g_steal_pointer (&value)};
    g_array_append_val (settings, setting);
  }
  return settings;
}

void
ts_training_start_again (TsTraining *t, TsRunItem *item)
{
  const TsRun *run = ts_run_item_get (item);
  g_autofree char *file = g_strdup_printf ("%s.model", run->model_name ? run->model_name : "run");
  g_autoptr (GError) error = NULL;
  TsSource *source;
  Work *work;

  if (!can_start (t) || !run->model_text)
    return;
  source = ts_source_new (file, run->model_text, strlen (run->model_text), &error);
  if (!source) {
    ts_desk_set_notice (t->desk, &(TsNotice){TS_SEVERITY_ERROR, "The training cannot start",
                                             error->message, NULL, NULL});
    return;
  }
  work = new_work (t, run_start, started);
  work->source = source;
  work->settings = dup_settings (run);
  start (t, work, run->name);
}

void
ts_training_continue (TsTraining *t, TsRunItem *item, gboolean one_step)
{
  Work *work;

  if (!can_start (t))
    return;
  work = new_work (t, run_start, started);
  work->resume = g_strdup (ts_run_item_get (item)->uuid);
  work->one_step = one_step;
  start (t, work, ts_run_item_get_name (item));
}

/* --- Commands --- */

gboolean
ts_training_is_active (TsTraining *t)
{
  return t->preparing || (t->trainer && !t->ended);
}

static TsTrainer *
get_running (TsTraining *t)
{
  return t->trainer && !t->ended && !t->preparing ? t->trainer : NULL;
}

void
ts_training_pause (TsTraining *t)
{
  if (get_running (t))
    ts_trainer_pause (t->trainer);
}

void
ts_training_resume (TsTraining *t)
{
  if (get_running (t))
    ts_trainer_resume (t->trainer);
}

void
ts_training_step (TsTraining *t)
{
  if (get_running (t))
    ts_trainer_step (t->trainer);
}

void
ts_training_stop (TsTraining *t)
{
  if (!ts_training_is_active (t))
    return;
  t->stopping = TRUE;
  if (get_running (t))
    ts_trainer_stop (t->trainer);
  show_figures (t);
}

void
ts_training_set_lr (TsTraining *t, double lr)
{
  if (get_running (t) && isfinite (lr) && lr > 0)
    ts_trainer_set_lr (t->trainer, lr);
}

/* --- The rest of the workbench --- */

static void
run_flush (TsJob *job)
{
  Work *work = (Work *) job;

  if (work->t->workbench)
    ts_writer_flush (ts_workbench_get_writer (work->t->workbench), &work->error);
}

static void
flushed (TsJob *job)
{
  ts_desk_refresh (((Work *) job)->t->desk);
  ts_desk_refresh_runs (((Work *) job)->t->desk);
}

static void
push_flush (TsTraining *t)
{
  ts_worker_push (t->worker, &new_work (t, run_flush, flushed)->job);
}

static void
run_rename (TsJob *job)
{
  Work *work = (Work *) job;

  if (open_workbench (work))
    ts_writer_rename_run (ts_workbench_get_writer (work->t->workbench), work->run_id, work->name,
                          &work->error);
}

static void
renamed (TsJob *job)
{
  Work *work = (Work *) job;
  TsTraining *t = work->t;

  if (work->error) {
    ts_desk_set_notice (t->desk, &(TsNotice){TS_SEVERITY_WARNING, "The run keeps its name",
                                             work->error->message, NULL, NULL});
  } else if (t->trainer && t->run.run_id == work->run_id) {
    g_strlcpy (t->run.name, work->name, sizeof t->run.name);
    show_figures (t);
  }
  ts_desk_refresh_runs (t->desk);
}

void
ts_training_rename (TsTraining *t, gint64 run_id, const char *name)
{
  Work *work = new_work (t, run_rename, renamed);

  work->run_id = run_id;
  work->name = g_strdup (name);
  ts_worker_push (t->worker, &work->job);
}

static void
run_close (TsJob *job)
{
  Work *work = (Work *) job;
  TsTraining *t = work->t;

  if (t->workbench)
    ts_workbench_close (g_steal_pointer (&t->workbench), &work->error);
}

static void
closed (TsJob *job)
{
  Work *work = (Work *) job;
  TsTraining *t = work->t;

  if (work->error)
    ts_desk_set_notice (t->desk, &(TsNotice){TS_SEVERITY_ERROR, "The workspace was not closed well",
                                             work->error->message, NULL, NULL});
  if (work->closed)
    work->closed (work->closed_data);
}

/* The trainer is the workbench's and goes with it. */
static void
push_close (TsTraining *t, void (*then) (gpointer data), gpointer data)
{
  Work *work = new_work (t, run_close, closed);

  if (get_running (t))
    ts_trainer_stop (t->trainer);
  work->closed = then;
  work->closed_data = data;
  t->trainer = NULL;
  t->generation++;
  ts_worker_push (t->worker, &work->job);
}

static void
workspace_closed (gpointer data)
{
  TsTraining *t = data;

  ts_desk_set_workspace (t->desk, t->path);
}

void
ts_training_set_workspace (TsTraining *t, const char *path)
{
  char *copy = g_strdup (path);

  if (t->closing) {
    g_free (copy);
    return;
  }
  push_close (t, workspace_closed, t);
  g_free (t->path);
  t->path = copy;
  t->stopping = t->ended = FALSE;
  g_clear_pointer (&t->preparing, g_free);
  show_figures (t);
}

void
ts_training_close (TsTraining *t, void (*then) (gpointer data), gpointer data)
{
  if (t->closing)
    return;
  t->closing = TRUE;
  t->stopping = ts_training_is_active (t);
  show_figures (t);
  push_close (t, then, data);
}

void
ts_training_load_templates (TsTraining *t)
{
  ts_template_list_load (t->worker, ts_desk_get_templates (t->desk));
}

/* --- Life --- */

TsTraining *
ts_training_new (TsDesk *desk, void (*changed) (gpointer data), gpointer data)
{
  TsTraining *t = g_new0 (TsTraining, 1);

  t->desk = desk;
  t->changed = changed;
  t->changed_data = data;
  t->worker = ts_worker_new ("ts-workbench");
  pthread_mutex_init (&t->mutex, NULL);
  return t;
}

void
ts_training_free (TsTraining *t)
{
  ts_worker_free (t->worker);
  g_return_if_fail (!t->workbench);
  while (g_source_remove_by_user_data (t))
    ;
  pthread_mutex_destroy (&t->mutex);
  g_free (t->store_error);
  g_free (t->preparing);
  g_free (t->path);
  g_free (t);
}
