/* SPDX-License-Identifier: MIT */
#include "engine/ops/scan.h"

#include "engine/ops/unary.h"

const TsParamSpec ts_scan_params[] = {
    {"axis", TS_PARAM_INT, .number = -1, .doc = "the batch is 0, -1 the last"},
    {"exclusive", TS_PARAM_BOOL, .doc = "without the element itself"},
    {"reverse", TS_PARAM_BOOL, .doc = "from the last element to the first"},
    {NULL},
};

gboolean
ts_scan_infer (TsNode *node, TsValue *out, GError **error)
{
  return ts_unary_infer_number (node, out, error) && ts_infer_axis (node, error);
}

static TsScan
scan_of (const TsNode *node, gboolean product)
{
  return (TsScan){product, node->params.v[1].i != 0, node->params.v[2].i != 0};
}

void
ts_scan_forward (TsCall *call, gboolean product)
{
  TsShape s = ts_call_shape (call, call->node->in[0]);
  TsAxisView v = ts_axis_view (&s, ts_axis_of (call->node));
  TsScan how = scan_of (call->node, product);
  TsDtype dtype = call->node->in[0]->dtype;
  gsize bytes = (gsize) (v.n * v.inner) * ts_dtype_size (dtype);

  for (gsize o = 0; o < (gsize) v.outer; o++)
    call->k->scan[dtype]((const char *) call->in[0] + o * bytes, (char *) call->out[0] + o * bytes,
                         (gsize) v.n, (gsize) v.inner, &how);
}

void
ts_scan_product_grad (TsCall *call)
{
  TsShape s = ts_call_shape (call, call->node->in[0]);
  TsAxisView v = ts_axis_view (&s, ts_axis_of (call->node));
  TsScan how = scan_of (call->node, TRUE);
  gsize bytes = (gsize) (v.n * v.inner) * ts_dtype_size (call->dtype);

  for (gsize o = 0; o < (gsize) v.outer; o++)
    call->k->scan_product_grad[call->dtype](
        (const char *) call->in[0] + o * bytes, (const char *) call->in[1] + o * bytes,
        (char *) call->out[0] + o * bytes, (gsize) v.n, (gsize) v.inner, &how);
}
