/* SPDX-License-Identifier: MIT */
#include "engine/optim/clip.h"

static const TsParamSpec params[] = {
    {"limit", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e30, .doc = "what is not exceeded"},
    {NULL},
};

enum { VALUE, NORM, GLOBAL_NORM };

const TsOptionClass ts_clips[] = {
    [VALUE] = {"value", "Every element of a gradient lies in [-limit, limit].", params},
    [NORM] = {"norm", "Every gradient that is longer than limit is shortened to it.", params},
    [GLOBAL_NORM] = {"global_norm",
                     "All gradients are shortened by one factor when together they are "
                     "longer than limit.",
                     params},
    {NULL},
};

static TsValue *
add_op (TsGraph *graph, const char *op, TsValue *const *in, guint n, const TsParams *p,
        GError **error)
{
  TsNode *node = ts_graph_add (graph, op, NULL, in, n, p, error);

  return node ? node->out[0] : NULL;
}

TsValue *
ts_add_global_norm (TsGraph *graph, TsValue *const *gradients, guint n, GError **error)
{
  g_autofree TsValue **squares = g_new (TsValue *, n + 1);

  for (guint i = 0; i < n; i++)
    if (!(squares[i] = add_op (graph, "sum_squares", &gradients[i], 1, NULL, error)))
      return NULL;
  return add_op (graph, "global_norm", squares, n, NULL, error);
}

static TsValue *
clip_value (TsGraph *graph, TsValue *gradient, double limit, GError **error)
{
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("clip")->params);
  ts_params_set_number (&p, "low", -limit, NULL);
  ts_params_set_number (&p, "high", limit, NULL);
  return add_op (graph, "clip", &gradient, 1, &p, error);
}

gboolean
ts_clip_gradients (TsGraph *graph, const TsOption *clip, TsValue **gradients, guint n,
                   TsValue *norm, GError **error)
{
  double limit = ts_params_float (&clip->params, "limit");
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("clip_by_norm")->params);
  ts_params_set_number (&p, "limit", limit, NULL);
  if (clip->kind == &ts_clips[GLOBAL_NORM] && !norm &&
      !(norm = ts_add_global_norm (graph, gradients, n, error)))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    TsValue *in[] = {gradients[i], norm};
    if (clip->kind == &ts_clips[VALUE])
      gradients[i] = clip_value (graph, in[0], limit, error);
    else if (clip->kind == &ts_clips[NORM] &&
             !(in[1] = ts_add_global_norm (graph, &in[0], 1, error)))
      return FALSE;
    else
      gradients[i] = add_op (graph, "clip_by_norm", in, 2, &p, error);
    if (!gradients[i])
      return FALSE;
  }
  return TRUE;
}
