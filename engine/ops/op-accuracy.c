/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/op.h"

static gboolean
accuracy_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  node->n_out = 1;
  out[0].dtype = TS_F64; /* a share of whole rows: not to be rounded */
  out[0].shape = TS_SCALAR;
  return TRUE;
}

static TsPartition
accuracy_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_SLOTS, .partial_bytes = sizeof (double)};
  return ts_partition_whole (node);
}

/* The first largest entry; NaN counts as largest. */
static gint64
arg_max (TsDtype dtype, const void *x, gsize n)
{
  gint64 best = 0;

  for (gsize i = 0; i < n; i++) {
    double v = dtype == TS_F32 ? (double) ((const float *) x)[i] : ((const double *) x)[i];
    double b = dtype == TS_F32 ? (double) ((const float *) x)[best] : ((const double *) x)[best];
    if (v != v)
      return (gint64) i;
    if (v > b)
      best = (gint64) i;
  }
  return best;
}

static double
count_hits (TsCall *call)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];
  double hits = 0;

  for (gint64 i = 0; i < lines; i++)
    hits += arg_max (call->dtype, (const char *) call->in[0] + i * n * size, n) == label[i];
  return hits;
}

static void
accuracy_forward (TsCall *call)
{
  gsize n;

  if (call->partial) {
    double *sum = call->partial;
    *sum = (call->accumulate ? *sum : 0) + count_hits (call);
    return;
  }
  *(double *) call->out[0] = count_hits (call) / (double) ts_call_lines (call, &n);
}

static void
accuracy_combine (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  double total, lines = (double) call->batch * ts_shape_row_elems (&x->shape) /
                        x->shape.dim[x->shape.rank - 1];

  call->k->tree_sum[TS_F64](call->partial, 1, (gsize) call->n_partials, &total, 1);
  *(double *) call->out[0] = total / lines;
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "labels 7"}, .low = -3, .high = 3},
    {.in = {"f 4 5", "int 4 5"}, .low = -3, .high = 3},
};

const TsOpClass ts_op_accuracy = {
    .name = "accuracy",
    .formula = "y = share of lines whose first largest score is at the label",
    .category = "metric",
    .doc = "Classification accuracy over the batch; no gradient.",
    .in_names = "scores, labels",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .infer = accuracy_infer,
    .partition = accuracy_partition,
    .forward = accuracy_forward,
    .combine = accuracy_combine,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
