/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "engine/train/checkpoint.h"
#include "engine/train/trainer.h"
#include "tests/train/support.h"

static guint
count_kind (const Memory *m, TsEventKind kind)
{
  guint n = 0;

  for (guint i = 0; i < m->events->len; i++)
    n += ((TsEvent *) m->events->pdata[i])->kind == kind;
  return n;
}

/* ---- trainings */

/* Everything that stands between gradients and weights, and what looks at the results. */
static const char full_text[] =
    "model net\n"
    "input x float[20]\n"
    "input t int\n"
    "y = x -> dense(96, relu) -> dropout(0.2) -> dense(48, tanh) -> dense(5)\n"
    "loss xent = softmax_xent(y, t)\n"
    "metric accuracy = accuracy(y, t)\n"
    "train {\n"
    "  data synthetic(rows=2000, features=20, classes=5)\n"
    "  optimizer adamw(lr=4e-3, amsgrad=true)\n"
    "  schedule cosine(steps=180, warmup=20, alpha=0.1)\n"
    "  clip global_norm(0.5)\n"
    "  accumulate 3\n"
    "  ema 0.9\n"
    "  stop early(val.accuracy, patience=50, restore=true)\n"
    "  reduce on_plateau(val.xent, factor=0.5, patience=1, min_delta=0.05)\n"
    "  batch 48\n"
    "  epochs 8\n"
    "}\n";

static const char *model_text = net_text;
/* Trains to the end; the hash of the final state. */
static char *
train (const char *const *settings, Memory *memory)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsTrainer) t = make (model_text, settings, NULL, memory, &error);

  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_no_error (r->error);
  g_assert_cmpint (r->state, ==, TS_RUN_FINISHED);
  return sha_text (r);
}

static double
result_of (const TsTrainResult *r, const char *tag)
{
  for (guint i = 0; i < r->n_results; i++)
    if (strcmp (r->results[i].tag, tag) == 0)
      return r->results[i].value;
  g_error ("no result %s", tag);
}

static void
test_deterministic (void)
{
  g_autoptr (Memory) first = memory_new ();
  g_autofree char *want = train (NULL, first), *points = memory_text (first, 0, G_MAXINT64);
  static const char *const variants[][3] = {
      {NULL}, {"threads", "1", NULL}, {"threads", "2", NULL}, {"threads", "3", NULL}};

  g_assert_cmpuint (strlen (points), >, 10000);
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++) {
    g_autoptr (Memory) again = memory_new ();
    g_autofree char *sha = train (variants[i], again), *text = memory_text (again, 0, G_MAXINT64);
    g_assert_cmpstr (sha, ==, want);
    g_assert_cmpstr (text, ==, points);
  }
  /* recorded or not, histograms or not, watched or not: the same state */
  g_autofree char *silent = train ((const char *[]){"record", "", NULL}, first);
  g_autofree char *alone = train (NULL, NULL);
  g_autofree char *plain = train ((const char *[]){"histogram_every", "0", NULL}, first);
  g_autofree char *other = train ((const char *[]){"seed", "2", NULL}, NULL);
  g_assert_cmpstr (silent, ==, want);
  g_assert_cmpstr (alone, ==, want);
  g_assert_cmpstr (plain, ==, want);
  g_assert_cmpstr (other, !=, want);
}

/* Stopped at step 137, resumed from the checkpoint that the stop wrote: the same as never stopped. */
static void
test_resume (void)
{
  g_autoptr (Memory) whole = memory_new (), part = memory_new (), rest = memory_new ();
  g_autofree char *want = train (NULL, whole);
  g_autoptr (GError) error = NULL;
  TsTrainer *t = make (model_text, NULL, NULL, part, &error);

  ts_trainer_start (t, TRUE);
  for (guint i = 0; i < 137; i++)
    ts_trainer_step (t);
  wait_for_step (t, 137);
  ts_trainer_stop (t);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_cmpint (r->state, ==, TS_RUN_STOPPED);
  g_assert_cmpint (r->steps, ==, 137);
  const TsEvent *saved = NULL;
  for (guint i = 0; i < part->events->len; i++)
    if (((TsEvent *) part->events->pdata[i])->kind == TS_EVENT_CHECKPOINT)
      saved = part->events->pdata[i];
  g_assert_cmpint (saved->step, ==, 137);
  ts_trainer_free (t);

  t = make (model_text, (const char *[]){"threads", "3", NULL}, saved->u.checkpoint.path, rest,
            &error);
  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  r = ts_trainer_wait (t);
  g_assert_no_error (r->error);
  g_autofree char *sha = sha_text (r);
  g_assert_cmpstr (sha, ==, want);
  ts_trainer_free (t);

  g_autofree char *a = memory_text (whole, 0, 137), *b = memory_text (part, 0, 137);
  g_autofree char *c = memory_text (whole, 137, G_MAXINT64),
                  *d = memory_text (rest, 137, G_MAXINT64);
  g_assert_cmpstr (a, ==, b);
  g_assert_cmpstr (c, ==, d);
}

/* Each recorded item travels in one message, and no message is without one. */
static void
test_messages (void)
{
  g_autoptr (Memory) m = memory_new ();
  g_autofree char *hash = train ((const char *[]){"histogram_every", "20", NULL}, m);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint messages = 0;

  for (guint i = 0; i < m->events->len; i++) {
    const TsEvent *e = m->events->pdata[i];
    guint n = e->kind == TS_EVENT_HISTOGRAM ? 1 : e->kind == TS_EVENT_SCALARS ? e->u.scalars.n : 0;
    for (guint k = 0; k < n; k++)
      g_assert_true (g_hash_table_add (seen, g_strdup_printf ("%d %s %" G_GINT64_FORMAT, e->kind,
                                                              e->kind == TS_EVENT_HISTOGRAM
                                                                  ? e->u.histogram.tag
                                                                  : e->u.scalars.items[k].tag,
                                                              e->step)));
    messages += e->kind == TS_EVENT_HISTOGRAM || e->kind == TS_EVENT_SCALARS;
  }
  g_assert_cmpuint (count_kind (m, TS_EVENT_HISTOGRAM), >, 0);
  g_assert_cmpuint (messages, <=, g_hash_table_size (seen));
}

static const char tally_text[] =
    "model net\n"
    "input x float[20]\n"
    "input t int\n"
    "y = x -> dense(16, tanh) -> dense(5)\n"
    "loss xent = softmax_xent(y, t)\n"
    "metric perplexity = perplexity(softmax_xent(y, t))\n"
    "metric accuracy = accuracy(y, t)\n"
    "metric micro = f_beta(y, t, average=micro)\n"
    "metric auc = auc(softmax(y), t)\n"
    "train {\n"
    "  data synthetic(rows=2000, features=20, classes=5)\n"
    "  optimizer adam(lr=0.2)\n" /* too much: it gets worse in between */
    "  batch 37\n"
    "  epochs 6\n"
    "}\n";

/* Metrics follow from all rows of a split, not from means of batches; of the first one the best counts, which
 * is the least for a perplexity. */
static void
test_tallies (void)
{
  g_autoptr (Memory) m = memory_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsTrainer) t = make (tally_text, NULL, NULL, m, &error);
  double least = INFINITY, last = NAN;

  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_no_error (r->error);
  g_assert_cmpfloat_with_epsilon (
      result_of (r, "test/perplexity") / exp (result_of (r, "test/loss")), 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (result_of (r, "test/micro"), result_of (r, "test/accuracy"),
                                  1e-12);
  g_assert_cmpfloat (result_of (r, "test/auc"), >, 0.7);
  for (guint i = 0; i < m->events->len; i++) {
    const TsEvent *e = m->events->pdata[i];
    for (guint k = 0; e->kind == TS_EVENT_SCALARS && k < e->u.scalars.n; k++)
      if (strcmp (e->u.scalars.items[k].tag, "val/perplexity") == 0) {
        last = e->u.scalars.items[k].value;
        least = MIN (least, last);
      }
  }
  g_assert_cmpfloat (r->best_value, ==, least);
  g_assert_cmpfloat (last, >, least);
}

static void
test_commands (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsTrainer) t = make (net_text, NULL, NULL, memory, &error);
  TsPulse p;

  ts_trainer_get_pulse (t, &p);
  g_assert_cmpint (p.state, ==, TS_RUN_PAUSED);
  g_assert_true (isnan (p.loss));
  g_assert_cmpint (p.steps_per_epoch, ==, 27);
  ts_trainer_start (t, TRUE);
  ts_trainer_set_lr (t, 0.5);
  ts_trainer_step (t);
  wait_for_step (t, 1);
  ts_trainer_step (t);
  wait_for_step (t, 2);
  ts_trainer_get_pulse (t, &p);
  g_assert_cmpint (p.state, ==, TS_RUN_PAUSED);
  g_assert_cmpfloat (p.lr, ==, 0.5);
  g_assert_cmpfloat (p.loss, >, 0);
  ts_trainer_resume (t);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_cmpint (r->state, ==, TS_RUN_FINISHED);
  g_assert_cmpint (r->steps, ==, 8 * 27);
  g_assert_cmpint (r->epochs, ==, 8);
  g_assert_true (ts_trainer_is_done (t));

  g_assert_cmpuint (count_kind (memory, TS_EVENT_GRAPH), ==, 1);
  g_assert_cmpuint (count_kind (memory, TS_EVENT_EDIT), ==, 1);
  g_assert_cmpuint (count_kind (memory, TS_EVENT_CHECKPOINT), ==, 8);
  g_assert_cmpuint (count_kind (memory, TS_EVENT_END), ==, 1);
  const TsEvent *last = memory->events->pdata[memory->events->len - 1];
  g_assert_cmpint (last->kind, ==, TS_EVENT_END);
  g_assert_cmpint (last->u.end.state, ==, TS_RUN_FINISHED);
  /* weights and gradients of 6 variables at steps 1, 100, 200 */
  g_assert_cmpuint (count_kind (memory, TS_EVENT_HISTOGRAM), ==, 3 * 12);
}

/* A sink that fails ends the training as failed, at once. */
static void
test_sink_fails (void)
{
  g_autoptr (Memory) memory = memory_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsTrainer) t = make (net_text, NULL, NULL, memory, &error);

  memory->fail_at = 40;
  ts_trainer_start (t, FALSE);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_cmpint (r->state, ==, TS_RUN_FAILED);
  g_assert_error (r->error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
  g_assert_cmpint (r->steps, <, 40);
}

static void
expect_accuracy (const char *name, const char *const *settings, double least)
{
  g_autofree char *path =
      g_strdup_printf ("%s/data/templates/%s.model", g_getenv ("TS_SOURCE_ROOT"), name);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autoptr (TsTrainer) t = make (text, settings, NULL, NULL, &error);
  if (error && strstr (error->message, "install the package")) {
    g_test_skip ("Fashion-MNIST is not installed");
    return;
  }
  g_assert_no_error (error);
  ts_trainer_start (t, FALSE);
  const TsTrainResult *r = ts_trainer_wait (t);
  g_assert_no_error (r->error);
  g_test_message ("%s: %g", name, result_of (r, "test/accuracy"));
  g_assert_cmpfloat (result_of (r, "test/accuracy"), >=, least);
  g_assert_cmpfloat (result_of (r, "val/accuracy"), >=, least - 0.1);
  g_assert_cmpstr (r->metric, ==, "val/accuracy");
}

static void
test_smoke_small (void)
{
  expect_accuracy ("iris", NULL, 0.9);
  expect_accuracy ("digits", NULL, 0.95);
  expect_accuracy ("spirals", NULL, 0.95);
}

static void
test_smoke_logreg (void)
{
  expect_accuracy ("logreg", (const char *[]){"epochs", "1", NULL}, 0.77);
}

static void
test_smoke_mlp (void)
{
  expect_accuracy ("mlp", (const char *[]){"epochs", "2", "data.train", "10000", NULL}, 0.79);
}

/* Does not fit: refused before anything begins, in words. */
static void
test_refusals (void)
{
  expect_refusal (net_text, (const char *[]){"data", "iris", NULL},
                  "x is float [20] but a row of iris is [4] (4 numbers)");
  expect_refusal (net_text, (const char *[]){"data.classes", "9", NULL},
                  "5 scores but synthetic has 9 classes");
  expect_refusal (net_text, (const char *[]){"batch", "0", NULL},
                  "batch must be a whole number from 1");
  expect_refusal (net_text, (const char *[]){"bach", "1", NULL}, "no setting is called 'bach'");
  expect_refusal (net_text, (const char *[]){"optimizer", "adm", NULL},
                  "known: adadelta, adagrad, adam, adamax");
  expect_refusal (net_text, (const char *[]){"optimizer.momentum", "1", NULL},
                  "adam has no parameter 'momentum'");
  expect_refusal (net_text, (const char *[]){"optimizer.lr", "-1", NULL}, "lr -1 is not in [0");
  expect_refusal ("model m\ninput x float[4]\ny = x -> dense(3)\n",
                  (const char *[]){"data", "iris", NULL}, "the model has no 'input t'");
  expect_refusal ("model m\ninput x float[4]\ninput t int\ny = x -> dense(3)\n",
                  (const char *[]){"data", "iris", NULL}, "exactly one loss");
}

/* ---- checkpoints */

static void
test_checkpoint (void)
{
  g_autofree char *path = g_build_filename (folder, "a.safetensors", NULL);
  g_autofree char *cut = g_build_filename (folder, "cut.safetensors", NULL), *bytes = NULL;
  g_autoptr (TsGraph) g = ts_graph_new (), other = ts_graph_new ();
  TsValue *w = ts_graph_variable (g, "layer/w", TS_F32, &TS_SHAPE (3, 5), "normal", 1, TRUE, NULL);
  TsValue *v = ts_graph_variable (g, "v", TS_F64, &TS_SHAPE (2), "ones", 0, FALSE, NULL);
  ts_graph_variable (other, "layer/w", TS_F32, &TS_SHAPE (5, 3), "normal", 1, TRUE, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 4, 1), strange = ts_session_new (other, 4, 1);
  TsCheckpointState state = {.step = 12,
                             .epoch = 3,
                             .epoch_rows = 96,
                             .seed = 4,
                             .has_best = TRUE,
                             .best_value = 0.1 + 0.2,
                             .best_loss = NAN,
                             .best_step = 9,
                             .best_epoch = 2};
  TsCheckpointState back;
  guint8 sha[32], again[32];
  float keep[15];
  gint64 size;
  gsize n;
  g_autoptr (GError) error = NULL;

  ts_session_init_variables (s);
  ts_session_init_variables (strange);
  memcpy (keep, ts_session_get_variable (s, w), sizeof keep);
  g_assert_true (ts_checkpoint_save (path, s, &state, sha, &size, &error));
  ts_session_set_variable (s, w, (float[15]){0});
  ts_session_set_variable (s, v, (double[2]){7, 8});
  g_assert_true (ts_checkpoint_load (path, s, TRUE, NULL, &error));
  g_assert_cmpmem (ts_session_get_variable (s, w), sizeof keep, keep, sizeof keep);
  g_assert_cmpfloat (*(const double *) ts_session_get_variable (s, v), ==, 7); /* not a weight */
  g_assert_true (ts_checkpoint_load (path, s, FALSE, &back, &error));
  g_assert_cmpfloat (*(const double *) ts_session_get_variable (s, v), ==, 1);
  g_assert_cmpint (back.step, ==, 12);
  g_assert_cmpuint (back.epoch, ==, 3);
  g_assert_cmpuint (back.epoch_rows, ==, 96);
  g_assert_cmpfloat (back.best_value, ==, 0.1 + 0.2);
  g_assert_true (isnan (back.best_loss) && back.best_step == 9 && back.best_epoch == 2);
  g_assert_true (ts_checkpoint_save (path, s, &state, again, &size, &error));
  g_assert_cmpmem (sha, 32, again, 32);

  g_assert_false (ts_checkpoint_load (path, strange, FALSE, NULL, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE);
  g_clear_error (&error);

  /* cut anywhere, or with any byte of the header changed: refused or read, never a crash, and the
   * session keeps its values when refused */
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_cmpint ((gint64) n, ==, size);
  for (gsize k = 0; k < n; k++) {
    g_assert_true (g_file_set_contents (cut, bytes, (gssize) k, NULL));
    g_assert_false (ts_checkpoint_load (cut, s, FALSE, NULL, NULL));
  }
  for (gsize k = 0; k < 300; k++) {
    char old = bytes[k];
    bytes[k] = (char) (bytes[k] ^ (1 << (k % 7)));
    g_assert_true (g_file_set_contents (cut, bytes, (gssize) n, NULL));
    if (!ts_checkpoint_load (cut, s, FALSE, NULL, NULL))
      g_assert_cmpmem (ts_session_get_variable (s, w), sizeof keep, keep, sizeof keep);
    else
      g_assert_true (ts_checkpoint_load (path, s, FALSE, NULL, NULL));
    bytes[k] = old;
  }
}

static void
test_histogram (void)
{
  float x[1000];
  TsHistogram h;
  double total = 0;

  for (int i = 0; i < 1000; i++)
    x[i] = ts_rng_normal ((TsRng){1, 1}, (guint64) i);
  x[3] = NAN;
  x[5] = -INFINITY;
  ts_histogram_fill (&h, TS_F32, x, 1000);
  g_assert_cmpuint (h.count, ==, 1000);
  g_assert_cmpuint (h.nonfinite, ==, 2);
  g_assert_cmpuint (h.n, ==, 30);
  g_assert_cmpfloat (h.left[0], ==, h.min);
  g_assert_cmpfloat (h.right[29], ==, h.max);
  for (guint b = 0; b < 30; b++) {
    guint want = 0;
    for (int i = 0; i < 1000; i++) {
      double v = (double) x[i];
      want += isfinite (v) && v >= h.left[b] && (b == 29 ? v <= h.right[b] : v < h.right[b]);
    }
    g_assert_cmpfloat (h.bucket[b], ==, want);
    total += h.bucket[b];
  }
  g_assert_cmpfloat (total, ==, 998);

  float same[4] = {2, 2, 2, 2};
  ts_histogram_fill (&h, TS_F32, same, 4);
  g_assert_true (h.n == 1 && h.bucket[0] == 4 && h.min == 2 && h.max == 2);
  ts_histogram_fill (&h, TS_F32, x + 3, 1);
  g_assert_true (h.n == 0 && h.nonfinite == 1 && isnan (h.min));
}

/* A step of one's own: the gradients are computed, taken out, and handed to the updates as feeds. */
static gboolean
two_halves (TsTrainStep *s, gpointer data, GError **error)
{
  const TsMinimize *m = s->minimize;
  g_autofree TsValue **fetches = g_new (TsValue *, m->n + 1);
  g_autofree TsFeedSource *gradients = g_new (TsFeedSource, m->n);

  memcpy (fetches, m->gradients, m->n * sizeof (TsValue *));
  fetches[m->n] = s->loss_value;
  g_autoptr (TsProgram) first = ts_program_new (s->session, s->feeds, s->n_feeds, fetches, m->n + 1,
                                                NULL, 0, s->batch, TRUE, error);
  if (!first || !ts_program_run (first, s->sources, error))
    return FALSE;
  for (guint i = 0; i < m->n; i++)
    gradients[i] = (TsFeedSource){m->gradients[i]->dtype,
                                  ts_program_get_data (first, m->gradients[i]), NULL, 1};
  g_autoptr (TsProgram) second =
      ts_program_new (s->session, m->gradients, m->n, NULL, 0, &m->step, 1, s->batch, TRUE, error);
  if (!second || !ts_program_run (second, gradients, error))
    return FALSE;
  s->loss = ts_program_get_number (first, s->loss_value, 0);
  return TRUE;
}

static void
test_train_step (void)
{
  static const char *const settings[] = {"steps", "40", NULL};
  g_autofree char *want = train (settings, NULL);

  custom_step = two_halves;
  g_autofree char *got = train (settings, NULL);
  custom_step = NULL;
  g_assert_cmpstr (got, ==, want);
}

/* The same for a training with everything on. */
static void
test_full (void)
{
  model_text = full_text;
  test_deterministic ();
  test_resume ();
  model_text = net_text;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("trainscope-test-XXXXXX", NULL);
  g_test_add_func ("/train/deterministic", test_deterministic);
  g_test_add_func ("/train/own-step", test_train_step);
  g_test_add_func ("/train/resume", test_resume);
  g_test_add_func ("/train/full", test_full);
  g_test_add_func ("/train/messages", test_messages);
  g_test_add_func ("/train/tallies", test_tallies);
  g_test_add_func ("/train/commands", test_commands);
  g_test_add_func ("/train/sink-fails", test_sink_fails);
  g_test_add_func ("/train/smoke/small", test_smoke_small);
  g_test_add_func ("/train/smoke/logreg", test_smoke_logreg);
  g_test_add_func ("/train/smoke/mlp", test_smoke_mlp);
  g_test_add_func ("/train/refusals", test_refusals);
  g_test_add_func ("/train/checkpoint", test_checkpoint);
  g_test_add_func ("/train/histogram", test_histogram);
  int status = g_test_run ();
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", folder);
  g_assert_cmpint (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL), ==, TRUE);
  return status;
}
