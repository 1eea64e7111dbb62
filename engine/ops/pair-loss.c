/* SPDX-License-Identifier: MIT */
#include "engine/ops/pair-loss.h"

gboolean
ts_pair_infer (TsNode *node, TsValue *out, TsPairForm form, GError **error)
{
  const TsShape *a = &node->in[0]->shape, *b = &node->in[1]->shape;
  gboolean rows = node->in[0]->kind == TS_VALUE_ROWS;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (!ts_shape_equal (a, b) ||
      (form == TS_PAIR_LINES && (a->rank < 1u + rows || a->dim[a->rank - 1] < 1))) {
    g_autofree char *ta = ts_shape_dup_row_text (a), *tb = ts_shape_dup_row_text (b);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: the prediction %s and the target %s must have the same shape%s",
                 node->op->name, ta, tb, form == TS_PAIR_LINES ? ", with an axis to sum over" : "");
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  if (form == TS_PAIR_LINES)
    out[0].shape.rank--;
  return TRUE;
}

gsize
ts_pair_workspace (const TsNode *node, TsPairForm form)
{
  const TsShape *x = &node->in[0]->shape;

  if (form == TS_PAIR_ELEMENTS)
    return 0;
  return (gsize) x->dim[x->rank - 1] * ts_dtype_size (node->in[0]->dtype);
}

TsPartition
ts_pair_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

gsize
ts_pair_lines (const TsCall *call, const TsValue *x, gsize *n)
{
  gint64 last = x->shape.rank ? x->shape.dim[x->shape.rank - 1] : 1;
  gint64 elems = x->kind == TS_VALUE_ROWS
                     ? (call->end - call->begin) * ts_shape_row_elems (&x->shape)
                     : ts_shape_elems (&x->shape);

  if (x->kind == TS_VALUE_ROWS && x->shape.rank == 1)
    last = 1;
  *n = (gsize) last;
  return (gsize) (elems / MAX (last, 1));
}

void
ts_pair_forward (TsCall *call, TsPairForm form, TsPairLoss loss, double p0, double p1)
{
  gsize n, lines = ts_pair_lines (call, call->node->in[0], &n);
  gsize size = ts_dtype_size (call->dtype), line = n * size;

  if (form == TS_PAIR_ELEMENTS) {
    call->k->pair_loss[call->dtype](loss, p0, p1, call->in[0], call->in[1], call->out[0],
                                    lines * n);
    return;
  }
  for (gsize i = 0; i < lines; i++) {
    call->k->pair_loss[call->dtype](loss, p0, p1, (const char *) call->in[0] + i * line,
                                    (const char *) call->in[1] + i * line, call->workspace, n);
    call->k->fill[call->dtype](call->k->sum[call->dtype](call->workspace, n),
                               (char *) call->out[0] + i * size, 1);
  }
}

void
ts_pair_grad_forward (TsCall *call, TsPairForm form, TsPairLoss loss, double p0, double p1)
{
  gsize n, lines = ts_pair_lines (call, call->node->in[0], &n);
  gsize size = ts_dtype_size (call->dtype), line = n * size;
  TsPairLossGrad *grad = ts_params_int (&call->node->params, "_wrt")
                             ? call->k->pair_loss_grad_target[call->dtype]
                             : call->k->pair_loss_grad[call->dtype];

  if (form == TS_PAIR_ELEMENTS) {
    grad (loss, p0, p1, call->in[0], call->in[1], call->in[2], call->out[0], lines * n);
    return;
  }
  for (gsize i = 0; i < lines; i++) {
    double dy;
    call->k->convert[TS_F64](call->dtype, (const char *) call->in[2] + i * size, &dy, 1, 1);
    call->k->fill[call->dtype](dy, call->workspace, n);
    grad (loss, p0, p1, (const char *) call->in[0] + i * line,
          (const char *) call->in[1] + i * line, call->workspace, (char *) call->out[0] + i * line,
          n);
  }
}

void
ts_pair_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in, const char *grad_op, guint n_inputs)
{
  TsValue *in[] = {node->in[0], node->in[1], grad_out[0]};
  TsParams p = node->params;

  for (guint i = 0; i < n_inputs; i++) {
    ts_params_set_number (&p, "_wrt", i, NULL);
    if (want[i])
      grad_in[i] = e->emit (e, grad_op, in, 3, &p)->out[0];
  }
}

gboolean
ts_pair_grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}
