/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

gboolean
ts_infer_binary (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *a = &node->in[0]->shape, *b = &node->in[1]->shape;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (!ts_shape_equal (a, b)) {
    g_autofree char *left = ts_shape_dup_row_text (a), *right = ts_shape_dup_row_text (b);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs two tensors of one shape, but '%s' is %s and '%s' is %s", node->op->name,
                 node->in[0]->node->name, left, node->in[1]->node->name, right);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}
