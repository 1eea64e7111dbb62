/* SPDX-License-Identifier: MIT */
#include "engine/ops/random.h"

/* Samples, drawn anew at every step.  No gradient passes: what a sample would have been for another
 * probability is not a matter of degrees. */

static gboolean
bernoulli_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
bernoulli_forward (TsCall *call)
{
  guint64 first;
  TsRng rng = ts_call_draw (call, NULL, &first);

  call->k->bernoulli[call->dtype](call->in[0], call->out[0], ts_call_elems (call), rng, first);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = 0, .high = 1},
    {.in = {"f 9 11"}, .low = 0, .high = 1},
};

const TsOpClass ts_op_bernoulli = {
    .name = "bernoulli",
    .formula = "y = uniform < p ? 1 : 0",
    .category = "random",
    .doc = "Draws 1 with the given probability, else 0; a NaN stays NaN.",
    .in_names = "p",
    .min_in = 1,
    .max_in = 1,
    .inplace = 0,
    .infer = bernoulli_infer,
    .forward = bernoulli_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
