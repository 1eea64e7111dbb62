/* SPDX-License-Identifier: MIT */
#include "engine/ops/norm.h"

const TsParamSpec ts_norm_grad_params[] = {
    {"groups", TS_PARAM_INT, .min = 0, .max = 1 << 20,
     .doc = "of channels; 0: every line is a set"},
    {"eps", TS_PARAM_FLOAT, .min = 0, .max = 1, .doc = "added to the variance"},
    {"centred", TS_PARAM_BOOL, .doc = "take the mean away"},
    {NULL},
};

gboolean
ts_norm_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error) || !ts_infer_per_channel (node, 1, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static TsNormSets
sets_of (const TsCall *call, const TsValue *x, gint64 groups)
{
  gsize lines = ts_call_channel_lines (call, x);
  gint64 images = x->kind == TS_VALUE_ROWS ? call->end - call->begin : x->shape.dim[0];

  if (groups == 0)
    return (TsNormSets){.outer = (gint64) lines, .groups = 1, .runs = 1, .n = ts_channels (x)};
  return (TsNormSets){.outer = images,
                      .groups = groups,
                      .runs = (gint64) lines / MAX (images, 1),
                      .n = ts_channels (x) / groups};
}

static const void *
at (const void *base, gint64 elems, gsize size)
{
  return base ? (const char *) base + (gsize) elems * size : NULL;
}

typedef void SetFunc (TsCall *call, TsNorm *set, gint64 first_channel);

/* Calls @func for each set of the call; NULL for what there is not. */
static void
each_set (TsCall *call, const TsValue *x_value, const TsNorm *base, gint64 groups, SetFunc *func)
{
  TsNormSets s = sets_of (call, x_value, groups);
  gint64 channels = s.groups * s.n;
  gsize size = ts_dtype_size (call->dtype);

  for (gint64 o = 0; o < s.outer; o++)
    for (gint64 g = 0; g < s.groups; g++) {
      gint64 first = o * s.runs * channels + g * s.n;
      TsNorm set = *base;
      set.rows = (gsize) s.runs;
      set.n = (gsize) s.n;
      set.row = (gsize) channels;
      set.x = at (base->x, first, size);
      set.dy = at (base->dy, first, size);
      set.y = (void *) at (base->y, first, size);
      set.gamma = at (base->gamma, g * s.n, size);
      set.beta = at (base->beta, g * s.n, size);
      func (call, &set, g * s.n);
    }
}

static void
set_forward (TsCall *call, TsNorm *set, gint64 first)
{
  call->k->norm[call->dtype](set);
}

void
ts_norm_forward (TsCall *call, gint64 groups, double epsilon, gboolean centred)
{
  guint n_in = call->node->n_in;
  TsNorm base = {.centred = centred,
                 .epsilon = epsilon,
                 .x = call->in[0],
                 .gamma = n_in > 1 ? call->in[1] : NULL,
                 .beta = n_in > 2 ? call->in[2] : NULL,
                 .y = call->out[0]};

  each_set (call, call->node->in[0], &base, groups, set_forward);
}

void
ts_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in, gint64 groups, double epsilon, gboolean centred)
{
  TsValue *in[] = {grad_out[0], node->in[0], node->n_in > 1 ? node->in[1] : NULL};
  TsParams p;

  ts_params_init (&p, ts_norm_grad_params);
  ts_params_set_number (&p, "groups", (double) groups, NULL);
  ts_params_set_number (&p, "eps", epsilon, NULL);
  ts_params_set_bool (&p, "centred", centred, NULL);
  if (want[0])
    grad_in[0] = e->emit (e, "norm_grad", in, in[2] ? 3 : 2, &p)->out[0];
  if ((node->n_in > 1 && want[1]) || (node->n_in > 2 && want[2])) {
    TsNode *sums = e->emit (e, "norm_sums", in, 2, &p);
    for (guint i = 1; i < node->n_in; i++)
      if (want[i])
        grad_in[i] = sums->out[i - 1];
  }
}

static TsNorm
grad_base (const TsCall *call)
{
  const TsParams *p = &call->node->params;

  return (TsNorm){.centred = p->v[2].i != 0,
                  .epsilon = p->v[1].f,
                  .dy = call->in[0],
                  .x = call->in[1],
                  .gamma = call->node->n_in > 2 ? call->in[2] : NULL};
}

static void
set_grad (TsCall *call, TsNorm *set, gint64 first)
{
  call->k->norm_grad[call->dtype](set);
}

void
ts_norm_grad_forward (TsCall *call)
{
  TsNorm base = grad_base (call);

  base.y = call->out[0];
  each_set (call, call->node->in[1], &base, call->node->params.v[0].i, set_grad);
}

static void
set_sums (TsCall *call, TsNorm *set, gint64 first)
{
  double *sums = call->partial ? call->partial : call->workspace;

  call->k->norm_sums[call->dtype](set, sums + first,
                                  sums + ts_channels (call->node->in[1]) + first);
}

void
ts_norm_sums_forward (TsCall *call)
{
  gint64 channels = ts_channels (call->node->in[1]);
  TsNorm base = grad_base (call);

  ts_sums_begin (call, channels, 2);
  each_set (call, call->node->in[1], &base, call->node->params.v[0].i, set_sums);
  ts_sums_finish (call, channels, 2);
}
