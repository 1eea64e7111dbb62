/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "app/templates.h"
#include "data/store/reader.h"
#include "data/store/writer.h"
#include "tests/ui/support.h"
#include "ui/widgets/rate-panel.h"

/* A person's whole way: start, watch, pause, change, step, go on, stop, come back, rename. */

typedef struct {
  TsApplication *app;
  TsSeries *series;
  gint64 step;
  const char *name;
} Job;

static gboolean
has_templates (gpointer data)
{
  return g_list_model_get_n_items (
             G_LIST_MODEL (ts_desk_get_templates (ts_test_desk (((Job *) data)->app)))) > 0;
}

static gboolean
is_active (gpointer data)
{
  return ts_test_figures (((Job *) data)->app)->active;
}

static gboolean
is_paused (gpointer data)
{
  const TsFigures *f = ts_test_figures (((Job *) data)->app);
  return f->active && f->state == TS_RUN_PAUSED;
}

static gboolean
is_paused_at_step (gpointer data)
{
  return is_paused (data) && ts_test_figures (((Job *) data)->app)->step == ((Job *) data)->step;
}

static gboolean
is_over (gpointer data)
{
  const TsFigures *f = ts_test_figures (((Job *) data)->app);
  return !f->active && !f->preparing;
}

static gboolean
has_points (gpointer data)
{
  guint n;

  ts_series_get_points (((Job *) data)->series, &n);
  return n >= ((Job *) data)->step;
}

static gboolean
is_shown (gpointer data)
{
  return ts_desk_get_shown (ts_test_desk (((Job *) data)->app)) != NULL;
}

static TsRunItem *
get_run (Job *job, guint index)
{
  GListModel *runs = G_LIST_MODEL (ts_desk_get_runs (ts_test_desk (job->app)));
  TsRunItem *item = g_list_model_get_item (runs, index);

  if (item)
    g_object_unref (item); /* the list keeps it */
  return item;
}

static gboolean
is_stored_as_stopped (gpointer data)
{
  TsRunItem *item = get_run (data, 0);
  return item && ts_run_item_get_state (item) == TS_RUN_STOPPED;
}

static gboolean
is_stored_as_finished (gpointer data)
{
  TsRunItem *item = get_run (data, 0);
  return item && ts_run_item_get_state (item) == TS_RUN_FINISHED;
}

static gboolean
has_name (gpointer data)
{
  TsRunItem *item = get_run (data, 0);
  return item && strcmp (ts_run_item_get_name (item), ((Job *) data)->name) == 0;
}

static char *
new_path (void)
{
  g_autofree char *folder = ts_test_new_folder ();
  return g_build_filename (folder, "w.trainscope", NULL);
}

/* All points of a tag as another reader finds them. */
static GArray *
read_points (const char *path, const char *tag)
{
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_autoptr (GPtrArray) runs = NULL;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));

  g_assert_no_error (error);
  runs = ts_reader_list_runs (reader, FALSE, &error);
  g_assert_no_error (error);
  g_autoptr (TsTagInfo) info = ts_reader_find_tag (reader, ((TsRun *) runs->pdata[0])->run_id, tag,
                                                   TS_SERIES_SCALAR, &error);
  g_assert_no_error (error);
  ts_reader_read_points (reader, info->series_id, 0, G_MAXUINT, points, &error);
  g_assert_no_error (error);
  return points;
}

static void
check_points (TsSeries *series, GArray *wanted)
{
  guint n;
  const TsStoredPoint *points = ts_series_get_points (series, &n);

  g_assert_cmpuint (n, ==, wanted->len);
  for (guint i = 0; i < n; i++) {
    const TsStoredPoint *w = &g_array_index (wanted, TsStoredPoint, i);
    g_assert_cmpint (points[i].step, ==, w->step);
    g_assert_cmpuint (points[i].bits, ==, w->bits);
    g_assert_cmpint (points[i].hidden, ==, w->hidden);
  }
}

static guint
count_edits (const char *path, double *last)
{
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, &error);
  g_autoptr (GArray) edits =
      ts_reader_list_edits (reader, ((TsRun *) runs->pdata[0])->run_id, &error);

  g_assert_no_error (error);
  if (edits->len)
    *last = g_array_index (edits, TsEditInfo, edits->len - 1).to;
  return edits->len;
}

static gboolean
starts (GtkWidget *widget, gpointer name)
{
  GVariant *target = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget));
  const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (widget));

  return g_strcmp0 (action, "win.train-template") == 0 &&
         strcmp (g_variant_get_string (target, NULL), name) == 0;
}

/* By a click on its card; it runs to its end. */
static void
test_to_the_end (void)
{
  g_autofree char *path = new_path ();
  Job job = {.app = ts_test_open (path)};
  GtkWidget *card;

  ts_test_wait (has_templates, &job);
  card = ts_test_find (GTK_WIDGET (ts_application_get_window (job.app)), GTK_TYPE_BUTTON, starts,
                       "iris");
  g_assert_nonnull (card);
  g_signal_emit_by_name (card, "clicked");
  g_assert_cmpstr (ts_window_get_page (ts_application_get_window (job.app)), ==, "train");
  g_assert_true (ts_test_figures (job.app)->preparing);
  ts_test_wait (is_stored_as_finished, &job);
  ts_test_wait (is_over, &job);
  ts_test_wait (is_shown, &job);
  TsRunItem *item = ts_desk_get_shown (ts_test_desk (job.app));
  job.series = ts_series_cache_get (ts_desk_get_series (ts_test_desk (job.app)),
                                    ts_run_item_get_id (item), "train/loss");
  job.step = ts_test_figures (job.app)->step;
  g_assert_cmpint (job.step, ==, ts_test_figures (job.app)->total_steps);
  ts_test_wait (has_points, &job);
  g_autoptr (GArray) points = read_points (path, "train/loss");
  g_assert_cmpint (points->len, ==, job.step);
  check_points (job.series, points);
  g_object_unref (job.series);
  ts_test_close (job.app);
}

static void
step_to (Job *job, gint64 step)
{
  job->step = step;
  ts_test_do (job->app, "win.step");
  ts_test_wait (is_paused_at_step, job);
}

static void
test_step_change_stop (void)
{
  g_autofree char *path = new_path ();
  Job job = {.app = ts_test_open (path)};
  GtkWidget *rate;
  double lr = NAN;

  ts_test_wait (has_templates, &job);
  ts_test_do (job.app, "win.prepare-template::spirals");
  ts_test_wait (is_paused, &job);
  g_assert_cmpint (ts_test_figures (job.app)->step, ==, 0);
  ts_test_wait (is_shown, &job);
  step_to (&job, 1);
  step_to (&job, 2);

  rate = ts_test_find (GTK_WIDGET (ts_application_get_window (job.app)), TS_TYPE_RATE_PANEL, NULL,
                       NULL);
  g_assert_nonnull (rate);
  g_assert_true (gtk_widget_get_visible (rate));
  g_assert_false (ts_rate_panel_enter (TS_RATE_PANEL (rate), "fast"));
  g_assert_false (ts_rate_panel_enter (TS_RATE_PANEL (rate), "-1"));
  g_assert_false (ts_rate_panel_enter (TS_RATE_PANEL (rate), "0.1 or so"));
  g_assert_true (ts_rate_panel_enter (TS_RATE_PANEL (rate), "0.0625"));
  step_to (&job, 3);
  g_assert_cmpfloat (ts_test_figures (job.app)->lr, ==, 0.0625);
  ts_test_do (job.app, "win.lr-half");
  step_to (&job, 4);
  g_assert_cmpfloat (ts_test_figures (job.app)->lr, ==, 0.03125);

  /* runs, and pauses again at a later step */
  ts_test_do (job.app, "win.start-pause");
  ts_test_wait (is_active, &job);
  while (ts_test_figures (job.app)->state == TS_RUN_PAUSED && is_active (&job))
    g_main_context_iteration (NULL, TRUE);
  if (is_active (&job)) {
    ts_test_do (job.app, "win.start-pause");
    ts_test_wait (is_paused, &job);
    g_assert_cmpint (ts_test_figures (job.app)->step, >, 4);
  }
  ts_test_do (job.app, "win.stop");
  ts_test_wait (is_over, &job);
  ts_test_wait (is_stored_as_stopped, &job);
  job.step = ts_test_figures (job.app)->step;
  g_assert_cmpuint (count_edits (path, &lr), ==, 2);
  g_assert_cmpfloat (lr, ==, 0.03125);
  ts_test_close (job.app);

  /* another day: the same points, and it goes on from where it was */
  g_autoptr (GArray) before = read_points (path, "train/loss");
  g_assert_cmpint (before->len, ==, job.step);
  job.app = ts_test_open (path);
  ts_test_wait (is_shown, &job);
  g_assert_cmpstr (ts_window_get_page (ts_application_get_window (job.app)), ==, "runs");
  gint64 run_id = ts_run_item_get_id (ts_desk_get_shown (ts_test_desk (job.app)));
  job.series =
      ts_series_cache_get (ts_desk_get_series (ts_test_desk (job.app)), run_id, "train/loss");
  ts_test_wait (has_points, &job);
  check_points (job.series, before);
  ts_test_do (job.app, "win.step"); /* continues by one step */
  job.step++;
  ts_test_wait (is_paused_at_step, &job);
  ts_test_do (job.app, "win.start-pause");
  ts_test_wait (is_over, &job);
  ts_test_wait (is_stored_as_finished, &job);
  g_autoptr (GArray) after = read_points (path, "train/loss");
  job.step = after->len;
  ts_test_wait (has_points, &job);
  check_points (job.series, after);
  g_assert_cmpuint (after->len, >, before->len);
  g_assert_cmpint (memcmp (after->data, before->data, before->len * sizeof (TsStoredPoint)), ==, 0);
  g_object_unref (job.series);
  ts_test_close (job.app);
}

static void
test_rename (void)
{
  g_autofree char *path = new_path ();
  Job job = {.app = ts_test_open (path)};
  GtkWidget *entry;

  ts_test_wait (has_templates, &job);
  ts_test_do (job.app, "win.train-template::iris");
  ts_test_wait (is_stored_as_finished, &job);
  ts_test_do (job.app, "win.page::runs");
  ts_test_settle ();
  ts_test_do (job.app, "win.rename-run");
  ts_test_settle ();
  entry = ts_test_find (ts_window_get_page_widget (ts_application_get_window (job.app), "runs"),
                        GTK_TYPE_ENTRY, NULL, NULL);
  g_assert_nonnull (entry);
  g_assert_true (gtk_widget_get_visible (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), "my flowers");
  g_signal_emit_by_name (entry, "activate");
  job.name = "my flowers";
  ts_test_wait (has_name, &job);
  g_assert_false (gtk_widget_get_visible (entry));

  /* the same again as a new run, whose name may not become the first one's */
  ts_test_do (job.app, "win.open-chosen-run");
  g_assert_cmpstr (ts_window_get_page (ts_application_get_window (job.app)), ==, "train");
  ts_test_do (job.app, "win.start-pause");
  ts_test_wait (is_active, &job);
  ts_test_wait (is_over, &job);
  while (!get_run (&job, 1) || ts_run_item_get_state (get_run (&job, 1)) != TS_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  g_autofree char *action =
      g_strdup_printf ("win.rename-to((int64 %" G_GINT64_FORMAT ",'my flowers'))",
                       ts_run_item_get_id (get_run (&job, 1)));
  ts_test_do (job.app, action);
  while (!ts_desk_get_notice (ts_test_desk (job.app)))
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (ts_desk_get_notice (ts_test_desk (job.app))->text, "my flowers"));
  ts_test_close (job.app);

  /* the same settings gave the same curve */
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, &error);
  g_assert_no_error (error);
  const TsRun *a = runs->pdata[0], *b = runs->pdata[1];
  g_assert_cmpstr (a->name, ==, "my flowers");
  g_assert_cmpint (a->n_points, ==, b->n_points);
  for (guint i = 0; i < a->last->len; i++) {
    const TsLastValue *p = &g_array_index (a->last, TsLastValue, i),
                      *q = &g_array_index (b->last, TsLastValue, i);
    g_assert_cmpstr (p->tag, ==, q->tag);
    if (strcmp (p->tag, "steps_per_s") != 0)
      g_assert_cmpuint (p->bits, ==, q->bits);
  }
}

static void
check_saved_as_stopped (const char *path, gint64 step)
{
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, &error);
  const TsRun *run = runs->pdata[0];
  g_autoptr (GArray) last = ts_reader_last_checkpoint (reader, run->run_id, &error);

  g_assert_no_error (error);
  g_assert_cmpint (run->state, ==, TS_RUN_STOPPED);
  g_assert_cmpuint (last->len, ==, 1);
  g_assert_cmpint (g_array_index (last, TsCheckpointInfo, 0).step, ==, step);
}

static Job
start_paused (const char *path)
{
  Job job = {.app = ts_test_open (path)};

  ts_test_wait (has_templates, &job);
  ts_test_do (job.app, "win.prepare-template::iris");
  ts_test_wait (is_paused, &job);
  step_to (&job, 1);
  step_to (&job, 2);
  return job;
}

static void
test_close_saves (void)
{
  g_autofree char *path = new_path ();
  Job job = start_paused (path);

  ts_test_close (job.app);
  check_saved_as_stopped (path, 2);
}

static gboolean
is_gone (gpointer data)
{
  return !ts_application_get_window (((Job *) data)->app);
}

static void
test_signal_saves (void)
{
  g_autofree char *path = new_path ();
  Job job = start_paused (path);

  raise (SIGTERM);
  ts_test_wait (is_gone, &job);
  ts_test_close (job.app);
  check_saved_as_stopped (path, 2);
}

/* The window may be closed while the data is still being loaded. */
static void
test_close_while_preparing (void)
{
  g_autofree char *path = new_path ();
  Job job = {.app = ts_test_open (path)};

  ts_test_wait (has_templates, &job);
  ts_test_do (job.app, "win.train-template::iris");
  g_assert_true (ts_test_figures (job.app)->preparing);
  ts_test_close (job.app);
  /* the file is whole and nobody holds it */
  job.app = ts_test_open (path);
  ts_test_wait (has_templates, &job);
  ts_test_do (job.app, "win.prepare-template::iris");
  ts_test_wait (is_paused, &job);
  ts_test_close (job.app);
}

/* A second start asks to stop the first. */
static void
test_one_at_a_time (void)
{
  g_autofree char *path = new_path ();
  Job job = start_paused (path);

  ts_test_do (job.app, "win.train-template::spirals");
  const TsNotice *notice = ts_desk_get_notice (ts_test_desk (job.app));
  g_assert_nonnull (notice);
  g_assert_cmpstr (notice->action, ==, "win.stop");
  ts_test_do (job.app, notice->action);
  ts_test_wait (is_over, &job);
  ts_test_do (job.app, "win.prepare-template::spirals");
  ts_test_wait (is_paused, &job);
  g_assert_cmpstr (ts_test_figures (job.app)->name, ==, "spirals-1");
  ts_test_close (job.app);
}

static gboolean
has_other_workspace (gpointer data)
{
  Job *job = data;
  return g_strcmp0 (ts_desk_get_workspace (ts_test_desk (job->app)), job->name) == 0;
}

/* Another workspace is opened only when nothing trains in this one. */
static void
test_change_workspace (void)
{
  g_autofree char *path = new_path (), *other = new_path ();
  Job job = start_paused (path);
  g_autofree char *action = g_strconcat ("win.open-path::", other, NULL);

  ts_test_do (job.app, action);
  g_assert_nonnull (ts_desk_get_notice (ts_test_desk (job.app)));
  ts_test_do (job.app, ts_desk_get_notice (ts_test_desk (job.app))->action);
  ts_test_wait (is_over, &job);
  g_assert_cmpstr (ts_desk_get_workspace (ts_test_desk (job.app)), ==, path);
  ts_test_do (job.app, action);
  job.name = other;
  ts_test_wait (has_other_workspace, &job);
  check_saved_as_stopped (path, 2);
  ts_test_do (job.app, "win.prepare-template::iris");
  ts_test_wait (is_paused, &job);
  step_to (&job, 1);
  ts_test_close (job.app);
  check_saved_as_stopped (other, 1);
}

/* A run whose program died is offered to go on. */
static void
test_interrupted (void)
{
  g_autofree char *path = new_path ();
  Job job = {0};
  TsRunRef run;
  GError *error = NULL;
  g_autoptr (TsSource) source = ts_template_lookup ("iris");
  TsWriter *writer = ts_writer_open (path, &error);

  g_assert_no_error (error);
  ts_writer_begin_run (writer,
                       &(TsRunInfo){.name = "cut short",
                                    .model_name = "iris",
                                    .model_text = ts_source_get_text (source)},
                       &run, &error);
  g_assert_no_error (error);
  ts_writer_close (writer, &error); /* with no word of an end */
  g_assert_no_error (error);
  job.app = ts_test_open (path);
  ts_test_wait (is_shown, &job);
  const TsNotice *notice = ts_desk_get_notice (ts_test_desk (job.app));
  g_assert_nonnull (notice);
  g_assert_cmpstr (notice->title, ==, "Interrupted, nothing lost");
  ts_test_do (job.app, notice->action);
  ts_test_wait (is_stored_as_finished, &job);
  g_assert_null (ts_desk_get_notice (ts_test_desk (job.app)));
  ts_test_close (job.app);
}

static gboolean
says_not_saved (gpointer data)
{
  const TsNotice *notice = ts_desk_get_notice (ts_test_desk (((Job *) data)->app));
  return notice && strcmp (notice->title, "The run cannot be saved") == 0;
}

static gboolean
says_nothing (gpointer data)
{
  return !ts_desk_get_notice (ts_test_desk (((Job *) data)->app));
}

/* A disk that takes nothing more: said in words, and over by itself when it does again. */
static void
test_full_disk (void)
{
  g_autofree char *path = new_path ();
  Job job = start_paused (path);
  struct rlimit limit, full;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  full = limit;
  full.rlim_cur = 1;
  setrlimit (RLIMIT_FSIZE, &full);
  step_to (&job, 3);
  ts_test_wait (says_not_saved, &job);
  g_assert_cmpstr (ts_window_get_page (ts_application_get_window (job.app)), ==, "train");
  setrlimit (RLIMIT_FSIZE, &limit);
  ts_test_wait (says_nothing, &job);
  step_to (&job, 4);
  ts_test_close (job.app);
  check_saved_as_stopped (path, 4);
  g_autoptr (GArray) points = read_points (path, "train/loss");
  g_assert_cmpuint (points->len, ==, 4);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/training/to-the-end", test_to_the_end);
  g_test_add_func ("/training/step-change-stop", test_step_change_stop);
  g_test_add_func ("/training/rename", test_rename);
  g_test_add_func ("/training/close-saves", test_close_saves);
  g_test_add_func ("/training/signal-saves", test_signal_saves);
  g_test_add_func ("/training/close-while-preparing", test_close_while_preparing);
  g_test_add_func ("/training/one-at-a-time", test_one_at_a_time);
  g_test_add_func ("/training/change-workspace", test_change_workspace);
  g_test_add_func ("/training/interrupted", test_interrupted);
  g_test_add_func ("/training/full-disk", test_full_disk);
  return g_test_run ();
}
