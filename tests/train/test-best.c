/* SPDX-License-Identifier: MIT */
/* Which epoch is the best one, and what the end of a training says of it. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/train/support.h"

/* A rate so large that it gets worse in between. */
static char *
with_metrics (const char *metrics, const char *train)
{
  return g_strdup_printf ("model net\n"
                          "input x float[20]\n"
                          "input t int\n"
                          "y = x -> dense(16, tanh) -> dense(5)\n"
                          "p = softmax(y)\n"
                          "z = one_hot(t, 5)\n"
                          "loss xent = softmax_xent(y, t)\n"
                          "%s\n"
                          "train {\n"
                          "  data synthetic(rows=2000, features=20, classes=5)\n"
                          "  batch 37\n"
                          "%s"
                          "}\n",
                          metrics, train);
}

static TsTrainer *
trained (const char *metrics, const char *train, Memory *memory)
{
  g_autofree char *text = with_metrics (metrics, train);
  g_autoptr (GError) error = NULL;
  TsTrainer *t = make (text, NULL, NULL, memory, &error);

  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  g_assert_no_error (ts_trainer_wait (t)->error);
  return t;
}

/* Least and greatest of @tag. */
static void
extremes (const Memory *m, const char *tag, double *least, double *greatest)
{
  *least = INFINITY;
  *greatest = -INFINITY;
  for (guint i = 0; i < m->events->len; i++) {
    const TsEvent *e = m->events->pdata[i];
    for (guint k = 0; e->kind == TS_EVENT_SCALARS && k < e->u.scalars.n; k++)
      if (strcmp (e->u.scalars.items[k].tag, tag) == 0) {
        *least = MIN (*least, e->u.scalars.items[k].value);
        *greatest = MAX (*greatest, e->u.scalars.items[k].value);
      }
  }
}

/* Of a loss the least, also of a mean, a sum or a positive multiple; of everything else the greatest. */
static void
test_direction (void)
{
  static const struct {
    const char *metric;
    gboolean less;
  } cases[] = {
      {"softmax_xent(y, t)", TRUE},
      {"mse(p, z)", TRUE},
      {"2 * reduce_sum(mse(p, z), [1])", TRUE},
      {"identity(mse(p, z)) / 3", TRUE},
      {"rmse(p, z)", TRUE},
      {"-softmax_xent(y, t)", FALSE},
      {"-1 * mse(p, z)", FALSE},
      {"exp(-softmax_xent(y, t))", FALSE},
      {"reciprocal(mse(p, z) + 0.01)", FALSE},
      {"cosine_similarity(p, z)", FALSE},
      {"accuracy(y, t)", FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Memory) memory = memory_new ();
    g_autofree char *metric = g_strdup_printf ("metric m = %s", cases[i].metric);
    g_autoptr (TsTrainer) t =
        trained (metric,
                 "  optimizer adam(lr=0.2)\n  epochs 4\n"
                 "  reduce on_plateau(val.m, patience=1, factor=0.5, min_delta=0)\n",
                 memory);
    double least, greatest;
    extremes (memory, "val/m", &least, &greatest);
    g_test_message ("%s: %g … %g", cases[i].metric, least, greatest);
    g_assert_cmpfloat (least, <, greatest);
    g_assert_cmpfloat (ts_trainer_wait (t)->best_value, ==, cases[i].less ? least : greatest);
  }
}

/* As many metrics as there may be: the end tells all of them, of validation and test. */
static void
test_all_results (void)
{
  g_autoptr (GString) metrics = g_string_new (NULL);

  for (guint i = 0; i < TS_METRICS_MAX; i++)
    g_string_append_printf (metrics, "metric m%u = accuracy(y, t)\n", i);
  g_autoptr (TsTrainer) t = trained (metrics->str, "  steps 2\n", NULL);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_cmpuint (r->n_results, ==, 2 * (1 + TS_METRICS_MAX));
  g_assert_cmpstr (r->results[r->n_results - 1].tag, ==, "test/m7");
}

/* Accuracy stays as it is and the loss falls: the best epoch is the one that is restored, nothing else. */
static const char ties[] = "  optimizer sgd(lr=1e-6)\n  epochs 40\n"
                           "  stop early(val.accuracy, patience=4, min_delta=0)\n";

static void
test_ties (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (TsTrainer) t = trained ("metric accuracy = accuracy(y, t)", ties, memory);
  const TsTrainResult *r = ts_trainer_wait (t);
  gint64 flagged = 0, tested = 0;

  for (guint i = 0; i < memory->events->len; i++) {
    const TsEvent *e = memory->events->pdata[i];
    if (e->kind == TS_EVENT_CHECKPOINT && e->u.checkpoint.is_best)
      flagged = e->step;
    if (e->kind == TS_EVENT_SCALARS && strcmp (e->u.scalars.items[0].tag, "test/loss") == 0)
      tested = e->step;
  }
  g_assert_cmpint (r->epochs, ==, 5);
  g_assert_true (r->stopped_early && r->restored);
  g_assert_cmpstr (r->stop_tag, ==, "val/accuracy");
  g_assert_cmpint (r->stop_epoch, ==, 1);
  g_assert_cmpint (r->best_epoch, ==, 1);
  g_assert_cmpint (r->test_epoch, ==, 1);
  g_assert_cmpint (r->best_step, ==, tested);
  g_assert_cmpint (flagged, ==, tested);
}

/* The epoch of the best came to the callbacks' numbers last: a checkpoint without it is read, too. */
static void
test_older_checkpoint (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (TsTrainer) t = trained ("metric accuracy = accuracy(y, t)", ties, memory);
  g_autofree char *text = with_metrics ("metric accuracy = accuracy(y, t)", ties),
                  *older = g_build_filename (folder, "older.safetensors", NULL), *bytes = NULL;
  const char *path = NULL;
  g_autoptr (GError) error = NULL;
  gsize n;

  for (guint i = 0; i < memory->events->len; i++) {
    const TsEvent *e = memory->events->pdata[i];
    path = e->kind == TS_EVENT_CHECKPOINT ? e->u.checkpoint.path : path;
  }
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  char *end = strchr (g_strstr_len (bytes + 8, 4096, "callback_bits\":\"") + 16, '"');
  g_assert_true (memcmp (end - 16, "3ff0000000000000", 16) == 0); /* epoch 1 */
  end[-16] = '"';
  memset (end - 15, ' ', 16);
  g_assert_true (g_file_set_contents (older, bytes, (gssize) n, NULL));
  TsTrainer *next = make (text, NULL, older, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ts_trainer_has_stopped_early (next));
  ts_trainer_free (next);
}

/* What is watched is not what the best epoch is found by: each goes by its own. */
static void
test_other_watched (void)
{
  g_autoptr (TsTrainer) t =
      trained ("metric accuracy = accuracy(y, t)\nmetric other = accuracy(y, t)",
               "  optimizer sgd(lr=1e-6)\n  epochs 40\n"
               "  stop early(val.other, patience=4, restore=false)\n",
               NULL);
  const TsTrainResult *r = ts_trainer_wait (t);

  g_assert_true (r->stopped_early && !r->restored);
  g_assert_cmpint (r->stop_epoch, ==, 1);
  g_assert_cmpint (r->best_epoch, ==, 5);
  g_assert_cmpint (r->test_step, ==, r->steps);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("trainscope-test-XXXXXX", NULL);
  g_test_add_func ("/best/direction", test_direction);
  g_test_add_func ("/best/all-results", test_all_results);
  g_test_add_func ("/best/ties", test_ties);
  g_test_add_func ("/best/older-checkpoint", test_older_checkpoint);
  g_test_add_func ("/best/other-watched", test_other_watched);
  int status = g_test_run ();
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", folder);
  g_assert_cmpint (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL), ==, TRUE);
  return status;
}
