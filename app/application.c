/* SPDX-License-Identifier: MIT */
#include "app/application.h"

#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

#include "app/file-check.h"
#include "app/log-folder.h"
#include "app/training.h"
#include "data/store/workspace.h"
#include "ui/pages/page.h"
#include "ui/models/template-item.h"

#define APP_ID "org.trainscope.Workbench"

struct _TsApplication {
  AdwApplication parent;
  char *path;
  char *train; /* template to start with; NULL: none */
  TsDesk *desk;
  TsTraining *training;
  TsLogFolder *folder; /* whose index is open; NULL: none */
  GCancellable *check; /* of the file that was opened last */
  TsWindow *window;
  gboolean first_page; /* the page to open with is not decided yet */
  gboolean closed;
  guint signals[2];
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (TsApplication, ts_application, ADW_TYPE_APPLICATION)

/* --- What can be done now --- */

static void
enable (TsApplication *app, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (app->window), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* The run that Start would go on with, or repeat. */
static gboolean
can_continue (TsRunItem *item)
{
  TsRunState state = item ? ts_run_item_get_state (item) : TS_RUN_RUNNING;

  return state == TS_RUN_STOPPED || state == TS_RUN_INTERRUPTED || state == TS_RUN_FAILED;
}

static gboolean
can_repeat (TsRunItem *item)
{
  return item && ts_run_item_get_state (item) == TS_RUN_FINISHED &&
         ts_run_item_get (item)->model_text;
}

static void
update_actions (TsApplication *app)
{
  const TsFigures *f = ts_live_get (ts_desk_get_live (app->desk));
  TsRunItem *shown = ts_desk_get_shown (app->desk);
  gboolean active = f->active && !f->stopping, idle = !f->active && !f->preparing;
  gboolean more = idle && can_continue (shown), again = idle && can_repeat (shown);
  gboolean paused = active && f->state == TS_RUN_PAUSED;
  TsTransport transport = {.pause = active && !paused,
                           .start = paused || more || again,
                           .step = active || more,
                           .stop = active || (f->preparing && !f->stopping),
                           .start_title = more    ? "Continue"
                                          : again ? "Train again"
                                                  : "Start"};

  if (!app->window)
    return;
  enable (app, "start-pause", transport.start || transport.pause);
  enable (app, "step", transport.step);
  enable (app, "stop", transport.stop);
  enable (app, "set-lr", active);
  enable (app, "lr-half", active);
  enable (app, "lr-double", active);
  enable (app, "show-live", f->active || shown);
  enable (app, "open-chosen-run", ts_desk_get_chosen (app->desk) != NULL);
  ts_window_set_transport (app->window, &transport);
}

static void
on_training_changed (gpointer data)
{
  update_actions (data);
}

/* --- Training --- */

static void
on_start_pause (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsApplication *app = data;
  const TsFigures *f = ts_live_get (ts_desk_get_live (app->desk));
  TsRunItem *shown = ts_desk_get_shown (app->desk);

  if (f->active && f->state == TS_RUN_PAUSED)
    ts_training_resume (app->training);
  else if (f->active)
    ts_training_pause (app->training);
  else if (can_continue (shown))
    ts_training_continue (app->training, shown, FALSE);
  else if (can_repeat (shown))
    ts_training_start_again (app->training, shown);
}

static void
on_step (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsApplication *app = data;
  TsRunItem *shown = ts_desk_get_shown (app->desk);

  if (ts_training_is_active (app->training))
    ts_training_step (app->training);
  else if (can_continue (shown))
    ts_training_continue (app->training, shown, TRUE);
}

static void
on_stop (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_training_stop (TS_APPLICATION (data)->training);
}

static void
on_set_lr (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_training_set_lr (TS_APPLICATION (data)->training, g_variant_get_double (value));
}

static void
scale_lr (TsApplication *app, double factor)
{
  ts_training_set_lr (app->training, ts_live_get (ts_desk_get_live (app->desk))->lr * factor);
}

static void
on_lr_half (GSimpleAction *action, GVariant *value, gpointer data)
{
  scale_lr (data, .5);
}

static void
on_lr_double (GSimpleAction *action, GVariant *value, gpointer data)
{
  scale_lr (data, 2);
}

static void
on_show_live (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsApplication *app = data;
  const TsFigures *f = ts_live_get (ts_desk_get_live (app->desk));

  if (f->active && f->run_id)
    ts_desk_show_run (app->desk, f->run_id);
  ts_window_show_page (app->window, "train");
}

static TsTemplateItem *
find_template (TsApplication *app, const char *name)
{
  GListModel *templates = G_LIST_MODEL (ts_desk_get_templates (app->desk));

  for (guint i = 0; i < g_list_model_get_n_items (templates); i++) {
    g_autoptr (TsTemplateItem) item = g_list_model_get_item (templates, i);
    if (strcmp (ts_template_item_get_name (item), name) == 0)
      return item; /* the list keeps it */
  }
  return NULL;
}

static void
tell_missing (TsApplication *app, TsTemplateItem *item)
{
  const char *package = ts_template_item_get_package (item);
  g_autofree char *title =
      g_strdup_printf ("%s is not installed", ts_template_item_get_data (item));
  g_autofree char *text =
      package ? g_strdup_printf (
                    "Install it with “sudo apt install %s”, then choose the template again; "
                    "nothing else has to be set up.",
                    package)
              : g_strdup ("This template cannot be trained without its data.");
  g_autofree char *action =
      package ? g_strdup_printf ("win.copy::sudo apt install %s", package) : NULL;

  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_WARNING, title, text,
                                             package ? "Copy the command" : NULL, action});
  ts_training_load_templates (app->training);
}

/* What would end the training that goes on is refused in words, with a way on. */
static gboolean
tell_active (TsApplication *app)
{
  const char *live = ts_live_get (ts_desk_get_live (app->desk))->name;
  g_autofree char *title = g_strdup_printf ("%s is still training", live ? live : "A run");

  if (!ts_training_is_active (app->training))
    return FALSE;
  ts_desk_set_notice (
      app->desk, &(TsNotice){TS_SEVERITY_INFO, title,
                             "Stop it first; it is saved and can go on later from where it was.",
                             "Stop it", "win.stop"});
  return TRUE;
}

static void
start_template (TsApplication *app, const char *name, gboolean paused)
{
  TsTemplateItem *item = find_template (app, name);

  if (item && !ts_template_item_get_available (item)) {
    tell_missing (app, item);
    return;
  }
  if (tell_active (app))
    return;
  app->first_page = FALSE;
  ts_training_start_template (app->training, name, paused);
  ts_window_show_page (app->window, "train");
}

static void
on_train_template (GSimpleAction *action, GVariant *value, gpointer data)
{
  start_template (data, g_variant_get_string (value, NULL), FALSE);
}

static void
on_prepare_template (GSimpleAction *action, GVariant *value, gpointer data)
{
  start_template (data, g_variant_get_string (value, NULL), TRUE);
}

/* --- Runs --- */

static void
on_open_run (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsApplication *app = data;

  ts_desk_show_run (app->desk, g_variant_get_int64 (value));
  ts_window_show_page (app->window, "train");
}

static void
on_open_chosen_run (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsApplication *app = data;
  TsRunItem *item = ts_desk_get_chosen (app->desk);

  if (!item)
    return;
  ts_desk_show_run (app->desk, ts_run_item_get_id (item));
  ts_window_show_page (app->window, "train");
}

static void
on_rename_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  gint64 run_id;
  const char *name;

  g_variant_get (value, "(x&s)", &run_id, &name);
  ts_training_rename (TS_APPLICATION (data)->training, run_id, name);
}

/* --- Workspaces --- */

#define READ_TROUBLE "The runs cannot be read just now"

/* By the run list's first answer: runs are shown when there are any, templates when there are not.
 */
static void
on_refreshed (TsApplication *app)
{
  GListModel *runs = G_LIST_MODEL (ts_desk_get_runs (app->desk));
  guint n = g_list_model_get_n_items (runs);
  const TsNotice *notice = ts_desk_get_notice (app->desk);

  if (!app->window)
    return; /* it was closed meanwhile */

  if (notice && strcmp (notice->title, READ_TROUBLE) == 0)
    ts_desk_set_notice (app->desk, NULL);
  if (app->first_page && n)
    ts_window_show_page (app->window, "runs");
  if (app->first_page && n && !ts_desk_get_shown_id (app->desk)) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, n - 1);
    ts_desk_show_run (app->desk, ts_run_item_get_id (item));
  }
  if (app->first_page && !n && app->folder) {
    update_actions (app); /* the first runs are still being read */
    return;
  }
  if (app->first_page && !n)
    ts_window_show_page (app->window, "welcome");
  app->first_page = FALSE;
  update_actions (app);
}

static void
on_read_failed (TsApplication *app, const char *message)
{
  const char *path = ts_desk_get_workspace (app->desk);

  if (!app->window)
    return;
  if (ts_run_list_is_loaded (ts_desk_get_runs (app->desk)) ||
      ts_training_is_active (app->training)) {
    /* it could be read before: what is shown stays, and a worse trouble keeps its notice */
    if (!ts_desk_get_notice (app->desk))
      ts_desk_set_notice (app->desk,
                          &(TsNotice){TS_SEVERITY_WARNING, READ_TROUBLE, message, NULL, NULL});
    return;
  }
  /* one that does not exist yet is made by the first training */
  if (!path || !g_file_test (path, G_FILE_TEST_EXISTS)) {
    app->first_page = FALSE;
    return;
  }
  ts_window_show_page (app->window, "welcome");
  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_ERROR, "This file cannot be opened",
                                             message, "Open another", "win.open-workspace"});
}

static void
on_folder_opened (const char *workspace, const GError *error, gpointer data)
{
  TsApplication *app = data;

  if (workspace) {
    ts_desk_set_notice (app->desk, NULL);
    app->first_page = TRUE;
    ts_training_set_workspace (app->training, workspace);
    return;
  }
  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_ERROR, "This folder cannot be read",
                                             error->message, "Open another", "win.open-workspace"});
}

static void
end_check (TsApplication *app)
{
  g_cancellable_cancel (app->check);
  g_clear_object (&app->check);
}

static void
on_damaged (const char *path, const char *problem, gpointer data)
{
  TsApplication *app = data;
  g_autofree char *quoted = g_shell_quote (path);
  g_autofree char *text =
      g_strdup_printf ("%s: %s. Go on from a copy, if you have one: what is written to this file "
                       "may be lost. 'trainscope inspect' says which runs are whole.",
                       path, problem);
  g_autofree char *action = g_strdup_printf ("win.copy::trainscope inspect %s", quoted);

  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_ERROR, "This file is damaged", text,
                                             "Copy the command", action});
}

/* Event files: the workspace is their index, which follows what is written. */
static void
open_folder (TsApplication *app, const char *path)
{
  g_autofree char *text = g_strdup_printf ("Event files below %s", path);

  end_check (app);
  g_clear_pointer (&app->folder, ts_log_folder_close);
  ts_desk_set_source (app->desk, path);
  ts_window_show_page (app->window, "runs");
  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_INFO, "Reading", text, NULL, NULL});
  app->folder = ts_log_folder_open (path, on_folder_opened, app);
}

static void
open_path (TsApplication *app, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    if (!tell_active (app))
      open_folder (app, path);
    return;
  }
  g_autofree char *full = ts_workspace_find_path (path, &error);

  if (full && tell_active (app))
    return;
  if (!full) {
    ts_desk_set_notice (app->desk,
                        &(TsNotice){TS_SEVERITY_ERROR, "There is no such workspace", error->message,
                                    "Open another", "win.open-workspace"});
    return;
  }
  end_check (app);
  g_clear_pointer (&app->folder, ts_log_folder_close);
  ts_desk_set_source (app->desk, NULL);
  ts_desk_set_notice (app->desk, NULL);
  app->first_page = TRUE;
  ts_training_set_workspace (app->training, full);
  if (!g_file_test (full, G_FILE_TEST_EXISTS))
    return;
  ts_recents_add (ts_desk_get_recents (app->desk), full);
  app->check = ts_file_check_start (full, on_damaged, app);
}

static void
on_open_path (GSimpleAction *action, GVariant *value, gpointer data)
{
  open_path (data, g_variant_get_string (value, NULL));
}

static void
on_chosen_file (TsApplication *app, int response)
{
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (app->chooser));
    const char *path = file ? g_file_peek_path (file) : NULL;
    if (path)
      open_path (app, path);
  }
  g_clear_object (&app->chooser);
}

static void
choose_file (TsApplication *app, gboolean save)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  g_clear_object (&app->chooser);
  app->chooser = gtk_file_chooser_native_new (
      save ? "New workspace" : "Open workspace", GTK_WINDOW (app->window),
      save ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN, save ? "Create" : "Open",
      "Cancel");
  gtk_file_filter_set_name (filter, "Workspaces (*.trainscope)");
  gtk_file_filter_add_suffix (filter, "trainscope");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (app->chooser), filter);
  if (save)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (app->chooser), "runs.trainscope");
  g_signal_connect_object (app->chooser, "response", G_CALLBACK (on_chosen_file), app,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (app->chooser));
}

static void
on_open_workspace (GSimpleAction *action, GVariant *value, gpointer data)
{
  choose_file (data, FALSE);
}

static void
on_new_workspace (GSimpleAction *action, GVariant *value, gpointer data)
{
  choose_file (data, TRUE);
}

static char *
dup_default_path (void)
{
  g_autofree char *folder = NULL;

  if (access (".", W_OK) == 0)
    return g_strdup ("runs.trainscope");
  folder = g_build_filename (g_get_user_data_dir (), "trainscope", NULL);
  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, "runs.trainscope", NULL);
}

/* A name on the command line that is not a workspace's may be that of a folder, mistyped. */
static void
tell_nothing_there (TsApplication *app)
{
  g_autofree char *text =
      g_strdup_printf ("%s is neither a file nor a folder. The first training makes a workspace of "
                       "that name.",
                       app->path);

  if (g_str_has_suffix (app->path, ".trainscope") ||
      g_file_test (app->path, G_FILE_TEST_EXISTS) || ts_desk_get_notice (app->desk))
    return;
  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_INFO, "Nothing is there yet", text,
                                             "Open another", "win.open-workspace"});
}

/* --- The end --- */

static void
on_training_closed (gpointer data)
{
  TsApplication *app = data;

  app->closed = TRUE;
  if (app->window)
    gtk_window_destroy (GTK_WINDOW (app->window));
  app->window = NULL;
}

static gboolean
on_close_request (TsApplication *app)
{
  if (app->closed)
    return FALSE;
  ts_training_close (app->training, on_training_closed, app);
  return TRUE; /* it closes when the run is saved */
}

static void
on_close (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_window_close (GTK_WINDOW (TS_APPLICATION (data)->window));
}

static gboolean
on_signal (gpointer data)
{
  TsApplication *app = data;

  if (app->window)
    gtk_window_close (GTK_WINDOW (app->window));
  return G_SOURCE_CONTINUE;
}

/* --- Life --- */

static const GActionEntry entries[] = {
    {"start-pause", on_start_pause},
    {"step", on_step},
    {"stop", on_stop},
    {"set-lr", on_set_lr, "d"},
    {"lr-half", on_lr_half},
    {"lr-double", on_lr_double},
    {"show-live", on_show_live},
    {"train-template", on_train_template, "s"},
    {"prepare-template", on_prepare_template, "s"},
    {"open-run", on_open_run, "x"},
    {"open-chosen-run", on_open_chosen_run},
    {"rename-to", on_rename_to, "(xs)"},
    {"open-path", on_open_path, "s"},
    {"open-workspace", on_open_workspace},
    {"new-workspace", on_new_workspace},
    {"close", on_close},
};

static void
ts_application_startup (GApplication *application)
{
  G_APPLICATION_CLASS (ts_application_parent_class)->startup (application);
  ts_window_load_style ();
  gtk_window_set_default_icon_name (APP_ID);
}

/* A run whose program died is told of, once it is looked at. */
static void
on_shown (TsApplication *app)
{
  TsRunItem *item = ts_desk_get_shown (app->desk);

  update_actions (app);
  if (!item || ts_run_item_get_state (item) != TS_RUN_INTERRUPTED ||
      ts_desk_get_notice (app->desk) || ts_training_is_active (app->training) ||
      !ts_run_item_get (item)->model_text)
    return;
  g_autofree char *text =
      g_strdup_printf ("The program ended while %s trained. What was recorded is stored; "
                       "it can go on from its last checkpoint.",
                       ts_run_item_get_name (item));
  ts_desk_set_notice (app->desk, &(TsNotice){TS_SEVERITY_INFO, "Interrupted, nothing lost", text,
                                             "Continue where it died", "win.start-pause"});
}

/* The data may have been installed meanwhile. */
static void
on_active (TsApplication *app)
{
  if (gtk_window_is_active (GTK_WINDOW (app->window)))
    ts_training_load_templates (app->training);
}

static void
ts_application_activate (GApplication *application)
{
  TsApplication *app = TS_APPLICATION (application);
  g_autofree char *path = app->path ? g_strdup (app->path) : dup_default_path ();

  if (app->window) {
    gtk_window_present (GTK_WINDOW (app->window));
    return;
  }
  app->desk = ts_desk_new ();
  app->training = ts_training_new (app->desk, on_training_changed, app);
  app->window = ts_window_new (GTK_APPLICATION (app), app->desk);
  g_action_map_add_action_entries (G_ACTION_MAP (app->window), entries, G_N_ELEMENTS (entries),
                                   app);
  g_signal_connect_object (app->window, "close-request", G_CALLBACK (on_close_request), app,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app->window, "notify::is-active", G_CALLBACK (on_active), app,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app->desk, "shown-changed", G_CALLBACK (on_shown), app,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app->desk, "chosen-changed", G_CALLBACK (update_actions), app,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_runs (app->desk), "refreshed", G_CALLBACK (on_refreshed),
                           app, G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_runs (app->desk), "failed", G_CALLBACK (on_read_failed), app,
                           G_CONNECT_SWAPPED);
  app->signals[0] = g_unix_signal_add (SIGINT, on_signal, app);
  app->signals[1] = g_unix_signal_add (SIGTERM, on_signal, app);
  update_actions (app);
  ts_training_load_templates (app->training);
  open_path (app, path);
  if (!app->path)
    app->first_page = FALSE;
  else if (!app->train)
    tell_nothing_there (app);
  if (app->train)
    start_template (app, app->train, FALSE);
  gtk_window_present (GTK_WINDOW (app->window));
}

static void
ts_application_shutdown (GApplication *application)
{
  TsApplication *app = TS_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (app->signals); i++)
    g_clear_handle_id (&app->signals[i], g_source_remove);
  g_clear_object (&app->chooser);
  end_check (app);
  g_clear_pointer (&app->folder, ts_log_folder_close);
  g_clear_pointer (&app->training, ts_training_free);
  g_clear_object (&app->desk);
  G_APPLICATION_CLASS (ts_application_parent_class)->shutdown (application);
}

static void
ts_application_finalize (GObject *object)
{
  TsApplication *app = TS_APPLICATION (object);

  g_free (app->path);
  g_free (app->train);
  G_OBJECT_CLASS (ts_application_parent_class)->finalize (object);
}

static void
ts_application_class_init (TsApplicationClass *klass)
{
  GApplicationClass *application = G_APPLICATION_CLASS (klass);

  application->startup = ts_application_startup;
  application->activate = ts_application_activate;
  application->shutdown = ts_application_shutdown;
  G_OBJECT_CLASS (klass)->finalize = ts_application_finalize;
}

static void
ts_application_init (TsApplication *app)
{
}

TsApplication *
ts_application_new (const char *path, const char *train)
{
  TsApplication *app = g_object_new (TS_TYPE_APPLICATION, "application-id", APP_ID, "flags",
                                     G_APPLICATION_NON_UNIQUE, NULL);

  app->path = g_strdup (path);
  app->train = g_strdup (train);
  return app;
}

TsWindow *
ts_application_get_window (TsApplication *app)
{
  return app->window;
}
