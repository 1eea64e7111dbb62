/* SPDX-License-Identifier: MIT */
#include "engine/ops/unary.h"

/* TRUE where the gradient of a member is computed from y. */
static const gboolean from_y[TS_N_UNARY] = {
#define TS_UNARY_X(name, forward, gradient) [TS_UNARY_##name] = FALSE,
#define TS_UNARY_Y(name, forward, gradient) [TS_UNARY_##name] = TRUE,
#define TS_UNARY_STEP(name, forward)
#define TS_UNARY_TEST(name, condition)
#define TS_UNARY_BOOL(name, forward)
#include "engine/tensor/kernel-unary-list.inc"
};

gboolean
ts_unary_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

gboolean
ts_unary_infer_number (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0];

  if (!ts_dtype_is_number (x->dtype)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs floats, i32 or i64, but '%s' is %s", node->op->name, x->node->name,
                 ts_dtype_name (x->dtype));
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  return TRUE;
}

gboolean
ts_unary_infer_test (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_unary_infer (node, out, error))
    return FALSE;
  out[0].dtype = TS_BOOL;
  return TRUE;
}

/* The first and second FLOAT parameter. */
static void
numbers (const TsNode *node, double *p, double *q)
{
  const TsParams *params = &node->params;
  double v[2] = {0, 0};

  for (guint i = 0, n = 0; i < params->n && n < 2; i++)
    if (params->specs[i].type == TS_PARAM_FLOAT)
      v[n++] = params->v[i].f;
  *p = v[0];
  *q = v[1];
}

void
ts_unary_forward_as (TsCall *call, TsUnary kernel, double p, double q)
{
  TsDtype dtype = call->node->in[0]->dtype;

  call->k->unary[kernel][dtype](call->in[0], call->out[0], ts_call_elems (call), p, q);
}

void
ts_unary_forward (TsCall *call)
{
  double p, q;

  numbers (call->node, &p, &q);
  ts_unary_forward_as (call, call->node->op->kernel, p, q);
}

void
ts_unary_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                   TsValue **grad_in)
{
  TsValue *in[] = {from_y[node->op->kernel] ? node->out[0] : node->in[0], grad_out[0]};

  if (want[0])
    grad_in[0] = e->emit (e, node->op->parts[0]->name, in, 2, &node->params)->out[0];
}

void
ts_unary_grad_forward_as (TsCall *call, TsUnary kernel, double p, double q)
{
  call->k->unary_grad[kernel][call->dtype](call->in[0], call->in[1], call->out[0],
                                           ts_call_elems (call), p, q);
}

void
ts_unary_grad_forward (TsCall *call)
{
  double p, q;

  numbers (call->node, &p, &q);
  ts_unary_grad_forward_as (call, call->node->op->kernel, p, q);
}
