/* SPDX-License-Identifier: MIT */
#include "engine/metric/auc.h"

#include <math.h>

/* Rounding may carry a probability a little over an end; as in op-auc.c. */
#define SLACK 1e-5

typedef struct {
  double score;
  gboolean positive;
} Row;

struct TsAuc {
  GArray *rows;       /* of Row; exact only */
  guint n_thresholds; /* 0: exact */
  guint64 *above[2];  /* negatives, positives above each threshold */
  guint64 n[2];       /* negatives, positives in all */
  gboolean saw_odd;   /* a score that is none */
};

TsAuc *
ts_auc_new (guint n_thresholds)
{
  g_return_val_if_fail (n_thresholds != 1, NULL);
  TsAuc *a = g_new0 (TsAuc, 1);

  a->n_thresholds = n_thresholds;
  a->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  for (guint k = 0; k < 2; k++)
    a->above[k] = g_new0 (guint64, n_thresholds + 1);
  return a;
}

void
ts_auc_free (TsAuc *a)
{
  g_array_unref (a->rows);
  g_free (a->above[0]);
  g_free (a->above[1]);
  g_free (a);
}

void
ts_auc_reset (TsAuc *a)
{
  g_array_set_size (a->rows, 0);
  a->saw_odd = FALSE;
  for (guint k = 0; k < 2; k++) {
    a->n[k] = 0;
    for (guint i = 0; i < a->n_thresholds; i++)
      a->above[k][i] = 0;
  }
}

/* The first lies below 0 and the last above 1, so that the curve has both ends. */
static double
threshold (const TsAuc *a, guint i)
{
  if (i == 0)
    return -1e-7;
  return i + 1 == a->n_thresholds ? 1 + 1e-7 : (double) i / (a->n_thresholds - 1);
}

void
ts_auc_update (TsAuc *a, const double *scores, const gboolean *positive, gsize n)
{
  for (gsize r = 0; r < n; r++) {
    Row row = {scores[r], positive[r] != FALSE};
    a->n[row.positive]++;
    a->saw_odd |= isnan (row.score);
    if (a->n_thresholds == 0) {
      g_array_append_val (a->rows, row);
      continue;
    }
    a->saw_odd |= row.score < -SLACK || row.score > 1 + SLACK;
    row.score = CLAMP (row.score, 0, 1); /* between the first threshold and the last */
    for (guint i = 0; i < a->n_thresholds && row.score > threshold (a, i); i++)
      a->above[row.positive][i]++;
  }
}

static int
falling (gconstpointer a, gconstpointer b)
{
  double x = ((const Row *) a)->score, y = ((const Row *) b)->score;

  return (x < y) - (x > y);
}

/* The rows from @i on that have one score: where they end, and how many are negative and positive. */
static guint
count_tied (const TsAuc *a, guint i, double tied[2])
{
  double score = g_array_index (a->rows, Row, i).score;

  tied[0] = tied[1] = 0;
  for (; i < a->rows->len && g_array_index (a->rows, Row, i).score == score; i++)
    tied[g_array_index (a->rows, Row, i).positive]++;
  return i;
}

/* Pairs of a positive above a negative; those of one score count half. */
static double
count_pairs (TsAuc *a)
{
  double pairs = 0, positives = 0, tied[2];

  g_array_sort (a->rows, falling);
  for (guint i = 0; i < a->rows->len;) {
    i = count_tied (a, i, tied);
    pairs += tied[0] * (positives + tied[1] / 2);
    positives += tied[1];
  }
  return pairs;
}

/* Each positive's precision at its score. */
static double
sum_precisions (TsAuc *a)
{
  double sum = 0, positives = 0, rows = 0, tied[2];

  g_array_sort (a->rows, falling);
  for (guint i = 0; i < a->rows->len;) {
    i = count_tied (a, i, tied);
    positives += tied[1];
    rows += tied[0] + tied[1];
    sum += tied[1] * positives / rows;
  }
  return sum;
}

/* Between two thresholds true positives are taken as a straight line over all that lies above:
 * TP = slope P + rest; then the integral of TP/P over TP has a logarithm in it. */
static double
interpolate_precisions (const TsAuc *a)
{
  double sum = 0;

  for (guint i = 0; i + 1 < a->n_thresholds; i++) {
    double tp = (double) a->above[1][i + 1], more_tp = (double) a->above[1][i] - tp;
    double p = tp + (double) a->above[0][i + 1];
    double more_p = more_tp + (double) a->above[0][i] - (double) a->above[0][i + 1];
    if (more_p == 0)
      continue;
    double slope = more_tp / more_p, rest = tp - slope * p;
    sum += slope * (more_tp + (p > 0 ? rest * log ((p + more_p) / p) : 0));
  }
  return sum;
}

/* The same from the counts, by trapezoids. */
static double
count_trapezoids (const TsAuc *a)
{
  double pairs = 0;

  for (guint i = 0; i + 1 < a->n_thresholds; i++)
    pairs += ((double) a->above[0][i] - (double) a->above[0][i + 1]) *
             ((double) a->above[1][i] + (double) a->above[1][i + 1]) / 2;
  return pairs;
}

double
ts_auc_result (TsAuc *a)
{
  double all = (double) a->n[0] * (double) a->n[1];

  if (all == 0 || a->saw_odd)
    return NAN;
  return (a->n_thresholds ? count_trapezoids (a) : count_pairs (a)) / all;
}

double
ts_auc_pr_result (TsAuc *a)
{
  if (a->n[1] == 0 || a->saw_odd)
    return NAN;
  return (a->n_thresholds ? interpolate_precisions (a) : sum_precisions (a)) / (double) a->n[1];
}
