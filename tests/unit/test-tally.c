/* SPDX-License-Identifier: MIT */
/* Metrics of a whole set, gone through in batches of any size by any number of threads, against the library's
 * own counts of the same rows. */
#include <math.h>

#include "engine/graph/session.h"
#include "engine/metric/auc.h"
#include "engine/metric/confusion.h"
#include "engine/metric/regression.h"
#include "engine/ops/tally.h"

enum { ROWS = 57, CLASSES = 5 };

static const gint64 batches[] = {1, 20, 33, 3}; /* 57 in all; 33: several slots */

typedef struct {
  float scores[ROWS * CLASSES], targets[ROWS * CLASSES];
  gint32 labels[ROWS], taken[ROWS];
} Rows;

static void
rows_init (Rows *r, gboolean probabilities)
{
  TsRng rng = {11, 3};

  for (guint64 i = 0; i < ROWS; i++) {
    r->labels[i] = (gint32) (i * 7 % 11 % CLASSES);
    r->taken[i] = 0;
    for (guint64 c = 0; c < CLASSES; c++) {
      guint64 at = i * CLASSES + c;
      r->targets[at] = 100 + ts_rng_normal (rng, 9000 + at);
      r->scores[at] = probabilities ? (float) floor (40 * (double) ts_rng_uniform (rng, at)) / 40
                                    : ts_rng_normal (rng, at) + (c == (guint64) r->labels[i]);
      if (r->scores[at] > r->scores[i * CLASSES + (guint64) r->taken[i]])
        r->taken[i] = (gint32) c;
    }
  }
}

/* @op of scores and labels (or targets), batch by batch. */
static double
tally (const Rows *r, const char *op, const char *params, gboolean labels, guint threads)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *in[2] = {ts_graph_placeholder (g, "y", TS_F32, &TS_SHAPE (TS_ANY, CLASSES), NULL),
                    labels
                        ? ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL)
                        : ts_graph_placeholder (g, "t", TS_F32, &TS_SHAPE (TS_ANY, CLASSES), NULL)};
  const TsOpClass *class = ts_op_lookup (op);
  TsParams p;

  if (class->params) {
    ts_params_init (&p, class->params);
    g_assert_true (ts_params_parse_all (&p, params, NULL));
  }
  TsNode *node = ts_graph_add (g, op, NULL, in, class->max_in, class->params ? &p : NULL, &error);
  g_assert_no_error (error);
  gsize n = class->tally->size (node);
  g_autofree double *all = g_new0 (double, n);
  g_autoptr (TsSession) s = ts_session_new (g, 1, threads);
  ts_session_init_variables (s);
  g_assert_true (isnan (class->tally->result (node, all)));
  for (gint64 b = 0, at = 0; b < (gint64) G_N_ELEMENTS (batches); at += batches[b++]) {
    g_autoptr (TsProgram) program =
        ts_program_new (s, in, class->max_in, node->out, 2, NULL, 0, batches[b], FALSE, &error);
    g_assert_no_error (error);
    TsFeedSource sources[] = {{TS_F32, r->scores + at * CLASSES, NULL, 1},
                              {TS_F32, r->targets + at * CLASSES, NULL, 1}};
    if (labels)
      sources[1] = (TsFeedSource){TS_I32, r->labels + at, NULL, 1};
    g_assert_true (ts_program_run (program, sources, NULL));
    const double *part = ts_program_get_data (program, node->out[1]);
    double batch = class->tally->result (node, part);
    g_assert_true (isnan (batch) ? isnan (ts_program_get_number (program, node->out[0], 0))
                                 : batch == ts_program_get_number (program, node->out[0], 0));
    ts_tally_merge (node, all, part);
  }
  return class->tally->result (node, all);
}

static void
same (const Rows *r, const char *op, const char *params, gboolean labels, double want)
{
  for (guint threads = 1; threads <= 3; threads += 2)
    g_assert_cmpfloat_with_epsilon (tally (r, op, params, labels, threads), want, 1e-12);
}

static void
test_classes (void)
{
  Rows r;
  rows_init (&r, FALSE);
  g_autoptr (TsConfusion) c = ts_confusion_new (CLASSES);

  g_assert_true (ts_confusion_update (c, r.labels, r.taken, ROWS, NULL));
  same (&r, "precision", "class=3", TRUE, ts_confusion_precision (c, 3));
  same (&r, "recall", "class=3", TRUE, ts_confusion_recall (c, 3));
  same (&r, "f_beta", "class=3, beta=2", TRUE, ts_confusion_f_beta (c, 3, 2));
  same (&r, "precision", "", TRUE, ts_confusion_mean_precision (c, TS_AVERAGE_MACRO));
  same (&r, "recall", "", TRUE, ts_confusion_mean_recall (c, TS_AVERAGE_MACRO));
  same (&r, "f_beta", "beta=0.5", TRUE, ts_confusion_mean_f_beta (c, TS_AVERAGE_MACRO, 0.5));
  same (&r, "f_beta", "average=micro", TRUE, ts_confusion_accuracy (c));
}

static void
test_numbers (void)
{
  Rows r;
  rows_init (&r, FALSE);
  TsRegression reg = {0};
  TsMeanLoss mean = {0};
  double predicted[ROWS * CLASSES], target[ROWS * CLASSES], sum = 0;

  for (guint i = 0; i < ROWS * CLASSES; i++) {
    predicted[i] = r.scores[i];
    target[i] = r.targets[i];
    sum += r.scores[i];
  }
  ts_regression_update (&reg, predicted, target, ROWS * CLASSES);
  ts_mean_loss_update (&mean, sum / (ROWS * CLASSES), ROWS * CLASSES);
  same (&r, "rmse", "", FALSE, ts_regression_rmse (&reg));
  for (guint threads = 1; threads <= 3; threads++) /* some 1e4 */
    g_assert_cmpfloat_with_epsilon (tally (&r, "r2", "", FALSE, threads) / ts_regression_r2 (&reg),
                                    1, 1e-12);
  g_assert_cmpfloat_with_epsilon (tally (&r, "perplexity", "", FALSE, 2),
                                  ts_mean_loss_perplexity (&mean), 1e-12);
}

static void
test_auc (void)
{
  Rows r;
  rows_init (&r, TRUE); /* in steps of 1/40: many ties, and some at the thresholds */
  double scores[ROWS];
  gboolean positive[ROWS];

  for (guint i = 0; i < ROWS; i++) {
    scores[i] = r.scores[i * CLASSES + 2];
    positive[i] = r.labels[i] == 2;
  }
  for (guint n = 0; n <= 200; n += n ? 60 : 20) {
    g_autoptr (TsAuc) auc = ts_auc_new (n);
    g_autofree char *params = g_strdup_printf ("class=2, thresholds=%u", n ? n : 1001);
    ts_auc_update (auc, scores, positive, ROWS);
    same (&r, "auc", params, TRUE, ts_auc_result (auc)); /* 0: exact, as 1001 are for these */
  }
  r.scores[7 * CLASSES + 2] = NAN;
  g_assert_true (isnan (tally (&r, "auc", "class=2", TRUE, 1)));
}

/* A row that holds a NaN is of no class, whatever is asked for. */
static void
test_nan (void)
{
  static const char *const params[] = {"", "class=3", "average=micro"};
  Rows r;

  rows_init (&r, FALSE);
  r.scores[30 * CLASSES + 4] = NAN;
  for (guint i = 0; i < G_N_ELEMENTS (params); i++) {
    g_assert_true (isnan (tally (&r, "precision", params[i], TRUE, 1)));
    g_assert_true (isnan (tally (&r, "recall", params[i], TRUE, 3)));
    g_assert_true (isnan (tally (&r, "f_beta", params[i], TRUE, 2)));
  }
}

static void
test_nan_accuracy (void)
{
  Rows r;
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *in[] = {ts_graph_placeholder (g, "y", TS_F32, &TS_SHAPE (TS_ANY, CLASSES), NULL),
                   ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL)};
  TsNode *node = ts_graph_add (g, "accuracy", NULL, in, 2, NULL, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  ts_session_init_variables (s);
  g_autoptr (TsProgram) program =
      ts_program_new (s, in, 2, node->out, 1, NULL, 0, ROWS, FALSE, &error);

  g_assert_no_error (error);
  rows_init (&r, FALSE);
  TsFeedSource sources[] = {{TS_F32, r.scores, NULL, 1}, {TS_I32, r.labels, NULL, 1}};
  g_assert_true (ts_program_run (program, sources, NULL));
  g_assert_cmpfloat (ts_program_get_number (program, node->out[0], 0), >, 0);
  r.scores[30 * CLASSES + 4] = NAN;
  g_assert_true (ts_program_run (program, sources, NULL));
  g_assert_true (isnan (ts_program_get_number (program, node->out[0], 0)));
}

static void
refused (const char *op, const char *params, const TsShape *scores, const char *words)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *in[] = {ts_graph_placeholder (g, "y", TS_F32, scores, NULL),
                   ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL)};
  const TsOpClass *class = ts_op_lookup (op);
  TsParams p;

  if (class->params) {
    ts_params_init (&p, class->params);
    g_assert_true (ts_params_parse_all (&p, params, NULL));
  }
  g_assert_null (ts_graph_add (g, op, NULL, in, class->max_in, class->params ? &p : NULL, &error));
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refusals (void)
{
  refused ("precision", "class=5", &TS_SHAPE (TS_ANY, 5), "there is no class 5 among 5 scores");
  refused ("recall", "", &TS_SHAPE (TS_ANY, 1), "two classes or more");
  refused ("auc", "class=3", &TS_SHAPE (TS_ANY, 3), "there is no class 3 among 3");
  refused ("perplexity", "", &TS_SCALAR, "the loss of every row");
}

/* @r, of which one row is wrong, stops the run with @words. */
static void
faults (const Rows *r, const char *op, const char *words)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *in[] = {ts_graph_placeholder (g, "y", TS_F32, &TS_SHAPE (TS_ANY, CLASSES), NULL),
                   ts_graph_placeholder (g, "t", TS_I32, &TS_SHAPE (TS_ANY), NULL)};
  TsNode *node = ts_graph_add (g, op, NULL, in, 2, NULL, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  ts_session_init_variables (s);
  g_autoptr (TsProgram) program =
      ts_program_new (s, in, 2, node->out, 1, NULL, 0, ROWS, FALSE, NULL);
  TsFeedSource sources[] = {{TS_F32, r->scores, NULL, 1}, {TS_I32, r->labels, NULL, 1}};

  g_assert_false (ts_program_run (program, sources, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, words));
}

/* A label that there is not, a score that is no probability: with its place, as in a loss. */
static void
test_fault (void)
{
  Rows r;

  rows_init (&r, TRUE);
  r.labels[40] = CLASSES;
  faults (&r, "recall", "label 5 in row 40 is outside [0, 5)");
  rows_init (&r, TRUE);
  r.scores[13 * CLASSES + 1] = 1.5f;
  faults (&r, "auc", "the score of row 13 is greater than 1, no probability");
  rows_init (&r, TRUE);
  r.labels[21] = CLASSES;
  faults (&r, "auc", "label 5 in row 21 is outside [0, 5)");
  r.labels[8] = -1;
  faults (&r, "auc", "label -1 in row 8 is outside [0, 5)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tally/classes", test_classes);
  g_test_add_func ("/tally/numbers", test_numbers);
  g_test_add_func ("/tally/auc", test_auc);
  g_test_add_func ("/tally/nan", test_nan);
  g_test_add_func ("/tally/nan-accuracy", test_nan_accuracy);
  g_test_add_func ("/tally/refusals", test_refusals);
  g_test_add_func ("/tally/fault", test_fault);
  return g_test_run ();
}
