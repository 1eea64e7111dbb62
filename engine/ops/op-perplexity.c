/* SPDX-License-Identifier: MIT */
#include "engine/ops/share.h"
#include "engine/ops/tally.h"

#include <math.h>

enum { N, SUM, SIZE };

static gsize
size (const TsNode *node)
{
  return SIZE;
}

static gboolean
perplexity_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  if (node->in[0]->shape.rank == 0) {
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
        "%s takes the loss of every row, such as softmax_xent (y, t), not the mean of a batch",
        node->op->name);
    return FALSE;
  }
  ts_tally_infer (node, out);
  return TRUE;
}

static void
count (TsCall *call, double *state)
{
  gsize n = ts_tally_elems (call);

  for (gsize i = 0; i < n; i++)
    state[SUM] += ts_element_at (call->dtype, call->in[0], i);
  state[N] += (double) n;
}

static double
result (const TsNode *node, const double *state)
{
  return state[N] > 0 ? exp (state[SUM] / state[N]) : NAN;
}

static const TsTally tally = {.size = size, .count = count, .result = result};

static const TsOpExample examples[] = {
    {.in = {"rows"}, .low = 0, .high = 3},
    {.in = {"rows 4"}, .low = 0, .high = 3},
    {.in = {"f 4 5"}, .low = 0, .high = 3},
};

const TsOpClass ts_op_perplexity = {
    .name = "perplexity",
    .formula = "y = exp (mean of the losses)",
    .doc = "Between how many equally likely classes a model is left to choose; no gradient.",
    .in_names = "losses",
    .min_in = 1,
    .max_in = 1,
    .infer = perplexity_infer,
    .less_is_better = TRUE,
    TS_TALLY_MEMBERS,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
