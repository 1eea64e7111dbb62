/* SPDX-License-Identifier: MIT */
#include "engine/ops/tally.h"

#include <math.h>
#include <string.h>

#include "engine/ops/share.h"

void
ts_tally_infer (TsNode *node, TsValue *out)
{
  node->n_out = 2;
  out[0].dtype = out[1].dtype = TS_F64;
  out[0].shape = TS_SCALAR;
  out[1].shape = TS_SHAPE ((gint64) node->op->tally->size (node));
}

TsPartition
ts_tally_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_SLOTS,
                         .partial_bytes = node->op->tally->size (node) * sizeof (double)};
  return ts_partition_whole (node);
}

void
ts_tally_forward (TsCall *call)
{
  const TsTally *tally = call->node->op->tally;
  double *state = call->partial ? call->partial : call->out[1];

  if (!call->partial || !call->accumulate)
    memset (state, 0, tally->size (call->node) * sizeof (double));
  tally->count (call, state);
  if (!call->partial)
    *(double *) call->out[0] = tally->result (call->node, state);
}

void
ts_tally_merge (const TsNode *node, double *into, const double *from)
{
  const TsTally *tally = node->op->tally;
  gsize n = tally->size (node);

  if (tally->merge)
    tally->merge (node, into, from);
  else
    for (gsize i = 0; i < n; i++)
      into[i] += from[i];
}

void
ts_tally_combine (TsCall *call)
{
  const TsTally *tally = call->node->op->tally;
  gsize n = tally->size (call->node);
  double *state = call->out[1];

  memset (state, 0, n * sizeof (double));
  for (gint64 i = 0; i < call->n_partials; i++)
    ts_tally_merge (call->node, state, (const double *) call->partial + (gsize) i * n);
  *(double *) call->out[0] = tally->result (call->node, state);
}

double
ts_tally_share (double part, double all)
{
  return all > 0 ? part / all : 0;
}

/* ---- classes */

const TsParamSpec ts_tally_class_params[] = {
    TS_TALLY_CLASS_PARAMS,
    {NULL},
};

const TsOpExample ts_tally_class_examples[] = {
    {.in = {"rows 3", "labels 3"}, .low = -3, .high = 3},
    {.in = {"f 9 4", "int 9 4"}, .params = "class=2", .low = -3, .high = 3},
    {.in = {"rows 5", "labels 5"}, .params = "average=micro", .low = -3, .high = 3},
};

static gint64
classes_of (const TsNode *node)
{
  const TsShape *s = &node->in[0]->shape;

  return s->dim[s->rank - 1];
}

gboolean
ts_tally_class_infer (TsNode *node, TsValue *out, GError **error)
{
  gint64 k = node->params.v[0].i;

  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  if (classes_of (node) < 2 || k >= classes_of (node)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 k < 0 ? "%s needs the scores of two classes or more"
                       : "%s: there is no class %" G_GINT64_FORMAT " among %" G_GINT64_FORMAT
                         " scores",
                 node->op->name, k, classes_of (node));
    return FALSE;
  }
  ts_tally_infer (node, out);
  return TRUE;
}

/* The counts of every class, then how many rows have a NaN among their scores. */
gsize
ts_tally_class_size (const TsNode *node)
{
  return TS_TALLY_PER_CLASS * (gsize) classes_of (node) + 1;
}

void
ts_tally_class_count (TsCall *call, double *state)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];

  for (gint64 i = 0; i < lines; i++) {
    const void *scores = (const char *) call->in[0] + (gsize) i * n * size;
    gint64 taken = ts_first_largest (call->dtype, scores, n);
    if (label[i] < 0 || label[i] >= (gint64) n) {
      ts_call_fault (call, call->begin + i, label[i], (gint64) n);
      continue;
    }
    if (isnan (ts_element_at (call->dtype, scores, (gsize) taken))) {
      state[TS_TALLY_PER_CLASS * n]++;
      continue;
    }
    state[TS_TALLY_PER_CLASS * label[i] + TS_TALLY_ARE]++;
    state[TS_TALLY_PER_CLASS * taken + TS_TALLY_TAKEN]++;
    state[TS_TALLY_PER_CLASS * label[i] + TS_TALLY_HITS] += taken == label[i];
  }
}

double
ts_tally_class_result (const TsNode *node, const double *state)
{
  double (*of) (const TsNode *, const double *) = node->op->tally->of_class;
  gint64 k = node->params.v[0].i, n = classes_of (node), there = 0;
  double all[TS_TALLY_PER_CLASS] = {0}, sum = 0;

  for (gint64 c = 0; c < n; c++) {
    const double *counts = state + TS_TALLY_PER_CLASS * c;
    for (int i = 0; i < TS_TALLY_PER_CLASS; i++)
      all[i] += counts[i];
    if (counts[TS_TALLY_ARE] + counts[TS_TALLY_TAKEN] == 0)
      continue;
    sum += of (node, counts);
    there++;
  }
  if (there == 0 || state[TS_TALLY_PER_CLASS * n] > 0)
    return NAN;
  if (k >= 0)
    return of (node, state + TS_TALLY_PER_CLASS * k);
  return node->params.v[1].s[1] == 'i' ? of (node, all) : sum / (double) there;
}

/* ---- numbers */

const TsOpExample ts_tally_pair_examples[] = {
    {.in = {"rows 3", "rows 3"}, .low = -3, .high = 3},
    {.in = {"f 4 5", "f 4 5"}, .low = -3, .high = 3},
};

gboolean
ts_tally_pair_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *y = node->in[0], *t = node->in[1];

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (y->kind != t->kind || !ts_shape_equal (&y->shape, &t->shape)) {
    g_autofree char *ty = ts_shape_dup_row_text (&y->shape),
                    *tt = ts_shape_dup_row_text (&t->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the prediction is %s and the target %s; they must be the same",
                 node->op->name, ty, tt);
    return FALSE;
  }
  ts_tally_infer (node, out);
  return TRUE;
}

gsize
ts_tally_elems (const TsCall *call)
{
  const TsValue *x = call->node->in[0];

  return (gsize) (x->kind == TS_VALUE_ROWS
                      ? (call->end - call->begin) * ts_shape_row_elems (&x->shape)
                      : ts_shape_elems (&x->shape));
}
