/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"num", TS_PARAM_INT, .required = TRUE, .min = 1, .max = TS_NODE_OUTPUTS_MAX,
     .doc = "how many parts"},
    {"axis", TS_PARAM_INT, .number = -1, .doc = "what is cut, behind the batch; -1: the last"},
    {NULL},
};

static guint
axis_of (const TsNode *node)
{
  return ts_axis (node->params.v[1].i, node->in[0]->shape.rank);
}

static gboolean
split_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;

  if (!ts_check_axis (node, "axis", node->params.v[1].i, x, x->rank, error))
    return FALSE;
  guint axis = axis_of (node);
  if (x->dim[axis] == TS_ANY)
    return ts_refuse_batch (node, "axis", error);
  gint64 n = node->params.v[0].i;
  gboolean fits = x->dim[axis] % n == 0;
  if (!fits) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "split: axis %u of %s cannot be cut into %" G_GINT64_FORMAT " equal parts", axis,
                 text, n);
    return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    ts_infer_like (node, out, i, node->in[0]);
    out[i].shape.dim[axis] = x->dim[axis] / n;
  }
  return TRUE;
}

static void
split_forward (TsCall *call)
{
  ts_call_join (call, axis_of (call->node), TRUE);
}

static void
split_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  TsValue *dy[TS_NODE_OUTPUTS_MAX];
  TsParams p;

  if (!want[0])
    return;
  ts_params_init (&p, ts_op_lookup ("concat")->params);
  ts_params_set_number (&p, "axis", axis_of (node), NULL);
  for (guint i = 0; i < node->n_out; i++)
    dy[i] = grad_out[i] ? grad_out[i] : e->emit (e, "zeros_like", &node->out[i], 1, NULL)->out[0];
  grad_in[0] = e->emit (e, "concat", dy, node->n_out, &p)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 3 4"}, .params = "num=2", .low = -1, .high = 1},
    {.in = {"rows 6"}, .params = "num=3, axis=1", .low = -1, .high = 1},
    {.in = {"f 4 3"}, .params = "num=2, axis=0", .low = -1, .high = 1},
};

const TsOpClass ts_op_split = {
    .name = "split",
    .formula = "y[k][…, i, …] = x[…, k·n / num + i, …]",
    .category = "array",
    .doc = "Equal parts of an axis.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = split_infer,
    .partition = ts_partition_rows,
    .forward = split_forward,
    .backward = split_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
