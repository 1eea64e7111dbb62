/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/share.h"

static gboolean
accuracy_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  ts_share_infer (node, out);
  return TRUE;
}

static double
count_hits (TsCall *call)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];
  double hits = 0;

  for (gint64 i = 0; i < lines; i++) {
    const void *scores = (const char *) call->in[0] + (gsize) i * n * size;
    gint64 taken = ts_first_largest (call->dtype, scores, n);
    double largest = ts_element_at (call->dtype, scores, (gsize) taken);
    hits += largest == largest ? taken == label[i] : largest; /* a line with a NaN has no class */
  }
  return hits;
}

static gint64
classes_of (const TsNode *node)
{
  const TsShape *s = &node->in[0]->shape;

  return s->dim[s->rank - 1];
}

static void
accuracy_forward (TsCall *call)
{
  ts_share_forward (call, count_hits (call), classes_of (call->node));
}

static void
accuracy_combine (TsCall *call)
{
  ts_share_combine (call, classes_of (call->node));
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "labels 7"}, .low = -3, .high = 3},
    {.in = {"f 4 5", "int 4 5"}, .low = -3, .high = 3},
};

const TsOpClass ts_op_accuracy = {
    .name = "accuracy",
    .formula = "y = share of lines whose first largest score is at the label",
    .category = "metric",
    .doc = "Classification accuracy over the batch; NaN when a score is; no gradient.",
    .in_names = "scores, labels",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .infer = accuracy_infer,
    .partition = ts_share_partition,
    .forward = accuracy_forward,
    .combine = accuracy_combine,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
