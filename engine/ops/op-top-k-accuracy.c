/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/share.h"

static const TsParamSpec params[] = {
    {"k", TS_PARAM_INT, .number = 5, .min = 1, .max = 1e9,
     .doc = "how many scores may be looked at"},
    {NULL},
};

static gboolean
top_k_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  ts_share_infer (node, out);
  return TRUE;
}

/* How many scores come before that of @label: larger ones, equal ones with a lower index; NaN is the
 * largest. */
static gint64
rank_of (TsDtype dtype, const void *x, gint64 n, gint64 label)
{
  double own = ts_element_at (dtype, x, (gsize) label);
  gint64 rank = 0;

  for (gint64 i = 0; i < n; i++) {
    double v = ts_element_at (dtype, x, (gsize) i);
    gboolean equal = v == own || (v != v && own != own);
    rank += equal ? i < label : v > own || (v != v && own == own);
  }
  return rank;
}

static gint64
classes_of (const TsNode *node)
{
  const TsShape *s = &node->in[0]->shape;

  return s->dim[s->rank - 1];
}

static void
top_k_forward (TsCall *call)
{
  gint64 n = classes_of (call->node), lines = ts_share_lines (call, n),
         k = call->node->params.v[0].i;
  gsize size = ts_dtype_size (call->dtype);
  const gint32 *label = call->in[1];
  double hits = 0;

  for (gint64 i = 0; i < lines; i++)
    if (label[i] >= 0 && label[i] < n)
      hits += rank_of (call->dtype, (const char *) call->in[0] + (gsize) (i * n) * size, n,
                       label[i]) < k;
  ts_share_forward (call, hits, n);
}

static void
top_k_combine (TsCall *call)
{
  ts_share_combine (call, classes_of (call->node));
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "labels 7"}, .params = "k=2", .low = -3, .high = 3},
    {.in = {"f 4 5", "int 4 5"}, .params = "k=3", .low = -3, .high = 3},
};

const TsOpClass ts_op_top_k_accuracy = {
    .name = "top_k_accuracy",
    .formula = "y = share of lines whose label has one of the k largest scores",
    .category = "metric",
    .doc = "Classification accuracy over the batch when k guesses are allowed; of equal scores the "
           "lower class comes first.  A label that is no class is never right.",
    .in_names = "scores, labels",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .inplace = -1,
    .infer = top_k_infer,
    .partition = ts_share_partition,
    .forward = top_k_forward,
    .combine = top_k_combine,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
