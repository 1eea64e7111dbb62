/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <glib-unix.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/cli.h"
#include "app/templates.h"
#include "app/workbench.h"
#include "engine/base/error.h"
#include "engine/base/param.h"

#define TICK_MS 250

typedef struct {
  GMainLoop *loop;
  TsWorkbench *workbench;
  TsTrainer *trainer;
  gboolean json, quiet, terminal;
  gint64 printed_step, printed_epoch;
  gboolean bar; /* an unfinished progress line is on the screen */
  guint signals;
  char *store_error; /* last one told */
} Job;

static void
end_bar (Job *job)
{
  if (job->bar)
    fputs ("\r\033[K", stderr);
  job->bar = FALSE;
}

static void
print_progress_json (Job *job, const TsPulse *p)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  ts_cli_json_text (b, "event", "progress");
  ts_cli_json_int (b, "step", p->step);
  ts_cli_json_int (b, "epoch", p->epoch);
  ts_cli_json_int (b, "total_steps", p->total_steps);
  ts_cli_json_number (b, "loss", p->loss);
  ts_cli_json_number (b, "accuracy", p->accuracy);
  ts_cli_json_number (b, "val_loss", p->val_loss);
  ts_cli_json_number (b, "val_accuracy", p->val_metric);
  ts_cli_json_number (b, "lr", p->lr);
  ts_cli_json_number (b, "steps_per_s", p->steps_per_s);
  ts_cli_json_text (b, "state", ts_run_state_name (p->state));
  json_builder_end_object (b);
  ts_cli_json_print (b, FALSE);
}

/* "mlp-1  [#####-----]  1,234/3,910  loss 0.412  52.1 steps/s  0:51 left" */
static void
print_bar (Job *job, const TsPulse *p)
{
  struct winsize size;
  int columns =
      ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
  double share = p->total_steps ? (double) p->step / (double) p->total_steps : 0;
  double left = p->steps_per_s > 0 ? (double) (p->total_steps - p->step) / p->steps_per_s : 0;
  g_autofree char *loss = ts_cli_dup_number (p->loss);
  g_autofree char *tail = g_strdup_printf (
      " %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "  loss %s  %.1f steps/s  %d:%02d left", p->step,
      p->total_steps, loss, p->steps_per_s, (int) left / 60, (int) left % 60);
  int width = CLAMP (columns - (int) g_utf8_strlen (tail, -1) - 4, 0, 30);
  g_autofree char *bar = g_strnfill (width, '-');

  memset (bar, '#', (gsize) (share * width));
  fprintf (stderr, "\r\033[K[%s]%s", bar, tail);
  fflush (stderr);
  job->bar = TRUE;
}

static void
print_epoch (Job *job, const TsPulse *p, gint64 epoch)
{
  g_autofree char *loss = ts_cli_dup_number (p->loss), *val = ts_cli_dup_number (p->val_loss);

  end_bar (job);
  g_print ("epoch %" G_GINT64_FORMAT "  step %" G_GINT64_FORMAT "  loss %s", epoch, p->step, loss);
  if (!isnan (p->val_loss))
    g_print ("  val/loss %s", val);
  if (!isnan (p->val_metric))
    g_print ("  val %.4f", p->val_metric);
  g_print ("  %.1f steps/s\n", p->steps_per_s);
}

static void
report_store (Job *job)
{
  TsWatermark w = {0};
  const char *message = NULL;

  if (!ts_writer_get_watermark (ts_workbench_get_writer (job->workbench),
                                ts_workbench_get_run (job->workbench)->run_id, &w))
    return;
  message = w.error ? w.error->message : NULL;
  if (g_strcmp0 (message, job->store_error) != 0) {
    end_bar (job);
    if (message)
      g_printerr ("trainscope: %s; the training waits until it can be written\n", message);
    else
      g_printerr ("trainscope: writing works again\n");
    g_free (job->store_error);
    job->store_error = g_strdup (message);
  }
  ts_watermark_clear (&w);
}

static gboolean
tick (gpointer data)
{
  Job *job = data;
  TsPulse p;

  ts_trainer_get_pulse (job->trainer, &p);
  report_store (job);
  if (job->json) {
    if (p.step != job->printed_step)
      print_progress_json (job, &p);
  } else if (!job->quiet) {
    /* a model without validation has its epochs alone */
    gint64 epoch = isnan (p.val_loss) ? p.epoch : p.val_epoch;
    if (epoch != job->printed_epoch && !isnan (p.loss) && (epoch > 1 || !isnan (p.val_loss)))
      print_epoch (job, &p, epoch);
    if (job->terminal)
      print_bar (job, &p);
  }
  job->printed_step = p.step;
  job->printed_epoch = isnan (p.val_loss) ? p.epoch : p.val_epoch;
  if (ts_trainer_is_done (job->trainer))
    g_main_loop_quit (job->loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_done (gpointer data)
{
  Job *job = data;

  if (ts_trainer_is_done (job->trainer)) {
    tick (job);
    g_main_loop_quit (job->loop);
  }
  return G_SOURCE_REMOVE;
}

/* On the trainer's thread. */
static void
notify (gpointer data)
{
  Job *job = data;

  if (job->trainer && ts_trainer_is_done (job->trainer))
    g_idle_add (on_done, job);
}

static gboolean
on_signal (gpointer data)
{
  Job *job = data;

  end_bar (job);
  if (job->signals++) {
    g_printerr ("trainscope: stopped without saving\n");
    _exit (TS_EXIT_FAILED); /* asked twice */
  }
  if (!job->quiet && !job->json)
    g_printerr ("saving a checkpoint and stopping …\n");
  ts_trainer_stop (job->trainer);
  return G_SOURCE_CONTINUE;
}

/* On the writer's thread, after a COMMIT: what this line says is safe on disk. */
static void
on_saved (const TsWatermark *w, gpointer data)
{
  if (w->error)
    return;
  g_autofree char *line = g_strdup_printf ("{\"event\":\"saved\",\"step\":%" G_GINT64_FORMAT
                                           ",\"points\":%" G_GUINT64_FORMAT "}\n",
                                           w->step, w->points);
  fputs (line, stdout);
  fflush (stdout);
}

static void
print_end_json (Job *job, const TsTrainResult *r, const char *message)
{
  const TsRunRef *run = ts_workbench_get_run (job->workbench);
  g_autoptr (JsonBuilder) b = json_builder_new ();
  static const guint8 none[32];
  GString *sha = g_string_new (NULL);

  for (guint i = 0; i < 32; i++)
    g_string_append_printf (sha, "%02x", r->sha256[i]);
  json_builder_begin_object (b);
  ts_cli_json_text (b, "event", "end");
  ts_cli_json_text (b, "run", run->name);
  ts_cli_json_text (b, "uuid", run->uuid);
  ts_cli_json_text (b, "state", ts_run_state_name (r->state));
  if (message)
    ts_cli_json_text (b, "error", message);
  ts_cli_json_int (b, "steps", r->steps);
  ts_cli_json_int (b, "epochs", r->epochs);
  ts_cli_json_number (b, "seconds", r->seconds);
  json_builder_set_member_name (b, "metrics");
  json_builder_begin_object (b);
  for (guint i = 0; i < r->n_results; i++)
    ts_cli_json_number (b, r->results[i].tag, r->results[i].value);
  json_builder_end_object (b);
  json_builder_set_member_name (b, "stopped_early");
  json_builder_add_boolean_value (b, r->stopped_early);
  json_builder_set_member_name (b, "test_epoch"); /* of the weights that were tested */
  if (r->test_step >= 0)
    json_builder_add_int_value (b, r->test_epoch);
  else
    json_builder_add_null_value (b);
  json_builder_set_member_name (b, "best");
  if (r->metric) {
    json_builder_begin_object (b);
    ts_cli_json_text (b, "tag", r->metric);
    ts_cli_json_number (b, "value", r->best_value);
    ts_cli_json_int (b, "step", r->best_step);
    ts_cli_json_int (b, "epoch", r->best_epoch);
    json_builder_end_object (b);
  } else {
    json_builder_add_null_value (b);
  }
  ts_cli_json_text (b, "checkpoint_sha256", memcmp (r->sha256, none, 32) ? sha->str : NULL);
  json_builder_end_object (b);
  ts_cli_json_print (b, FALSE);
  g_string_free (sha, TRUE);
}

/* Which weights all of it is about. */
static void
print_weights (const TsTrainResult *r)
{
  gint64 waited = r->epochs - r->stop_epoch;

  if (r->stopped_early)
    g_print ("  stopped early: no better %s for %" G_GINT64_FORMAT " epoch%s", r->stop_tag, waited,
             waited == 1 ? "" : "s");
  if (r->stopped_early && r->restored)
    g_print ("; weights of epoch %" G_GINT64_FORMAT "\n", r->stop_epoch);
  else if (r->stopped_early)
    g_print ("; weights of the last epoch\n");
  if (r->test_step >= 0 && r->test_step != r->steps)
    g_print ("  test figures: weights of epoch %" G_GINT64_FORMAT "\n", r->test_epoch);
}

static void
print_end (Job *job, const TsTrainResult *r)
{
  const TsRunRef *run = ts_workbench_get_run (job->workbench);

  end_bar (job);
  g_print ("%s %s after %" G_GINT64_FORMAT " steps, %" G_GINT64_FORMAT " epochs, %.1f s\n",
           run->name, ts_run_state_name (r->state), r->steps, r->epochs, r->seconds);
  for (guint i = 0; i < r->n_results; i++) {
    g_autofree char *value = ts_cli_dup_number (r->results[i].value);
    g_print ("  %-16s %s\n", r->results[i].tag, value);
  }
  if (r->metric)
    g_print ("  best %s %.6g at epoch %" G_GINT64_FORMAT "\n", r->metric, r->best_value,
             r->best_epoch);
  print_weights (r);
  g_print ("kept as run '%s' in %s\n", run->name,
           ts_writer_get_path (ts_workbench_get_writer (job->workbench)));
}

static int
train (Job *job)
{
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  gboolean failed;

  job->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_signal, job);
  g_unix_signal_add (SIGTERM, on_signal, job);
  g_timeout_add (TICK_MS, tick, job);
  job->printed_step = -1;
  ts_trainer_start (job->trainer, FALSE);
  g_main_loop_run (job->loop);
  g_main_loop_unref (job->loop);

  const TsTrainResult *r = ts_trainer_wait (job->trainer);
  failed = r->state == TS_RUN_FAILED;
  message = r->error ? g_strdup (r->error->message) : NULL;
  /* the end is announced when it is on disk, not before */
  if (!ts_writer_flush (ts_workbench_get_writer (job->workbench), &error)) {
    failed = TRUE;
    if (!message)
      message = g_strdup (error->message);
  }
  if (job->json)
    print_end_json (job, r, message);
  else if (!job->quiet)
    print_end (job, r);
  if (message)
    g_printerr ("trainscope: %s\n", message);
  return failed ? TS_EXIT_FAILED : TS_EXIT_DONE;
}

/* KEY=VALUE of --set, and the options that are short for some of them. */
static gboolean
add_setting (GArray *settings, char *pair, GError **error)
{
  char *equals = strchr (pair, '=');

  if (!equals || equals == pair) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "--set needs KEY=VALUE, not '%s'",
                 pair);
    return FALSE;
  }
  *equals = 0;
  TsSetting s = {pair, equals + 1};
  g_array_append_val (settings, s);
  return TRUE;
}

static int run_train (int argc, char **argv);

const TsCommand ts_command_train = {
    .name = "train",
    .usage =
        "MODEL|TEMPLATE [--data SET] [--epochs N] [--steps N] [--batch N] [--seed N] [--threads N] "
        "[--set KEY=VALUE]… [--workspace FILE] [--name NAME] [--resume RUN] [--no-record] "
        "[--quiet|--json]",
    .summary = "train a model and keep the run in a workspace",
    .run = run_train,
};

/* A bad model, setting or name is the user's to mend: status 2 when the command line was wrong,
 * 1 when the model was. */
static int
prepare_failed (TsDiags *diags, const GError *error)
{
  if (diags && ts_diags_get_n_errors (diags)) {
    g_autofree char *text = ts_diags_dup_text (diags);
    fputs (text, stderr);
    return TS_EXIT_FAILED;
  }
  if (g_error_matches (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM)) {
    ts_cli_fail (error);
    return TS_EXIT_USAGE;
  }
  return ts_cli_fail (error);
}

#define N_SHORT 6

/* The options that stand for settings. */
static void
free_short (char *(*array)[N_SHORT])
{
  for (guint i = 0; i < N_SHORT; i++)
    g_free ((*array)[i]);
}

static int
run_train (int argc, char **argv)
{
  static const char *const short_keys[] = {"data", "epochs", "steps", "batch", "seed", "threads"};
  __attribute__ ((cleanup (free_short))) char *short_values[N_SHORT] = {NULL};
  g_autofree char *workspace = NULL, *name = NULL, *resume = NULL;
  g_auto (GStrv) sets = NULL, operands = NULL;
  gboolean quiet = FALSE, json = FALSE, no_record = FALSE;
  const GOptionEntry entries[] = {
      {"data", 0, 0, G_OPTION_ARG_STRING, &short_values[0], "data set ('trainscope datasets')",
       "SET"},
      {"epochs", 0, 0, G_OPTION_ARG_STRING, &short_values[1], "passes over the training rows", "N"},
      {"steps", 0, 0, G_OPTION_ARG_STRING, &short_values[2],
       "optimizer steps; the smaller limit ends", "N"},
      {"batch", 0, 0, G_OPTION_ARG_STRING, &short_values[3], "rows per step", "N"},
      {"seed", 0, 0, G_OPTION_ARG_STRING, &short_values[4], "of all random numbers", "N"},
      {"threads", 0, 0, G_OPTION_ARG_STRING, &short_values[5],
       "0: by the work; results are the same", "N"},
      {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &sets, "any setting: optimizer.lr=1e-2",
       "KEY=VALUE"},
      {"workspace", 'w', 0, G_OPTION_ARG_FILENAME, &workspace,
       "where the run is kept [runs.trainscope]", "FILE"},
      {"name", 0, 0, G_OPTION_ARG_STRING, &name, "of the run", "NAME"},
      {"resume", 0, 0, G_OPTION_ARG_STRING, &resume, "go on with this run instead of a MODEL",
       "RUN"},
      {"no-record", 0, 0, G_OPTION_ARG_NONE, &no_record, "keep no curves, only checkpoints", NULL},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "print nothing but errors", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "one JSON object a line", NULL},
      {NULL},
  };
  int status;

  if (!ts_cli_parse (&ts_command_train, argc, argv, entries, 0, 1, &operands, &status))
    return status;
  if (!operands[0] == !resume)
    return ts_cli_usage_error (&ts_command_train, "name either a MODEL or a run to --resume");

  g_autoptr (GError) error = NULL;
  g_autoptr (TsSource) source = operands[0] ? ts_template_find_model (operands[0], &error) : NULL;
  g_autoptr (GArray) settings = g_array_new (FALSE, FALSE, sizeof (TsSetting));
  g_autoptr (TsDiags) diags = NULL;
  Job job = {.json = json, .quiet = quiet, .terminal = isatty (STDERR_FILENO)};

  if (operands[0] && !source)
    return ts_cli_fail (error);
  for (guint i = 0; i < G_N_ELEMENTS (short_keys); i++) {
    TsSetting s = {short_keys[i], short_values[i]};
    if (short_values[i])
      g_array_append_val (settings, s);
  }
  for (guint i = 0; sets && sets[i]; i++)
    if (!add_setting (settings, sets[i], &error))
      return ts_cli_fail (error);
  job.workbench = ts_workbench_new (workspace ? workspace : "runs.trainscope", &error);
  if (!job.workbench)
    return ts_cli_fail (error);
  if (json)
    ts_writer_set_watermark_func (ts_workbench_get_writer (job.workbench), on_saved, NULL);

  TsTrainRequest request = {.source = source,
                            .resume = resume,
                            .name = name,
                            .settings = (const TsSetting *) settings->data,
                            .n_settings = settings->len,
                            .record = !no_record,
                            .notify = notify,
                            .notify_data = &job};
  job.trainer = ts_workbench_prepare (job.workbench, &request, &diags, &error);
  if (job.trainer && diags && !job.quiet && !job.json) {
    g_autofree char *warnings = ts_diags_dup_text (diags);
    fputs (warnings, stderr);
  }
  if (job.trainer && ts_workbench_get_warning (job.workbench))
    g_printerr ("trainscope: %s\n", ts_workbench_get_warning (job.workbench));
  status = job.trainer ? train (&job) : prepare_failed (diags, error);
  g_clear_error (&error);
  if (!ts_workbench_close (job.workbench, &error))
    status = ts_cli_fail (error);
  g_free (job.store_error);
  return status;
}
