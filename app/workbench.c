/* SPDX-License-Identifier: MIT */
#include "app/workbench.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "data/store/unpack.h"
#include "engine/model/lint.h"
#include "engine/base/error.h"
#include "engine/tensor/kernel.h"
#include "engine/train/checkpoint.h"
#include "engine/train/fit.h"

struct TsWorkbench {
  TsWriter *writer;
  TsTrainer *trainer;
  TsRunRef run;
  char *warning;
};

TsWorkbench *
ts_workbench_new (const char *path, GError **error)
{
  TsWriter *writer = ts_writer_open (path, error);
  TsWorkbench *w;

  if (!writer)
    return NULL;
  w = g_new0 (TsWorkbench, 1);
  w->writer = writer;
  return w;
}

gboolean
ts_workbench_close (TsWorkbench *w, GError **error)
{
  g_clear_pointer (&w->trainer, ts_trainer_free);
  gboolean ok = ts_writer_close (w->writer, error);
  g_free (w->warning);
  g_free (w);
  return ok;
}

const TsRunRef *
ts_workbench_get_run (TsWorkbench *w)
{
  return &w->run;
}

const char *
ts_workbench_get_warning (TsWorkbench *w)
{
  return w->warning;
}

TsTrainer *
ts_workbench_get_trainer (TsWorkbench *w)
{
  return w->trainer;
}

TsWriter *
ts_workbench_get_writer (TsWorkbench *w)
{
  return w->writer;
}

static TsModel *
build_model (TsSource *source, TsTrainConfig *config, TsDiags **diags, GError **error)
{
  *diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, *diags);

  if (model && ts_train_config_init (config, model, *diags)) {
    ts_model_lint (model, *diags);
    return g_steal_pointer (&model);
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_FORMAT, "%s has %u error%s",
               ts_source_get_name (source), ts_diags_get_n_errors (*diags),
               ts_diags_get_n_errors (*diags) == 1 ? "" : "s");
  return NULL;
}

/* What a run that is resumed was trained with. */
static gboolean
apply_hparams (TsTrainConfig *config, const TsRun *run, GError **error)
{
  for (guint i = 0; i < run->n_hparams; i++) {
    const TsHparam *h = &run->hparams[i];
    g_autofree char *text = h->kind == TS_HPARAM_INT ? g_strdup_printf ("%" G_GINT64_FORMAT, h->i)
                            : h->kind == TS_HPARAM_REAL ? ts_number_dup_text (h->r)
                            : h->kind == TS_HPARAM_BOOL ? g_strdup (h->i ? "true" : "false")
                                                        : g_strdup (h->t ? h->t : "");
    if (*text && !ts_train_config_set (config, h->key, text, error)) {
      g_prefix_error (error, "run '%s' cannot be resumed: ", run->name);
      return FALSE;
    }
  }
  return TRUE;
}

typedef struct {
  TsRun *run;
  char *last_path, *best_path;
  gint64 resume_step;
  char *warning; /* what was not found as it was left; or NULL */
} Resume;

static void
resume_clear (Resume *r)
{
  g_clear_pointer (&r->run, ts_run_free);
  g_free (r->last_path);
  g_free (r->best_path);
  g_free (r->warning);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Resume, resume_clear)

static gboolean
is_sound (const TsCheckpointInfo *c, GError **error)
{
  if (c->exists)
    return ts_checkpoint_verify (c->path, c->sha256, error);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s is missing or cut short",
               c->path ? c->path : "a checkpoint");
  return FALSE;
}

/* The newest of the checkpoints that is as it was saved, and the best one if it is.  A run that was
 * killed before its first begins anew; one whose checkpoints are all lost does not. */
static gboolean
find_checkpoints (Resume *r, GArray *all, GError **error)
{
  g_autoptr (GError) trouble = NULL;
  gint64 step = -1;

  for (guint i = all->len; i > 0; i--) {
    const TsCheckpointInfo *c = &g_array_index (all, TsCheckpointInfo, i - 1);
    if (c->hidden || (r->last_path && (r->best_path || !c->is_best)))
      continue;
    if (!is_sound (c, trouble ? NULL : &trouble))
      continue;
    if (!r->last_path) {
      r->last_path = g_strdup (c->path);
      step = c->step;
    }
    if (c->is_best && !r->best_path)
      r->best_path = g_strdup (c->path);
  }
  r->resume_step = step + 1;
  if (trouble && !r->last_path) {
    g_propagate_prefixed_error (error, g_steal_pointer (&trouble),
                                "run '%s' has no sound checkpoint to go on from: ", r->run->name);
    return FALSE;
  }
  if (trouble)
    r->warning =
        g_strdup_printf ("%s; the run goes on from step %" G_GINT64_FORMAT, trouble->message, step);
  return TRUE;
}

static gboolean
find_resume (TsWorkbench *w, const char *what, Resume *r, GError **error)
{
  g_autoptr (TsReader) reader = ts_reader_open (ts_writer_get_path (w->writer), error);

  if (!reader || !(r->run = ts_reader_find_run (reader, what, error)))
    return FALSE;
  if (!ts_unpack (w->writer, r->run->uuid, NULL, NULL, error))
    return FALSE;
  g_autoptr (GArray) all = ts_reader_list_checkpoints (reader, r->run->run_id, error);
  if (!all || !find_checkpoints (r, all, error))
    return FALSE;
  if (r->run->model_text)
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_FORMAT,
               "run '%s' holds no model text, so it cannot be trained further", r->run->name);
  return FALSE;
}

static gboolean
begin (TsWorkbench *w, const TsTrainRequest *request, TsModel *model, const TsTrainConfig *config,
       TsDataset *data, const Resume *resume, GError **error)
{
  if (resume->run)
    return ts_writer_resume_run (w->writer, resume->run->uuid, resume->resume_step, &w->run, error);

  g_autoptr (GArray) hparams = ts_train_config_dup_hparams (config);
  TsRunInfo info = {.name = request->name,
                    .model_name = model->name,
                    .model_text = ts_source_get_text (model->source),
                    .data_name = data->name,
                    .data_hash = ts_dataset_get_sha256 (data),
                    .data_split = data->split_text,
                    .seed = (guint64) config->seed,
                    .isa = ts_kernels_get ()->isa,
                    .blas_core = "none", /* no product goes through it */
                    .blas_version = "none",
                    .threads = ts_trainer_get_threads (w->trainer),
                    .hparams = (const TsHparam *) hparams->data,
                    .n_hparams = hparams->len};
  return ts_writer_begin_run (w->writer, &info, &w->run, error);
}

static gboolean
make_folder (const char *folder, GError **error)
{
  if (g_mkdir_with_parents (folder, 0777) == 0)
    return TRUE;
  int saved = errno;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved),
               "cannot make the folder %s for checkpoints: %s", folder, g_strerror (saved));
  return FALSE;
}

static gboolean
attach (TsWorkbench *w, GError **error)
{
  g_autofree char *folder = g_build_filename (ts_writer_get_folder (w->writer), w->run.uuid, NULL);

  if (!make_folder (folder, error))
    return FALSE;
  ts_trainer_attach (w->trainer, ts_writer_get_sink (w->writer, &w->run), folder);
  return TRUE;
}

/* Settings that change which variables there are. */
static gboolean
adds_variables (const char *key)
{
  return strcmp (key, "ema") == 0 || strcmp (key, "accumulate") == 0 ||
         g_str_has_prefix (key, "optimizer") || g_str_has_prefix (key, "stop");
}

/* A checkpoint that does not fit: what the user has set is the likely reason. */
static void
blame_settings (const TsTrainRequest *request, const TsRun *run, GError **error)
{
  g_autoptr (GString) likely = g_string_new (NULL);

  for (guint i = 0; i < request->n_settings; i++)
    if (adds_variables (request->settings[i].key) &&
        strcmp (request->settings[i].key, "optimizer.lr") != 0)
      g_string_append_printf (likely, "%s%s=%s", likely->len ? ", " : "", request->settings[i].key,
                              request->settings[i].value);
  if (!likely->len || !error || !g_error_matches (*error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME))
    return;
  GError *told = g_error_new (TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                              "run '%s' cannot go on with %s, which it was not trained with: leave "
                              "it out, or begin a new run\n%s",
                              run->name, likely->str, (*error)->message);
  g_error_free (*error);
  *error = told;
}

/* Is there anything left to do for the run that is resumed? */
static gboolean
check_unfinished (TsTrainer *t, const TsTrainConfig *config, const TsRun *run, GError **error)
{
  TsPulse pulse;

  ts_trainer_get_pulse (t, &pulse);
  if (ts_trainer_has_stopped_early (t)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT,
                 "run '%s' stopped early after epoch %" G_GINT64_FORMAT
                 ": no better %s for %" G_GINT64_FORMAT
                 " epochs; --set stop=none or a larger --set stop.patience=N trains it further",
                 run->name, pulse.epoch, ts_params_text (&config->stop.params, "monitor"),
                 ts_params_int (&config->stop.params, "patience"));
    return FALSE;
  }
  if (pulse.step < pulse.total_steps)
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT,
               "run '%s' has done all its %" G_GINT64_FORMAT
               " steps; --epochs or --steps with a larger number train it further",
               run->name, pulse.step);
  return FALSE;
}

static gboolean
make_trainer (TsWorkbench *w, const TsTrainRequest *request, const Resume *resume, TsModel *model,
              TsTrainConfig *config, TsDiags *diags, GError **error)
{
  const char *lr = NULL;

  config->record = request->record;
  if (resume->run && !apply_hparams (config, resume->run, error))
    return FALSE;
  for (guint i = 0; i < request->n_settings; i++) {
    if (!ts_train_config_set (config, request->settings[i].key, request->settings[i].value, error))
      return FALSE;
    if (strcmp (request->settings[i].key, "optimizer.lr") == 0)
      lr = request->settings[i].value;
  }
  if (!ts_train_config_check (config, error))
    return FALSE;
  g_autoptr (TsDataset) data = ts_set_load (config->set, &config->set_params, error);
  if (!data)
    return FALSE;
  ts_fit_lint (model, data, config, diags);
  TsTrainerOptions options = {.resume_path = resume->last_path,
                              .best_path = resume->best_path,
                              .notify = request->notify,
                              .notify_data = request->notify_data};
  w->trainer = ts_trainer_new (model, data, config, &options, error);
  if (!w->trainer && resume->last_path)
    blame_settings (request, resume->run, error);
  if (!w->trainer || (resume->run && !check_unfinished (w->trainer, config, resume->run, error)))
    return FALSE;
  if (resume->last_path && lr) /* the state has its own; what the user says now comes after it */
    ts_trainer_set_lr (w->trainer, g_ascii_strtod (lr, NULL));
  /* before anything is stored: a run that could keep no checkpoint does not begin */
  return make_folder (ts_writer_get_folder (w->writer), error) &&
         begin (w, request, model, config, data, resume, error) && attach (w, error);
}

TsTrainer *
ts_workbench_prepare (TsWorkbench *w, const TsTrainRequest *request, TsDiags **diags,
                      GError **error)
{
  g_auto (Resume) resume = {0};
  g_autoptr (TsSource) source = request->source ? ts_source_ref (request->source) : NULL;
  TsTrainConfig config;

  *diags = NULL;
  g_clear_pointer (&w->trainer, ts_trainer_free);
  g_clear_pointer (&w->warning, g_free);
  if (request->resume && !find_resume (w, request->resume, &resume, error))
    return NULL;
  if (resume.run) {
    g_autofree char *name =
        g_strdup_printf ("%s.model", resume.run->model_name ? resume.run->model_name : "run");
    g_clear_pointer (&source, ts_source_unref);
    source = ts_source_new (name, resume.run->model_text, strlen (resume.run->model_text), error);
    if (!source)
      return NULL;
  }
  g_return_val_if_fail (source, NULL);
  g_autoptr (TsModel) model = build_model (source, &config, diags, error);
  if (!model)
    return NULL;
  if (!make_trainer (w, request, &resume, model, &config, *diags, error)) {
    g_clear_pointer (&w->trainer, ts_trainer_free);
    return NULL;
  }
  w->warning = g_steal_pointer (&resume.warning);
  return w->trainer;
}
