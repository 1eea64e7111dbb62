/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"block", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1024, .doc = "pixels each way"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  gint64 b = node->params.v[0].i, w = x->dim[2], c = x->dim[3] / (b * b);

  ts_layout_init (l, x);
  l->rank = 6;
  l->axis[1] = (TsAxis){TS_AXIS_STEP, x->dim[1], x->dim[1], 0, 1, w * x->dim[3]};
  l->axis[2] = (TsAxis){TS_AXIS_STEP, b, b, 0, 1, b * c};
  l->axis[3] = (TsAxis){TS_AXIS_STEP, w, w, 0, 1, x->dim[3]};
  l->axis[4] = (TsAxis){TS_AXIS_STEP, b, b, 0, 1, c};
  l->axis[5] = (TsAxis){TS_AXIS_STEP, c, c, 0, 1, 1};
}

static gboolean
depth_to_space_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 b = node->params.v[0].i;

  if (!(x->rank == 4 && x->dim[3] % (b * b) == 0)) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "depth_to_space needs images [batch, height, width, channels] and a block that "
                 "fits, but the block is "
                 "%" G_GINT64_FORMAT
                 " and '%s' is %s; the channels must be a multiple of the squared block",
                 b, node->in[0]->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], x->dim[1] * b, x->dim[2] * b, x->dim[3] / (b * b));
  return TRUE;
}

static void
depth_to_space_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

static void
depth_to_space_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                         TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "space_to_depth", grad_out, 1, &node->params)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 1 2 4"}, .params = "block=2", .low = -1, .high = 1},
    {.in = {"f 2 2 3 8"}, .params = "block=2", .low = -1, .high = 1},
};

const TsOpClass ts_op_depth_to_space = {
    .name = "depth_to_space",
    .formula = "y[i·block + k, j·block + l, c] = x[i, j, (k·block + l)·C + c]",
    .category = "image",
    .doc = "The channels of a pixel become a block of pixels.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = depth_to_space_infer,
    .partition = ts_partition_rows,
    .forward = depth_to_space_forward,
    .backward = depth_to_space_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
