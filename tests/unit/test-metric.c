/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/metric/auc.h"
#include "engine/metric/bleu.h"
#include "engine/metric/confusion.h"
#include "engine/metric/regression.h"
#include "engine/metric/sequence.h"

static void
near (double got, double want)
{
  g_assert_cmpfloat_with_epsilon (got, want, 1e-12);
}

/* Rows are labels: 0 is found 2 of 3 times; nothing is of class 3 and nothing was taken for it. */
static void
test_confusion (void)
{
  static const gint32 labels[] = {0, 0, 0, 1, 1, 2}, predicted[] = {0, 0, 1, 1, 0, 0};
  g_autoptr (TsConfusion) c = ts_confusion_new (4);
  g_autoptr (GError) error = NULL;

  g_assert_true (isnan (ts_confusion_accuracy (c)));
  g_assert_true (isnan (ts_confusion_mean_f_beta (c, TS_AVERAGE_MACRO, 1)));
  g_assert_true (ts_confusion_update (c, labels, predicted, 4, NULL)); /* uneven batches */
  g_assert_true (ts_confusion_update (c, labels + 4, predicted + 4, 2, NULL));
  g_assert_cmpuint (ts_confusion_get (c, 0, 0), ==, 2);
  g_assert_cmpuint (ts_confusion_get (c, 0, 1), ==, 1);
  g_assert_cmpuint (ts_confusion_get (c, 2, 0), ==, 1);
  near (ts_confusion_accuracy (c), 0.5);
  near (ts_confusion_precision (c, 0), 0.5); /* 2 of 4 */
  near (ts_confusion_recall (c, 0), 2.0 / 3);
  near (ts_confusion_precision (c, 2), 0);
  near (ts_confusion_f_beta (c, 0, 1), 2 * 0.5 * (2.0 / 3) / (0.5 + 2.0 / 3));
  near (ts_confusion_f_beta (c, 0, 1), 2 * 2 / (3 + 4.0)); /* Dice */
  near (ts_confusion_f_beta (c, 0, 2), 5 * 0.5 * (2.0 / 3) / (4 * 0.5 + 2.0 / 3));
  near (ts_confusion_mean_precision (c, TS_AVERAGE_MACRO), (0.5 + 0.5 + 0) / 3);
  near (ts_confusion_mean_recall (c, TS_AVERAGE_MACRO), (2.0 / 3 + 0.5 + 0) / 3);
  near (ts_confusion_mean_recall (c, TS_AVERAGE_MICRO), 0.5);
  near (ts_confusion_mean_f_beta (c, TS_AVERAGE_MICRO, 2), 0.5);
  near (ts_confusion_iou (c, 0), 2.0 / 5); /* three are, four were taken for it, two are both */
  near (ts_confusion_iou (c, 3), 0);
  /* as scikit-learn's f1_score (average='macro') has it, of the classes that are there */
  near (ts_confusion_mean_f_beta (c, TS_AVERAGE_MACRO, 1), 0.35714285714285715);
  near (ts_confusion_mean_iou (c), 0.24444444444444444); /* as Keras' MeanIoU has it */

  static const gint32 strange[] = {0, 4};
  g_assert_false (ts_confusion_update (c, strange, predicted, 2, &error));
  g_assert_cmpstr (error->message, ==, "label 4 in row 1 is outside [0, 4)");
  g_clear_error (&error);
  g_assert_false (ts_confusion_update (c, labels, strange, 2, &error));
  g_assert_cmpstr (error->message, ==, "prediction 4 in row 1 is outside [0, 4)");
  g_assert_cmpuint (ts_confusion_get_n (c), ==, 6);
  ts_confusion_reset (c);
  g_assert_cmpuint (ts_confusion_get (c, 0, 0), ==, 0);
}

static void
test_auc (void)
{
  /* positives 0.9 0.6 0.4, negatives 0.6 0.3: of six pairs four are right, one is tied, one wrong */
  static const double scores[] = {0.9, 0.6, 0.6, 0.4, 0.3};
  static const gboolean positive[] = {TRUE, TRUE, FALSE, TRUE, FALSE};
  g_autoptr (TsAuc) exact = ts_auc_new (0), keras = ts_auc_new (200), coarse = ts_auc_new (3);

  g_assert_true (isnan (ts_auc_result (exact)));
  ts_auc_update (exact, scores, positive, 2);
  ts_auc_update (keras, scores, positive, 5);
  ts_auc_update (coarse, scores, positive, 5);
  g_assert_true (isnan (ts_auc_result (exact))); /* no negative yet */
  ts_auc_update (exact, scores + 2, positive + 2, 3);
  near (ts_auc_result (exact), (4 + 0.5) / 6);
  near (ts_auc_result (keras), (4 + 0.5) / 6);
  /* thresholds below 0, 0.5, above 1: positives above 3, 2, 0, negatives 2, 1, 0 */
  near (ts_auc_result (coarse), (1 * 2.5 + 1 * 1.0) / 6);
  ts_auc_update (exact, (double[]){NAN}, positive, 1);
  g_assert_true (isnan (ts_auc_result (exact)));
  ts_auc_reset (exact);
  ts_auc_update (exact, (double[]){2, -3}, positive + 1, 2); /* any numbers, right order */
  near (ts_auc_result (exact), 1);
}

/* The exact one as scikit-learn's average_precision_score gives it, those of thresholds as Keras' AUC(curve='PR'),
 * which computes in binary32. */
static void
test_auc_pr (void)
{
  static const double scores[] = {0.9, 0.8, 0.8, 0.7, 0.55, 0.5, 0.5, 0.3, 0.2, 0.05};
  static const gboolean positive[] = {1, 1, 0, 1, 0, 1, 0, 0, 1, 0};
  g_autoptr (TsAuc) exact = ts_auc_new (0), keras = ts_auc_new (200), coarse = ts_auc_new (11);

  g_assert_true (isnan (ts_auc_pr_result (exact)));
  ts_auc_update (exact, scores, positive, 4);
  ts_auc_update (exact, scores + 4, positive + 4, 6);
  ts_auc_update (keras, scores, positive, 10);
  ts_auc_update (coarse, scores, positive, 10);
  near (ts_auc_pr_result (exact), 0.7087301587301588);
  g_assert_cmpfloat_with_epsilon (ts_auc_pr_result (keras), 0.7199913263320923, 1e-6);
  g_assert_cmpfloat_with_epsilon (ts_auc_pr_result (coarse), 0.7199913859367371, 1e-6);
  ts_auc_reset (exact);
  ts_auc_update (exact, scores, positive, 2);
  near (ts_auc_pr_result (exact), 1); /* no negative: nothing wrong can be found */
  ts_auc_update (exact, (double[]){NAN}, positive, 1);
  g_assert_true (isnan (ts_auc_pr_result (exact)));
}

/* Thresholds keep counts alone.  0.68 is what Keras' AUC gives for the rows of the test above, with 200 and with 11
 * thresholds: of 25 pairs 16 are right and two tied. */
static void
test_auc_thresholds (void)
{
  static const double scores[] = {0.9, 0.8, 0.8, 0.7, 0.55, 0.5, 0.5, 0.3, 0.2, 0.05};
  static const gboolean positive[] = {1, 1, 0, 1, 0, 1, 0, 0, 1, 0};
  g_autoptr (TsAuc) a = ts_auc_new (200), coarse = ts_auc_new (11);

  g_assert_true (isnan (ts_auc_result (a)) && isnan (ts_auc_pr_result (a)));
  ts_auc_update (a, scores + 2, positive + 4, 1); /* a negative alone */
  g_assert_true (isnan (ts_auc_result (a)) && isnan (ts_auc_pr_result (a)));
  ts_auc_update (a, (double[]){NAN}, positive, 1);
  ts_auc_update (a, scores, positive, 10);
  g_assert_true (isnan (ts_auc_result (a)) && isnan (ts_auc_pr_result (a)));
  ts_auc_reset (a);
  ts_auc_update (a, scores, positive, 3);
  ts_auc_update (a, scores + 3, positive + 3, 7);
  ts_auc_update (coarse, scores, positive, 10);
  near (ts_auc_result (a), 0.68);
  near (ts_auc_result (coarse), 0.68);
  ts_auc_reset (a);
  ts_auc_update (a, scores, positive, 2);
  near (ts_auc_pr_result (a), 1); /* no negative */
}

/* What rounding carries over an end stays at it; anything else is no probability, and nothing can be said. */
static void
test_auc_outside (void)
{
  static const gboolean positive[] = {TRUE, FALSE};
  static const double odd[][2] = {{2, 0.5}, {0.5, -1}, {INFINITY, 0.5}};
  g_autoptr (TsAuc) a = ts_auc_new (200);

  ts_auc_update (a, (double[]){1 + 1e-6, -1e-6}, positive, 2);
  near (ts_auc_result (a), 1);
  near (ts_auc_pr_result (a), 1);
  for (guint k = 0; k < G_N_ELEMENTS (odd); k++) {
    ts_auc_reset (a);
    ts_auc_update (a, odd[k], positive, 2);
    g_assert_true (isnan (ts_auc_result (a)) && isnan (ts_auc_pr_result (a)));
  }
}

static gsize
distance_of (const char *a, const char *b)
{
  gint32 x[16], y[16];

  for (gsize i = 0; a[i]; i++)
    x[i] = a[i];
  for (gsize i = 0; b[i]; i++)
    y[i] = b[i];
  return ts_edit_distance (x, strlen (a), y, strlen (b));
}

static void
test_error_rate (void)
{
  static const gint32 a[] = {1, 2, 3, 4}, b[] = {1, 3, 4, 5, 6};
  TsErrorRate r = {0};

  g_assert_cmpuint (distance_of ("intention", "execution"), ==, 5); /* Jurafsky and Martin's */
  g_assert_cmpuint (distance_of ("kitten", "sitting"), ==, 3);
  g_assert_cmpuint (distance_of ("", "abc"), ==, 3);
  g_assert_cmpuint (distance_of ("abc", ""), ==, 3);
  g_assert_cmpuint (distance_of ("", ""), ==, 0);
  g_assert_true (isnan (ts_error_rate_result (&r)));
  g_assert_true (isnan (ts_error_rate_exact (&r)));
  ts_error_rate_update (&r, a, 4, b, 5); /* one deleted, two inserted */
  ts_error_rate_update (&r, a, 4, a, 4);
  ts_error_rate_update (&r, a, 3, NULL, 0);
  near (ts_error_rate_result (&r), 6.0 / 9);
  near (ts_error_rate_exact (&r), 1.0 / 3);
  r = (TsErrorRate){0};
  ts_error_rate_update (&r, a, 4, NULL, 0); /* four differences, but in no token of a reference */
  g_assert_true (isnan (ts_error_rate_result (&r)));
  near (ts_error_rate_exact (&r), 0);
}

/* Values of nltk's corpus_bleu, smoothed by its method2. */
static void
test_bleu (void)
{
  static const gint32 h1[] = {1, 2, 3, 4, 5, 6, 7}, h2[] = {1, 1, 1, 2, 3, 4, 9},
                      h3[] = {5, 6, 7, 8};
  static const gint32 a1[] = {1, 2, 3, 4, 5, 6, 8}, b1[] = {2, 3, 4, 5, 1};
  static const gint32 a2[] = {1, 1, 2, 3, 4, 7, 8, 9}, a3[] = {5, 6, 7, 8, 9, 9}, b3[] = {5, 6, 7};
  static const gint32 short_reference[] = {1, 2, 4, 5};
  const TsTokens first[] = {{a1, 7}, {b1, 5}}, third[] = {{a3, 6}, {b3, 3}};
  TsBleu b = {{0}};

  g_assert_true (isnan (ts_bleu_result (&b, FALSE)));
  ts_bleu_update (&b, (TsTokens){h1, 7}, first, 2);
  ts_bleu_update (&b, (TsTokens){h2, 7}, &(TsTokens){a2, 8}, 1);
  ts_bleu_update (&b, (TsTokens){h3, 4}, third, 2);
  g_assert_cmpuint (b.reference, ==, 7 + 8 + 3);
  near (ts_bleu_result (&b, FALSE), 0.7721947901921794);
  near (ts_bleu_result (&b, TRUE), 0.7896895367562644);
  b = (TsBleu){{0}};
  ts_bleu_update (&b, (TsTokens){h1, 3}, &(TsTokens){short_reference, 4}, 1);
  near (ts_bleu_result (&b, FALSE), 0); /* no run of three is found */
  near (ts_bleu_result (&b, TRUE), 0.41368954504257255);
  b = (TsBleu){{0}};
  ts_bleu_update (&b, (TsTokens){NULL, 0}, &(TsTokens){short_reference, 4}, 1);
  near (ts_bleu_result (&b, TRUE), 0);
}

/* 1 stands twice in one reference: that counts, whatever follows.  Both are as close in length, so the shorter one
 * is what a hypothesis should reach. */
static void
test_bleu_references (void)
{
  static const gint32 h[] = {1, 1, 2, 3}, longer[] = {1, 1, 2, 3, 4}, shorter[] = {1, 2, 3};
  TsBleu b = {{0}};

  ts_bleu_update (&b, (TsTokens){h, 4}, (const TsTokens[]){{longer, 5}, {shorter, 3}}, 2);
  g_assert_cmpuint (b.reference, ==, 3);
  g_assert_cmpuint (b.found[0], ==, 4);
  near (ts_bleu_result (&b, FALSE), 1);
}

/* Values of sacrebleu (smoothed: add-k of 1).  Found are 9 of 10, 6 of 7, 4 of 5 and 3 of 4, and 10 tokens stand for
 * 11; nltk's corpus_bleu adds a missed run for each hypothesis that is too short for one. */
static void
test_bleu_short (void)
{
  static const gint32 h1[] = {1, 2, 3, 4, 5, 6, 7}, a1[] = {1, 2, 3, 4, 5, 6, 8};
  static const gint32 h2[] = {5, 6}, a2[] = {5, 6, 7}, h3[] = {9};
  TsBleu b = {{0}};

  ts_bleu_update (&b, (TsTokens){h1, 7}, &(TsTokens){a1, 7}, 1);
  ts_bleu_update (&b, (TsTokens){h2, 2}, &(TsTokens){a2, 3}, 1);
  ts_bleu_update (&b, (TsTokens){h3, 1}, &(TsTokens){h3, 1}, 1);
  near (ts_bleu_result (&b, FALSE), 0.7463323976100866);
  near (ts_bleu_result (&b, TRUE), 0.7702121719547295);
}

static void
test_regression (void)
{
  static const double predicted[] = {1, 2, 4, 0}, target[] = {1, 4, 2, 1};
  TsRegression r = {0};

  g_assert_true (isnan (ts_regression_mse (&r)) && isnan (ts_regression_r2 (&r)));
  ts_regression_update (&r, predicted, target, 3);
  ts_regression_update (&r, predicted + 3, target + 3, 1);
  near (ts_regression_mse (&r), (0 + 4 + 4 + 1) / 4.0);
  near (ts_regression_rmse (&r), 1.5);
  near (ts_regression_mae (&r), 5.0 / 4);
  near (ts_regression_mape (&r), 100 * (0 + 0.5 + 1 + 1) / 4);
  near (ts_regression_r2 (&r), 1 - 9.0 / 6); /* targets: mean 2, deviations 1, 4, 0, 1 */
  ts_regression_reset (&r);
  ts_regression_update (&r, predicted, (double[]){3, 3}, 2);
  g_assert_true (isnan (ts_regression_r2 (&r)));
}

static void
test_mean_loss (void)
{
  TsMeanLoss m = {0};

  g_assert_true (isnan (ts_mean_loss_perplexity (&m)));
  ts_mean_loss_update (&m, log (8), 3);
  ts_mean_loss_update (&m, 0, 1);
  near (ts_mean_loss_result (&m), log (8) * 0.75);
  near (ts_mean_loss_perplexity (&m), pow (8, 0.75));
  near (ts_mean_loss_bits (&m), 2.25);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/metric/confusion", test_confusion);
  g_test_add_func ("/metric/auc", test_auc);
  g_test_add_func ("/metric/auc-pr", test_auc_pr);
  g_test_add_func ("/metric/auc-thresholds", test_auc_thresholds);
  g_test_add_func ("/metric/auc-outside", test_auc_outside);
  g_test_add_func ("/metric/error-rate", test_error_rate);
  g_test_add_func ("/metric/bleu", test_bleu);
  g_test_add_func ("/metric/bleu-references", test_bleu_references);
  g_test_add_func ("/metric/bleu-short", test_bleu_short);
  g_test_add_func ("/metric/regression", test_regression);
  g_test_add_func ("/metric/mean-loss", test_mean_loss);
  return g_test_run ();
}
