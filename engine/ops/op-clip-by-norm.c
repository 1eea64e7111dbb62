/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

#include <math.h>

static const TsParamSpec params[] = {
    {"limit", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e30, .doc = "largest norm"},
    {NULL},
};

static gboolean
clip_by_norm_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0], *norm = node->in[1];

  if (!ts_dtype_is_float (x->dtype) || x->kind == TS_VALUE_ROWS || norm->dtype != TS_F64 ||
      norm->shape.rank) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "clip_by_norm: '%s' has a batch or '%s' is no f64 scalar", x->node->name,
                 norm->node->name);
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  return TRUE;
}

static TsPartition
clip_by_norm_partition (const TsNode *node)
{
  TsPartition p = {.kind = TS_PART_BLOCKS, .cut_in = 1, .cut_out = 1};

  ts_value_units (node->in[0], &p.extent, &p.unit_elems);
  return p;
}

/* norm - norm is 0, or NaN when the norm is not finite: then everything becomes NaN, which is seen, and no
 * element passes as a harmless 0. */
static void
clip_by_norm_forward (TsCall *call)
{
  double norm = *(const double *) call->in[1], limit = call->node->params.v[0].f;
  double factor = norm > limit ? limit / norm : 1;
  gint64 extent, unit;

  ts_value_units (call->node->in[0], &extent, &unit);
  call->k->scale[call->node->in[0]->dtype](call->in[0], factor + (norm - norm), call->out[0],
                                           (gsize) ((call->end - call->begin) * unit));
}

const TsOpClass ts_op_clip_by_norm = {
    .name = "clip_by_norm",
    .formula = "y = x·limit·min (1 / norm, 1 / limit) + (norm - norm)",
    .category = "update",
    .doc =
        "Shortens a gradient whose norm is over the limit; the norm may be that of many gradients. "
        "A norm that is not finite makes everything NaN.",
    .in_names = "x, norm",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = clip_by_norm_infer,
    .partition = clip_by_norm_partition,
    .forward = clip_by_norm_forward,
};
