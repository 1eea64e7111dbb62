/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"

gboolean
ts_infer_scores_labels (TsNode *node, GError **error)
{
  const TsValue *x = node->in[0], *t = node->in[1];
  TsShape lead = x->shape;

  if (!ts_dtype_is_float (x->dtype)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs float scores but '%s' is %s", node->op->name, x->node->name,
                 ts_dtype_name (x->dtype));
    return FALSE;
  }
  if (t->dtype != TS_I32) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs integer labels but '%s' is %s", node->op->name, t->node->name,
                 ts_dtype_is_float (t->dtype) ? "float" : ts_dtype_name (t->dtype));
    return FALSE;
  }
  if (lead.rank < 1 || lead.dim[lead.rank - 1] < 1) {
    g_autofree char *text = ts_shape_dup_row_text (&x->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs one score per class on the last axis, but '%s' is %s", node->op->name,
                 x->node->name, text);
    return FALSE;
  }
  lead.rank--;
  if (!ts_shape_equal (&lead, &t->shape)) {
    g_autofree char *tx = ts_shape_dup_row_text (&x->shape),
                    *tt = ts_shape_dup_row_text (&t->shape);
    g_autofree char *want = ts_shape_dup_row_text (&lead);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: labels %s do not match scores %s: expected %s", node->op->name, tt, tx, want);
    return FALSE;
  }
  return TRUE;
}

gint64
ts_call_lines (const TsCall *call, gsize *classes)
{
  const TsValue *x = call->node->in[0];
  gint64 n = x->shape.dim[x->shape.rank - 1];

  *classes = (gsize) n;
  if (x->kind == TS_VALUE_ROWS)
    return (call->end - call->begin) * ts_shape_row_elems (&x->shape) / n;
  return ts_shape_elems (&x->shape) / n;
}

char *
ts_label_fault_text (const TsNode *node, const TsFault *fault)
{
  return g_strdup_printf ("label %" G_GINT64_FORMAT " in row %" G_GINT64_FORMAT
                          " is outside [0, %" G_GINT64_FORMAT ")",
                          fault->value, fault->position, fault->limit);
}
