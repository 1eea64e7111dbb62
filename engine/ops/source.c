/* SPDX-License-Identifier: MIT */
#include "engine/ops/source.h"

gboolean
ts_infer_source (TsNode *node, TsValue *out, GError **error)
{
  guint shape = (guint) ts_params_lookup (&node->params, "shape");
  TsShape s = {.rank = node->params.v[shape].n_list};

  if (s.rank > TS_SHAPE_MAX) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE, "%s '%s': at most %d axes, not %u",
                 node->op->name, node->name, TS_SHAPE_MAX, s.rank);
    return FALSE;
  }
  for (guint i = 0; i < s.rank; i++) {
    s.dim[i] = node->params.v[shape].list[i];
    if (s.dim[i] >= 0 || (s.dim[i] == TS_ANY && i == 0))
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s '%s': size %" G_GINT64_FORMAT
                 " of axis %u is not allowed; only the first axis "
                 "may be unknown",
                 node->op->name, node->name, s.dim[i], i);
    return FALSE;
  }
  node->n_out = 1;
  out[0].shape = s;
  return ts_dtype_parse (ts_params_text (&node->params, "dtype"), &out[0].dtype);
}
