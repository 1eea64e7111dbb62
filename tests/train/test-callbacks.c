/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "engine/train/range-test.h"
#include "tests/train/support.h"

static char *
with_train (const char *lines)
{
  return g_strdup_printf ("model net\n"
                          "input x float[20]\n"
                          "input t int\n"
                          "y = x -> dense(8, relu) -> dense(5)\n"
                          "loss xent = softmax_xent(y, t)\n"
                          "metric accuracy = accuracy(y, t)\n"
                          "train {\n"
                          "  data synthetic(rows=600, features=20, classes=5)\n"
                          "  batch 48\n"
                          "%s"
                          "}\n",
                          lines);
}

/* All values of @tag in order of steps. */
static GArray *
values_of (const Memory *m, const char *tag)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < m->events->len; i++) {
    const TsEvent *e = m->events->pdata[i];
    for (guint k = 0; e->kind == TS_EVENT_SCALARS && k < e->u.scalars.n; k++)
      if (strcmp (e->u.scalars.items[k].tag, tag) == 0)
        g_array_append_val (list, e->u.scalars.items[k].value);
  }
  return list;
}

static gboolean
has_note (const Memory *m, const char *text)
{
  for (guint i = 0; i < m->events->len; i++) {
    const TsEvent *e = m->events->pdata[i];
    if (e->kind == TS_EVENT_NOTE && strstr (e->u.note.text, text))
      return TRUE;
  }
  return FALSE;
}

static double
at (const GArray *list, guint i)
{
  g_assert_cmpuint (i, <, list->len);
  return g_array_index (list, double, i);
}

/* The tag lr shows what the schedule says; an edit changes all later rates by one ratio. */
static void
test_schedule (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
      with_train ("  optimizer sgd(lr=0.5)\n  schedule step(size=2, factor=0.5)\n  steps 8\n");
  g_autoptr (TsTrainer) t = make (text, NULL, NULL, memory, &error);

  g_assert_no_error (error);
  ts_trainer_start (t, TRUE);
  for (guint i = 0; i < 3; i++)
    ts_trainer_step (t);
  wait_for_step (t, 3);
  ts_trainer_set_lr (t, 1);
  ts_trainer_resume (t);
  ts_trainer_wait (t);
  g_autoptr (GArray) lr = values_of (memory, "lr");
  static const double want[] = {0.5, 0.5, 0.25, 1, 0.5, 0.5, 0.25, 0.25};
  g_assert_cmpuint (lr->len, ==, 8);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpfloat (at (lr, i), ==, want[i]);
}

/* Nothing gets better with a rate of 0: it stops after patience + 1 epochs. */
static void
test_stop_early (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = with_train ("  optimizer sgd(lr=0)\n"
                                      "  stop early(val.xent, patience=2)\n"
                                      "  reduce on_plateau(val.loss, patience=1)\n  epochs 40\n");
  g_autoptr (TsTrainer) t = make (text, NULL, NULL, memory, &error);

  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_cmpint (r->state, ==, TS_RUN_FINISHED);
  g_assert_cmpint (r->epochs, ==, 3);
  g_assert_true (
      has_note (memory, "stopped early after epoch 3: val.xent has not got better than"));
}

/* With a wild rate the last weights are not the best; restored ones give the best loss again. */
static void
test_restore (void)
{
  for (guint ema = 0; ema < 2; ema++) {
    g_autoptr (Memory) memory = memory_new ();
    g_autoptr (GError) error = NULL;
    g_autofree char *lines = g_strdup_printf ("  optimizer sgd(lr=%d)\n%s"
                                              "  stop early(val.loss, patience=100)\n  epochs 12\n",
                                              ema ? 20 : 3, ema ? "  ema 0.5\n" : "");
    g_autofree char *text = with_train (lines);
    g_autoptr (TsTrainer) t = make (text, NULL, NULL, memory, &error);
    g_assert_no_error (error);
    ts_trainer_start (t, FALSE);
    const TsTrainResult *r = ts_trainer_wait (t);
    g_assert_no_error (r->error);
    g_autoptr (GArray) losses = values_of (memory, "val/loss");
    guint best = 0;
    for (guint i = 1; i < losses->len; i++)
      best = at (losses, i) < at (losses, best) ? i : best;
    g_assert_cmpuint (best, <, losses->len - 1);
    const TsEvent *saved = NULL, *last = NULL;
    for (guint i = 0; i < memory->events->len; i++) {
      const TsEvent *e = memory->events->pdata[i];
      if (e->kind == TS_EVENT_CHECKPOINT)
        saved = e;
      if (e->kind == TS_EVENT_SCALARS && strcmp (e->u.scalars.items[0].tag, "test/loss") == 0)
        last = e;
    }
    g_assert_cmpint (saved->u.checkpoint.kind, ==, TS_CHECKPOINT_FINAL);
    g_assert_cmpint (last->step, ==, (gint64) (best + 1) * 8);
    /* what the file holds is what was best: one step of rate 0 validates the same loss */
    g_autoptr (Memory) again = memory_new ();
    TsTrainer *next = make (
        text, (const char *[]){"optimizer.lr", "0", "ema", ema ? "0.5" : "0", "epochs", "13", NULL},
        saved->u.checkpoint.path, again, &error);
    g_assert_no_error (error);
    ts_trainer_set_lr (next, 0);
    ts_trainer_start (next, FALSE);
    ts_trainer_wait (next);
    g_autoptr (GArray) repeated = values_of (again, "val/loss");
    g_assert_cmpfloat_with_epsilon (at (repeated, 0), at (losses, best), ema ? 1e-6 : 1e-12);
    ts_trainer_free (next);
  }
}

static void
test_plateau (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (GError) error = NULL;
  /* the loss never gets better by 1000: lower after every second epoch, and one later behind a cooldown */
  g_autofree char *text =
      with_train ("  optimizer sgd(lr=0.25)\n"
                  "  reduce on_plateau(val.loss, factor=0.5, patience=2, min_delta=1000,\n"
                  "                    cooldown=2, min_lr=0.1)\n"
                  "  epochs 9\n");
  g_autoptr (TsTrainer) t = make (text, NULL, NULL, memory, &error);

  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  g_assert_no_error (ts_trainer_wait (t)->error);
  g_autoptr (GArray) lr = values_of (memory, "lr");
  static const double want[] = {0.25, 0.25, 0.25, 0.125, 0.125, 0.125, 0.1, 0.1, 0.1};
  for (guint e = 0; e < 9; e++)
    g_assert_cmpfloat (at (lr, e * lr->len / 9), ==, want[e]);
  g_assert_true (has_note (memory, "the learning rate goes from 0.25 to 0.125"));
}

static void
test_terminate_on_nan (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
      with_train ("  optimizer sgd(lr=1e6)\n  terminate_on_nan true\n  epochs 40\n");
  g_autoptr (TsTrainer) t = make (text, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_cmpint (r->state, ==, TS_RUN_FAILED);
  g_assert_true (g_str_has_prefix (r->error->message, "the loss is "));
  g_assert_nonnull (strstr (r->error->message, " at step "));
}

/* The rates are a geometric row; a model that breaks is left soon. */
static void
test_range (void)
{
  g_autofree char *text = with_train ("  optimizer sgd\n  schedule step(size=1)\n");
  g_autoptr (TsSource) source = ts_source_new ("net.model", text, strlen (text), NULL);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, diags);
  TsTrainConfig config;
  g_autoptr (GError) error = NULL;

  g_assert_true (ts_train_config_init (&config, model, diags));
  g_autoptr (TsDataset) data = ts_set_load (config.set, &config.set_params, &error);
  g_autoptr (GArray) points = ts_lr_range_test (model, data, &config, 1e-3, 1e5, 81, &error);
  g_assert_no_error (error);
  const TsRangePoint *p = (const TsRangePoint *) points->data;
  g_assert_cmpfloat (p[0].lr, ==, 1e-3);
  g_assert_cmpfloat_with_epsilon (p[10].lr, 1e-2, 1e-12);
  g_assert_cmpfloat_with_epsilon (p[0].smoothed, p[0].loss, 1e-12);
  g_assert_cmpfloat_with_epsilon (p[1].smoothed, (0.9 * p[0].loss + p[1].loss) / 1.9, 1e-12);
  g_assert_cmpuint (points->len, <, 81);
  double best = INFINITY;
  for (guint i = 0; i + 1 < points->len; i++) {
    best = MIN (best, p[i].smoothed);
    g_assert_cmpfloat (p[i].smoothed, <=, 4 * best);
  }
  guint last = points->len - 1;
  g_assert_true (!isfinite (p[last].loss) || p[last].smoothed > 4 * best);
  double lr = ts_lr_range_suggest (points);
  g_assert_true (lr > 1e-3 && lr < p[last].lr);
}

static void
test_train_refusals (void)
{
  static const char *const refused[][3] = {
      {"stop", "late", "unknown stop 'late'"},
      {"stop.patience", "3", "there is no stop to set it of"},
      {"schedule", "cosin", "unknown schedule 'cosin'"},
      {"clip", "norms", "known: none, value, norm, global_norm"},
      {"ema", "1", "ema must be a number from 0 to below 1"},
      {"accumulate", "0", "accumulate must be a whole number from 1"},
      {"terminate_on_nan", "maybe", "must be true or false"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    expect_refusal (net_text, (const char *[]){refused[i][0], refused[i][1], NULL}, refused[i][2]);
  expect_refusal (net_text, (const char *[]){"schedule", "cosine", NULL}, "cosine needs 'steps'");
  expect_refusal (net_text,
                  (const char *[]){"stop", "early", "stop.monitor", "val.precision", NULL},
                  "early cannot watch 'val.precision'; there are val.loss, val.accuracy");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("trainscope-test-XXXXXX", NULL);
  g_test_add_func ("/callbacks/schedule", test_schedule);
  g_test_add_func ("/callbacks/stop-early", test_stop_early);
  g_test_add_func ("/callbacks/restore", test_restore);
  g_test_add_func ("/callbacks/plateau", test_plateau);
  g_test_add_func ("/callbacks/terminate-on-nan", test_terminate_on_nan);
  g_test_add_func ("/callbacks/range", test_range);
  g_test_add_func ("/callbacks/settings-refused", test_train_refusals);
  int status = g_test_run ();
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", folder);
  g_assert_cmpint (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL), ==, TRUE);
  return status;
}
