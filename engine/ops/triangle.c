/* SPDX-License-Identifier: MIT */
#include "engine/ops/triangle.h"

#include <string.h>

const TsParamSpec ts_triangle_params[] = {
    {"k", TS_PARAM_INT, .min = -G_MAXINT32, .max = G_MAXINT32,
     .doc = "the last diagonal that stays; above the main one they count from 1, below from -1"},
    {NULL},
};

gboolean
ts_infer_matrices (const TsNode *node, gboolean square, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (x->rank >= 2 && x->dim[x->rank - 2] != TS_ANY &&
      (!square || x->dim[x->rank - 2] == x->dim[x->rank - 1]))
    return TRUE;
  g_autofree char *text = ts_shape_dup_text (x);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
               "%s needs %smatrices on the last two axes, but '%s' is %s", node->op->name,
               square ? "square " : "", node->in[0]->node->name, text);
  return FALSE;
}

gboolean
ts_triangle_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return ts_infer_matrices (node, FALSE, error);
}

void
ts_triangle_forward (TsCall *call, gboolean upper)
{
  const TsValue *x = call->node->in[0];
  TsShape s = ts_call_shape (call, x);
  gint64 rows = s.dim[s.rank - 2], n = s.dim[s.rank - 1], k = call->node->params.v[0].i;
  gsize size = ts_dtype_size (x->dtype), line = (gsize) n * size;

  for (gint64 i = 0; i < ts_shape_product (&s, 0, s.rank - 1); i++) {
    const char *from = (const char *) call->in[0] + (gsize) i * line;
    char *to = (char *) call->out[0] + (gsize) i * line;
    gint64 cut = CLAMP (i % rows + k + !upper, 0, n); /* elements before it */
    gsize before = (gsize) cut * size;
    memset (upper ? to : to + before, 0, upper ? before : line - before);
    memcpy (upper ? to + before : to, upper ? from + before : from, upper ? line - before : before);
  }
}

void
ts_triangle_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                      TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, node->op->name, grad_out, 1, &node->params)->out[0];
}
