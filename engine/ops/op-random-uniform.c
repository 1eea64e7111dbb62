/* SPDX-License-Identifier: MIT */
#include "engine/ops/random.h"

static const TsParamSpec params[] = {
    {"low", TS_PARAM_FLOAT, .number = 0, .doc = "smallest value"},
    {"high", TS_PARAM_FLOAT, .number = 1, .doc = "values stay below"},
    {NULL},
};

static gboolean
like_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
uniform_forward (TsCall *call)
{
  guint64 first;
  TsRng rng = ts_call_draw (call, NULL, &first);
  const TsParams *p = &call->node->params;

  call->k->uniform[call->dtype](call->out[0], ts_call_elems (call), rng, first, p->v[0].f,
                                p->v[1].f);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .params = "low=-1"},
    {.in = {"f 9 11"}, .params = "high=3"},
};

const TsOpClass ts_op_random_uniform = {
    .name = "random_uniform",
    .formula = "y = low + (high - low)·uniform",
    .category = "random",
    .doc = "Random numbers in the shape of x, drawn anew at every step; x itself is not read.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_UNREAD,
    .inplace = -1,
    .infer = like_infer,
    .forward = uniform_forward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
