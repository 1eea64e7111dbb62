/* SPDX-License-Identifier: MIT */
#include "engine/ops/share.h"
#include "engine/ops/tally.h"

#include <math.h>

/* Scores fall into the bins between thresholds; the state is [NaN, negatives by bin, positives by bin].
 * Bins - 1 thresholds lie evenly in [0, 1] as in Keras, where rows at the first are above it. */

static const TsParamSpec params[] = {
    {"class", TS_PARAM_INT, .number = 1, .min = 0, .max = 1 << 20,
     .doc = "the class that counts as positive; its probability is the score"},
    {"thresholds", TS_PARAM_INT, .number = 200, .min = 3, .max = 100000,
     .doc = "how many there are in [0, 1]; more are more exact"},
    {NULL},
};

static gint64
scores_of (const TsNode *node)
{
  const TsShape *s = &node->in[0]->shape;

  return s->dim[s->rank - 1];
}

static gint64
bins_of (const TsNode *node)
{
  return node->params.v[1].i - 1;
}

static gsize
size (const TsNode *node)
{
  return 1 + 2 * (gsize) bins_of (node);
}

static gboolean
auc_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  if (scores_of (node) > 1 && node->params.v[0].i >= scores_of (node)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "auc: there is no class %" G_GINT64_FORMAT " among %" G_GINT64_FORMAT
                 " probabilities",
                 node->params.v[0].i, scores_of (node));
    return FALSE;
  }
  ts_tally_infer (node, out);
  return TRUE;
}

/* Rounding may carry a softmax a little over 1. */
#define SLACK 1e-5

static void
count (TsCall *call, double *state)
{
  gint64 bins = bins_of (call->node), positive = call->node->params.v[0].i;
  gsize n;
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];

  for (gint64 i = 0; i < lines; i++) {
    double p =
        ts_element_at (call->dtype, call->in[0], (gsize) i * n + (n > 1 ? (gsize) positive : 0));
    if (label[i] < 0 || (n > 1 && label[i] >= (gint64) n)) {
      ts_call_fault (call, call->begin + i, label[i], n > 1 ? (gint64) n : G_MAXINT32);
      continue;
    }
    if (isnan (p)) {
      state[0]++;
      continue;
    }
    if (p < -SLACK || p > 1 + SLACK)
      ts_call_fault (call, call->begin + i, p < 0 ? -1 : 1, 0);
    gint64 bin = (gint64) ceil (CLAMP (p, 0, 1) * (double) bins) - 1;
    state[1 + (label[i] == positive ? bins : 0) + MAX (bin, 0)]++;
  }
}

/* Pairs of a positive above a negative; those within a bin count half. */
static double
result (const TsNode *node, const double *state)
{
  gint64 bins = bins_of (node);
  const double *negative = state + 1, *positive = negative + bins;
  double below = 0, pairs = 0, positives = 0;

  for (gint64 i = 0; i < bins; i++) {
    pairs += positive[i] * (below + negative[i] / 2);
    below += negative[i];
    positives += positive[i];
  }
  return state[0] == 0 && below > 0 && positives > 0 ? pairs / (below * positives) : NAN;
}

/* Limit 0: of a score, else of a label. */
static char *
auc_fault_text (const TsNode *node, const TsFault *f)
{
  if (f->limit)
    return ts_label_fault_text (node, f);
  return g_strdup_printf ("the score of row %" G_GINT64_FORMAT " is %s, no probability; softmax or "
                          "sigmoid belongs before auc",
                          f->position, f->value < 0 ? "less than 0" : "greater than 1");
}

static const TsTally tally = {.size = size, .count = count, .result = result};

static const TsOpExample examples[] = {
    {.in = {"rows 2", "labels 2"}, .low = 0, .high = 1},
    {.in = {"rows 3", "labels 3"}, .params = "class=2, thresholds=11", .low = 0, .high = 1},
    {.in = {"f 9 1", "int 9 2"}, .low = 0, .high = 1},
};

const TsOpClass ts_op_auc = {
    .name = "auc",
    .formula = "y = share of pairs in which the positive row has the higher score, ties half",
    .doc =
        "Area under the ROC curve of probabilities (softmax or sigmoid), by thresholds; NaN while "
        "one of the classes is missing; no gradient.",
    .in_names = "probabilities, labels",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .infer = auc_infer,
    TS_TALLY_MEMBERS,
    .fault_text = auc_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
